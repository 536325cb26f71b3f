import { expect, test } from 'vitest';
import { fromBase32, toBase32 } from './base32.ts';
import { matchingStep, totpCode, totpStep, totpUri } from './totp.ts';

const secret = Buffer.from('12345678901234567890');

// The test vectors of RFC 6238, appendix B, for SHA-1; the last six of their eight digits.
test.each([
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
])('the code at %i s is that of RFC 6238', (seconds, code) => {
  expect(totpCode(secret, totpStep(new Date(seconds * 1000)))).toBe(code);
});

test('codes of one step before and after are accepted, and no others', () => {
  const now = new Date(1_000_000_000_000);
  const step = totpStep(now);
  const matches = [-2, -1, 0, 1, 2].map((around) => matchingStep(secret, totpCode(secret, step + around), now));
  expect(matches).toEqual([null, step - 1, step, step + 1, null]);
});

test('the address for an app names the service and the account', () => {
  const uri = new URL(totpUri('ABC234', { issuer: 'Crier', account: 'a+b@example.com' }));
  expect(uri.href).toMatch(/^otpauth:\/\/totp\/Crier:a%2Bb%40example\.com\?/);
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    secret: 'ABC234',
    issuer: 'Crier',
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
});

// The test vectors of RFC 4648, section 10, without padding.
test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('base32 of %o is %o', (plain, encoded) => {
  expect(toBase32(Buffer.from(plain))).toBe(encoded);
  expect(fromBase32(encoded).toString()).toBe(plain);
});
