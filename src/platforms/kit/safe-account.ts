import { parseUrl } from '../../foundation/lib/parse-url.ts';
import { storable } from '../../foundation/lib/storable.ts';
import { shorten } from '../../foundation/text/shorten.ts';
import type { Account } from './context.ts';
import { maxReasonLength } from './failure.ts';

/** A network's account data, made safe to store and show: with bounded lengths, storable texts, and only web links. */
export const safeAccount = (account: Account): Account => ({
  ...account,
  handle: shorten(storable(account.handle), maxReasonLength),
  displayName: shorten(storable(account.displayName), maxReasonLength),
  avatarUrl: webAddress(account.avatarUrl),
  profileUrl: webAddress(account.profileUrl),
});

const maxAddressLength = 2048;

/**
 * Null for any scheme other than http and https, because a browser could run it (`javascript:`), and for overlong
 * links.
 */
export function webAddress(address: string | null | undefined): string | null {
  const url = address && address.length <= maxAddressLength ? parseUrl(address) : null;
  return url && /^https?:$/.test(url.protocol) ? url.href : null;
}
