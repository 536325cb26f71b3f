import type { FastifyRequest } from 'fastify';
import type { App } from '../../../app.ts';

/** The names under which a browser opens a Crier that runs on its own machine. Its cookies belong to one of them. */
const names = ['localhost', '127.0.0.1', '[::1]'];

/**
 * A network leads back to the one address that it knows. If the browser opened Crier by another name of this machine, where its
 * cookies are, this is added to the state and says which. Empty otherwise.
 */
export function nameMark({ publicUrl }: Pick<App, 'publicUrl'>, { host }: FastifyRequest): string {
  const index = names.findIndex((name) => urlAt(publicUrl, name)?.host === host);
  return index < 0 ? '' : `.${index}`;
}

/** The address of the request under the name at which the browser has its cookies. Null: it is there already. */
export function addressAtMark({ publicUrl }: Pick<App, 'publicUrl'>, { host, url }: FastifyRequest, state: string) {
  const [, index] = /\.(\d)$/.exec(state) ?? [];
  const other = index ? urlAt(publicUrl, names[Number(index)]) : null;
  return !other || other.host === host ? null : other.origin + url;
}

/** Null unless both are other names of this machine. */
function urlAt(publicUrl: string, name: string | undefined): URL | null {
  const url = new URL(publicUrl);
  if (!name || name === url.hostname || !names.includes(url.hostname)) return null;
  url.hostname = name;
  return url;
}
