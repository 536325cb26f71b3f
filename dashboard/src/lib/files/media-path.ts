/** A thumbnail of a stored image, which the service creates once. */
export function thumbnailOf(url: string): string {
  const path = pathOf(url);
  return path.startsWith('/media/') ? `${path}${path.includes('?') ? '&' : '?'}thumbnail` : path;
}

/** Reads files from this page's origin, which may be another host name of the same service. */
export function pathOf(url: string): string {
  const { pathname, search } = new URL(url, window.location.origin);
  return pathname.startsWith('/media/') ? pathname + search : url;
}
