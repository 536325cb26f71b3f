import { isIP } from 'node:net';
import { checkUrl, exceptionsFrom, isException } from '../../foundation/egress/check-url.ts';
import { EgressError } from '../../foundation/egress/egress-error.ts';
import { Problem } from '../../foundation/errors/index.ts';
import { webhookLimits } from '../../foundation/errors/webhooks.ts';
import { parseUrl } from '../../foundation/lib/parse-url.ts';

/**
 * The contract's rules for URLs, based on the text alone, and those of the egress guard: URLs that could never be
 * delivered to are rejected here. The address that a name resolves to is checked at delivery.
 */
export function checkWebhookUrl(given: unknown, access: 'key' | 'session', allowed: readonly string[]): string {
  const text = typeof given === 'string' ? given.trim() : '';
  if (text.length > webhookLimits.urlLength) throw new Problem('webhook_url_too_long');
  const url = parseUrl(text);
  // No server can listen on port 0.
  if (!url || url.port === '0') throw new Problem('webhook_url_invalid');
  const isAllowed = /^https?:$/.test(url.protocol) && isException(exceptionsFrom(allowed), url);
  if (url.protocol !== 'https:' && !isAllowed) throw new Problem('webhook_url_not_https');
  if (url.username || url.password) throw new Problem('webhook_url_credentials');
  if (isAllowed) return text;
  const host = url.hostname.replace(/\.$/, '');
  if (isLocalhost(host)) throw new Problem('webhook_url_localhost');
  // The contract accepts these with an API key, although nothing is delivered to them.
  if (isMoreLocalhost(host) && access === 'key') return text;
  if (isMoreLocalhost(host)) throw new Problem('webhook_url_localhost');
  if (metadata.has(host)) throw new Problem('webhook_url_metadata');
  if (isLinkLocal(host)) throw new Problem('webhook_url_link_local');
  if (!isDeliverable(url)) throw new Problem(isLiteral(host) ? 'webhook_url_private' : 'webhook_url_private_name');
  return text;
}

function isDeliverable(url: URL): boolean {
  try {
    checkUrl(url, exceptionsFrom([]), { anyPort: true });
    return true;
  } catch (error) {
    if (error instanceof EgressError) return false;
    throw error;
  }
}

/** An IPv6 address is in brackets. A host name can start like an address: `10.example.com`. */
const isLiteral = (host: string) => isIP(host) === 4 || host.startsWith('[');
const isIn = (range: RegExp) => (host: string) => isIP(host) === 4 && range.test(host);
const isLoopback = isIn(/^127\./);
const isLinkLocal = isIn(/^169\.254\./);

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
