/** No route has a longer path. */
const maxLength = 1_000;

/**
 * The path of a request, for the log. The token of a connection link is the link's whole secret, so it is omitted,
 * also where the path is percent-encoded, as the router decodes it.
 */
export function loggedPath(url: string): string {
  const path = url
    .replace(/[?#].*$/s, '')
    .replace(/%[2-7][\da-f]/gi, (encoded) => decodeURIComponent(encoded))
    .replace(/^(\/+connect\/+)[^/]+/i, '$1[token]');
  return path.length > maxLength ? `${path.slice(0, maxLength)}…` : path;
}
