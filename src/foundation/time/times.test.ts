import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseInstant } from './times.ts';

test('reads what it prints, whatever the time', () => {
  const times = fc.date({ min: new Date('1970-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(times, (time) => {
      expect(parseInstant(time.toISOString())).toEqual(time);
    }),
  );
});

test.each([
  ['2026-11-15T10:00:00Z', '2026-11-15T10:00:00.000Z'],
  ['2026-11-15T10:00Z', '2026-11-15T10:00:00.000Z'],
  ['2026-11-15T10:00:00.5Z', '2026-11-15T10:00:00.500Z'],
  ['2026-11-15T10:00:00+05:30', '2026-11-15T04:30:00.000Z'],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ['2024-02-29T00:00:00-08:00', '2024-02-29T08:00:00.000Z'],
])('%s is %s', (text, iso) => {
  expect(parseInstant(text)?.toISOString()).toBe(iso);
});

test.each([
  '2026-11-15',
  '2026-11-15T10:00:00',
  '2026-11-15 10:00:00Z',
  '2026-02-29T10:00:00Z',
  '2026-13-01T10:00:00Z',
  '2026-11-15T25:00:00Z',
  '2026-11-15T10:00:00z',
  '9999-12-31T23:59:59-23:59',
  '9999-12-31T23:59:59.999-00:01',
  '15/11/2026 10:00',
  'tomorrow',
  '',
])('%j is no point in time', (text) => {
  expect(parseInstant(text)).toBeNull();
});
