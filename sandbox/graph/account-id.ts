import { createHash } from 'node:crypto';
import type { Store } from '../store/index.ts';

const first = 17_841_400_000_000_001n;
const room = 49_999_999_999n;

/**
 * The id is derived from the handle, so an account keeps it after a reset. It is odd and above 2^53, so a client that
 * reads it as a JavaScript number gets a wrong id.
 */
export function newAccountId(store: Store, platform: string, handle: string): string {
  const hash = createHash('sha256').update(handle).digest('hex').slice(0, 16);
  let number = first + (BigInt(`0x${hash}`) % room) * 2n;
  while (store.accounts.find(platform, String(number))) number += 2n;
  return String(number);
}
