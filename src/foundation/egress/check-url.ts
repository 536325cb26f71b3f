import { isIP } from 'node:net';
import { parseUrl } from '../lib/parse-url.ts';
import { blockedHost, EgressError } from './egress-error.ts';
import { isPublicAddress } from './public-address.ts';

/** Hosts, as `host:port`, exempt from the rules about scheme, port and address. */
export type Exceptions = ReadonlySet<string>;

export function exceptionsFrom(entries: readonly string[]): Exceptions {
  return new Set(entries.map((entry) => hostAndPort(new URL(`http://${entry}`))));
}

export function isException(exceptions: Exceptions, url: URL): boolean {
  return exceptions.has(hostAndPort(url));
}

/** Checks the text only. The addresses behind a name are checked when a socket connects, in `connect.ts`. */
export function checkUrl(text: string | URL, exceptions: Exceptions, { anyPort = false } = {}): URL {
  const url = parseUrl(String(text));
  if (!url) throw new EgressError('invalid_url', 'This is not a URL.');
  const excepted = isException(exceptions, url);
  if (url.protocol !== 'https:' && !(excepted && url.protocol === 'http:')) {
    throw new EgressError('protocol', `Only https:// URLs are allowed (got ${url.protocol}//).`);
  }
  if (url.username || url.password) {
    throw new EgressError('credentials', 'URLs with a user name or password are not allowed.');
  }
  if (excepted) return url;
  if (url.port && !anyPort) throw new EgressError('port', `Only port 443 is allowed (got ${url.port}).`);
  if (isLocalName(url.hostname) || isPrivateLiteral(url.hostname)) throw blockedHost(url.hostname);
  return url;
}

/** The URL parser has already normalised decimal, octal, hex and short addresses. */
function isPrivateLiteral(hostname: string): boolean {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(bare) !== 0 && !isPublicAddress(bare);
}

function isLocalName(hostname: string): boolean {
  return /(^|\.)(localhost|local|internal)\.?$/.test(hostname);
}

function hostAndPort({ hostname, port, protocol }: URL): string {
  return `${hostname.replace(/\.$/, '')}:${port || (protocol === 'http:' ? 80 : 443)}`;
}
