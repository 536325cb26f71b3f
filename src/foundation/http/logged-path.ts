/** No route has a longer path. */
const maxLength = 1_000;

/** The path of a request, for the log. The token of a connection link is the whole secret of that link, so it is left out. */
export function loggedPath(url: string): string {
  const path = url.replace(/[?#].*$/s, '').replace(/^(\/+connect\/+)[^/]+/i, '$1[token]');
  return path.length > maxLength ? `${path.slice(0, maxLength)}…` : path;
}
