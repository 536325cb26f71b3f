import type { FastifyRequest } from 'fastify';
import type { App } from '../../../app.ts';

/** The names by which a browser can open a local Crier instance. Its cookies belong to one of them. */
const names = ['localhost', '127.0.0.1', '[::1]'];

/**
 * A network redirects to the one URL that it knows. If the browser opened Crier under another local name, which has
 * its cookies, this mark is added to the state and identifies that name. Otherwise empty.
 */
export function nameMark({ publicUrl }: Pick<App, 'publicUrl'>, { host }: FastifyRequest): string {
  const index = names.findIndex((name) => urlAt(publicUrl, name)?.host === host);
  return index < 0 ? '' : `.${index}`;
}

/** The URL of the request under the name that has the browser's cookies. Null if the request already uses it. */
export function addressAtMark({ publicUrl }: Pick<App, 'publicUrl'>, { host, url }: FastifyRequest, state: string) {
  const [, index] = /\.(\d)$/.exec(state) ?? [];
  const other = index ? urlAt(publicUrl, names[Number(index)]) : null;
  return !other || other.host === host ? null : other.origin + url;
}

/** Null unless both are local names. */
function urlAt(publicUrl: string, name: string | undefined): URL | null {
  const url = new URL(publicUrl);
  if (!name || name === url.hostname || !names.includes(url.hostname)) return null;
  url.hostname = name;
  return url;
}
