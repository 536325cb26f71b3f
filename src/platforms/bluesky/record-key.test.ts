import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newRecordKey } from './record-key.ts';

const dates = fc.date({ min: new Date('2020-01-01'), max: new Date('2200-01-01'), noInvalidDate: true });

test('a key has the form that Bluesky requires', () => {
  fc.assert(
    fc.property(dates, (now) => {
      expect(newRecordKey(now)).toMatch(/^[234567abcdefghij][234567abcdefghijklmnopqrstuvwxyz]{12}$/);
    }),
  );
});

test('keys sort by time', () => {
  fc.assert(
    fc.property(dates, fc.integer({ min: 1, max: 10_000_000 }), (now, laterMs) => {
      expect(newRecordKey(now) < newRecordKey(new Date(now.getTime() + laterMs))).toBe(true);
    }),
  );
});

test('a key contains its time', () => {
  const now = new Date('2026-11-15T01:30:20.643Z');
  const digits = [...newRecordKey(now)].map((letter) => '234567abcdefghijklmnopqrstuvwxyz'.indexOf(letter));
  const bits = digits.reduce((sum, digit) => sum * 32n + BigInt(digit), 0n);
  expect(Number((bits >> 10n) / 1000n)).toBe(now.getTime());
});

test('keys of the same moment differ', () => {
  const now = new Date('2026-11-15T01:30:20.643Z');
  // There are a million possible keys. One collision among ten is possible, two are not.
  expect(new Set(Array.from({ length: 10 }, () => newRecordKey(now))).size).toBeGreaterThanOrEqual(9);
});
