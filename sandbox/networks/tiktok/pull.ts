import { fetchFile } from '../../fetch-file.ts';
import type { Call } from '../../network.ts';
import type { StoredFile } from '../../store/files.ts';
import { refuse } from './errors.ts';

const loopbackHosts = ['localhost', '127.0.0.1', '[::1]'];
/** Hosts that belong to a provider: whoever rents room there cannot prove that they are his. */
const rentedHosts =
  /(^|\.)(amazonaws\.com|r2\.dev|r2\.cloudflarestorage\.com|storage\.googleapis\.com|blob\.core\.windows\.net)$/;

/** Every other https address counts as verified for the application, and so does this machine. */
export function checkOwnership(address: unknown): string {
  const url = typeof address === 'string' ? URL.parse(address) : null;
  if (!url) refuse('invalid_param', 'The url is invalid');
  const isLocal = loopbackHosts.includes(url.hostname);
  if (!isLocal && (url.protocol !== 'https:' || rentedHosts.test(url.hostname))) refuse('url_ownership_unverified');
  return url.href;
}

/** The vendor follows no redirects. */
export function pull(call: Call, address: string, maxBytes: number): Promise<StoredFile | 'unreachable' | 'too_large'> {
  return fetchFile(call.sandbox.store.files, address, maxBytes, 'error');
}
