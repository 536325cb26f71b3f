import { isIP } from 'node:net';
import { exceptionsFrom, isException } from '../egress/check-url.ts';
import { Problem } from '../errors.ts';

/** The contract's rules for URLs, by their text alone. The egress guard checks at delivery where a name leads. */
export function checkWebhookUrl(given: unknown, access: 'key' | 'session', allowed: readonly string[]): string {
  const text = typeof given === 'string' ? given.trim() : '';
  const url = URL.parse(text);
  if (!url) throw new Problem('webhook_url_invalid');
  if (/^https?:$/.test(url.protocol) && isException(exceptionsFrom(allowed), url)) return text;
  if (url.protocol !== 'https:') throw new Problem('webhook_url_not_https');
  const host = url.hostname.replace(/\.$/, '');
  if (isLocalhost(host) || (access === 'session' && isMoreLocalhost(host))) throw new Problem('webhook_url_localhost');
  if (metadata.has(host)) throw new Problem('webhook_url_metadata');
  if (isLinkLocal(host)) throw new Problem('webhook_url_link_local');
  if (isPrivate(host)) throw new Problem('webhook_url_private');
  return text;
}

/** A host name can begin like an address: `10.example.com`. */
const isIn = (range: RegExp) => (host: string) => isIP(host) === 4 && range.test(host);
const isLoopback = isIn(/^127\./);
const isLinkLocal = isIn(/^169\.254\./);
const isPrivate = isIn(/^(10|192\.168|172\.(1[6-9]|2\d|3[01]))\./);

const isLocalhost = (host: string) => host === 'localhost' || isLoopback(host);
const isMoreLocalhost = (host: string) => host === '[::1]' || host.endsWith('.localhost');

/** Cloud providers serve the credentials of a machine at these hosts. */
const metadata = new Set([
  '169.254.169.254',
  'metadata.google.internal',
  'metadata.goog',
  'metadata',
  '[fd00:ec2::254]',
  '100.100.100.200',
]);
