import { fetchFile } from '../../../media/fetch-file.ts';
import type { Call } from '../../../platform.ts';
import type { StoredFile } from '../../../store/files.ts';
import { refuse } from '../errors.ts';

const loopbackHosts = ['localhost', '127.0.0.1', '[::1]'];
/** Hosts of storage providers. A customer cannot verify ownership of such a host. */
const rentedHosts =
  /(^|\.)(amazonaws\.com|r2\.dev|r2\.cloudflarestorage\.com|storage\.googleapis\.com|blob\.core\.windows\.net)$/;

/** All other https addresses and this machine count as verified for the app. */
export function checkOwnership(address: unknown): string {
  const url = typeof address === 'string' ? URL.parse(address) : null;
  if (!url) refuse('invalid_param', 'The url is invalid');
  const isLocal = loopbackHosts.includes(url.hostname);
  if (!isLocal && (url.protocol !== 'https:' || rentedHosts.test(url.hostname))) refuse('url_ownership_unverified');
  return url.href;
}

/** The vendor does not follow redirects. */
export function pullFromUrl(
  call: Call,
  address: string,
  maxBytes: number,
): Promise<StoredFile | 'unreachable' | 'too_large'> {
  return fetchFile(call.sandbox.store.files, address, maxBytes, 'error');
}
