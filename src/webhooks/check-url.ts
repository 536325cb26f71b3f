import { Problem } from '../errors.ts';

/** The contract's rules for addresses, by their text alone. Where a name leads is judged at delivery, by the egress guard. */
export function checkWebhookUrl(text: unknown, access: 'key' | 'session', allowed: readonly string[]): string {
  const url = typeof text === 'string' ? URL.parse(text.trim()) : null;
  if (!url) throw new Problem('webhook_url_invalid');
  if (allowed.includes(url.host) || allowed.includes(`${url.hostname}:${url.port || 443}`)) return url.href;
  if (url.protocol !== 'https:') throw new Problem('webhook_url_not_https');
  const host = url.hostname.toLowerCase().replace(/\.$/, '');
  if (host === 'localhost' || /^127\./.test(host)) throw new Problem('webhook_url_localhost');
  if (access === 'session' && (host === '[::1]' || host.endsWith('.localhost')))
    throw new Problem('webhook_url_localhost');
  if (metadata.has(host)) throw new Problem('webhook_url_metadata');
  if (/^169\.254\./.test(host)) throw new Problem('webhook_url_link_local');
  if (/^(10|192\.168|172\.(1[6-9]|2\d|3[01]))\./.test(host)) throw new Problem('webhook_url_private');
  return url.href;
}

/** Where clouds keep the secrets of their machines. */
const metadata = new Set([
  '169.254.169.254',
  'metadata.google.internal',
  'metadata',
  '[fd00:ec2::254]',
  '100.100.100.200',
]);
