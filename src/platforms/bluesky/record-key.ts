import { randomInt } from 'node:crypto';

const alphabet = '234567abcdefghijklmnopqrstuvwxyz';
const keyLength = 13;
const bitsPerLetter = 5n;

/**
 * A record key in Bluesky's format (a TID): the time in microseconds and ten random bits, in letters that sort by time.
 * The clock has millisecond resolution, so the microseconds are random too, and posts at the same moment get different
 * keys.
 */
export function newRecordKey(now: Date): string {
  const microseconds = BigInt(now.getTime()) * 1000n + BigInt(randomInt(1000));
  const bits = (microseconds << 10n) | BigInt(randomInt(1024));
  return Array.from({ length: keyLength }, (_, index) => {
    const shift = BigInt(keyLength - 1 - index) * bitsPerLetter;
    return alphabet[Number((bits >> shift) & 31n)];
  }).join('');
}
