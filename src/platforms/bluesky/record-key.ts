import { randomInt } from 'node:crypto';

const alphabet = '234567abcdefghijklmnopqrstuvwxyz';
const keyLength = 13;
const bitsPerLetter = 5n;

/**
 * A record key as the network wants them: the time in microseconds and ten bits of chance, in letters that sort by time.
 * We know milliseconds; what is below them is chance as well, so that posts of the same moment get different keys.
 */
export function newRecordKey(now: Date): string {
  const microseconds = BigInt(now.getTime()) * 1000n + BigInt(randomInt(1000));
  const bits = (microseconds << 10n) | BigInt(randomInt(1024));
  return Array.from({ length: keyLength }, (_, index) => {
    const shift = BigInt(keyLength - 1 - index) * bitsPerLetter;
    return alphabet[Number((bits >> shift) & 31n)];
  }).join('');
}
