import { parseUrl } from '../../foundation/lib/parse-url.ts';
import { shorten } from '../../foundation/text/shorten.ts';
import type { Account } from './context.ts';
import { maxReasonLength } from './failure.ts';

/** What a network says about an account, as it may be stored and shown: of a sane length, and with links to the web alone. */
export const safeAccount = (account: Account): Account => ({
  ...account,
  handle: shorten(account.handle, maxReasonLength),
  displayName: shorten(account.displayName, maxReasonLength),
  avatarUrl: webAddress(account.avatarUrl),
  profileUrl: webAddress(account.profileUrl),
});

const maxAddressLength = 2048;

/** Null for any scheme but http and https, which a browser could run (`javascript:`), and for what is too long to be a link. */
export function webAddress(address: string | null | undefined): string | null {
  const url = address && address.length <= maxAddressLength ? parseUrl(address) : null;
  return url && /^https?:$/.test(url.protocol) ? url.href : null;
}
