import { createHash } from 'node:crypto';
import type { Store } from '../store/index.ts';

const first = 17_841_400_000_000_001n;
const room = 49_999_999_999n;

/**
 * Follows from the handle, so that an account keeps it when the sandbox is emptied. Odd and over 2^53: read as a
 * JavaScript number, it becomes another.
 */
export function accountNumber(store: Store, network: string, handle: string): string {
  const hash = createHash('sha256').update(handle).digest('hex').slice(0, 16);
  let number = first + (BigInt(`0x${hash}`) % room) * 2n;
  while (store.accounts.find(network, String(number))) number += 2n;
  return String(number);
}
