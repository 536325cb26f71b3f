import { isIP } from 'node:net';
import { isLoopback } from '../../../foundation/lib/loopback.ts';
import { parseUrl } from '../../../foundation/lib/parse-url.ts';

/** Redirects to an application must use https or stay on the user's own machine. */
export function isAllowedRedirect(uri: string): boolean {
  const url = parseUrl(uri);
  if (!url || uri.includes('#') || url.username || url.password) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isOwnMachine(url));
}

/**
 * Addresses must match exactly. Only the port of an application on the user's own machine may differ, because it uses
 * any free one (RFC 8252, section 7.3).
 */
export function isRegisteredRedirect(uri: string, registered: readonly string[]): boolean {
  if (!isAllowedRedirect(uri)) return false;
  return registered.some((known) => known === uri || (isOwn(known) && isOwn(uri) && portless(known) === portless(uri)));
}

const isOwn = (uri: string) => {
  const url = parseUrl(uri);
  return url?.protocol === 'http:' && isOwnMachine(url);
};

function isOwnMachine({ hostname }: URL): boolean {
  const address = hostname.replace(/^\[|\]$/g, '');
  return hostname === 'localhost' || (isIP(address) !== 0 && isLoopback(address));
}

function portless(uri: string): string {
  const url = new URL(uri);
  url.port = '';
  return url.href;
}
