/** A small version of a stored image, which the service makes once. */
export function thumbnailOf(url: string): string {
  const path = pathOf(url);
  return path.startsWith('/media/') ? `${path}${path.includes('?') ? '&' : '?'}thumbnail` : path;
}

/** Files are read from the address that this page came from, which may be another name of the same service. */
export function pathOf(url: string): string {
  const { pathname, search } = new URL(url, window.location.origin);
  return pathname.startsWith('/media/') ? pathname + search : url;
}
