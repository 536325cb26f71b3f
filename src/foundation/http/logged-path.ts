/** The path of a request, for the log. The token of a connection link is the whole secret of that link, so it is left out. */
export const loggedPath = (url: string) => url.replace(/[?#].*$/s, '').replace(/^(\/+connect\/+)[^/]+/i, '$1[token]');
