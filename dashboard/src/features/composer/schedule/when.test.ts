import { GB, casual as phrases } from 'chrono-node/en';
import { describe, expect, test } from 'vitest';
import { readWhen } from './when.ts';

const berlin = { now: new Date('2026-11-16T08:00:00Z'), timeZone: 'Europe/Berlin', phrases };
const at = (date: string, time = '', clock = berlin) => {
  const when = readWhen(date, time, clock);
  return when.kind === 'at' ? when.at.toISOString() : when.kind;
};

describe('"Date" and "Time"', () => {
  test.each([
    ['2026-12-24', '18:00', '2026-12-24T17:00:00.000Z'],
    ['2026-12-24 18:00', '', '2026-12-24T17:00:00.000Z'],
    ['tomorrow 9', '', '2026-11-17T08:00:00.000Z'],
    ['tomorrow', '9', '2026-11-17T08:00:00.000Z'],
    ['day after tomorrow 9', '', '2026-11-18T08:00:00.000Z'],
    ['the day after tomorrow', '9', '2026-11-18T08:00:00.000Z'],
    ['tomorrow at 9', '', '2026-11-17T08:00:00.000Z'],
    ['fri 14:30', '', '2026-11-20T13:30:00.000Z'],
    ['next monday 2pm', '', '2026-11-23T13:00:00.000Z'],
    ['24 dec', '9:00', '2026-12-24T08:00:00.000Z'],
    ['dec 24', '9:00', '2026-12-24T08:00:00.000Z'],
    ['in 3 days', '10', '2026-11-19T09:00:00.000Z'],
    ['tomorrow morning', '', '2026-11-17T08:00:00.000Z'],
    ['tuesday morning', '', '2026-11-17T08:00:00.000Z'],
    ['tomorrow noon', '', '2026-11-17T11:00:00.000Z'],
    ['friday afternoon', '', '2026-11-20T14:00:00.000Z'],
    ['tomorrow evening', '', '2026-11-17T17:00:00.000Z'],
    ['this evening', '', '2026-11-16T17:00:00.000Z'],
    ['tomorrow morning', '8:15', '2026-11-17T07:15:00.000Z'],
    ['17.11. 9 Uhr', '', '2026-11-17T08:00:00.000Z'],
    ['17.11. um 9.30 Uhr', '', '2026-11-17T08:30:00.000Z'],
    ['17.11. 10', '', '2026-11-17T09:00:00.000Z'],
    ['17.11', '9h30', '2026-11-17T08:30:00.000Z'],
    ['24.12.2026, 18:00', '', '2026-12-24T17:00:00.000Z'],
    ['24. 12. 2026', '18:00', '2026-12-24T17:00:00.000Z'],
    ['24.12.26', '18:00', '2026-12-24T17:00:00.000Z'],
    ['3.1. 9:00', '', '2027-01-03T08:00:00.000Z'],
    ['tomorrow 9 Uhr', '', '2026-11-17T08:00:00.000Z'],
    ['fri 14h30', '', '2026-11-20T13:30:00.000Z'],
    ['', '23:00', '2026-11-16T22:00:00.000Z'],
  ])('%j and %j mean %s', (date, time, expected) => {
    expect(at(date, time)).toBe(expected);
  });

  test.each(['', 'soon-ish', '2026-02-30', '31.2.', '14.30', '17.11. soon'])(
    '%j with 9:00 isn’t a date or needs one',
    (date) => {
      expect(['unclear', 'past']).toContain(at(date, '9:00'));
    },
  );

  test('numeric dates are read in the order of the locale', () => {
    expect(at('5/12/2026', '9:00')).toBe('past');
    expect(at('5/12/2026', '9:00', { ...berlin, phrases: GB })).toBe('2026-12-05T08:00:00.000Z');
  });

  test('rejects the past', () => {
    expect(at('2026-11-16', '8:59')).toBe('past');
    expect(at('2026-11-16', '9:01')).toBe('2026-11-16T08:01:00.000Z');
    expect(at('yesterday', '')).toBe('past');
    expect(at('today', '')).toBe('unclear');
  });

  test('phrases are read in the user’s time zone, not the browser’s', () => {
    const auckland = { now: new Date('2026-11-16T23:30:00Z'), timeZone: 'Pacific/Auckland', phrases };
    expect(at('today', '18:00', auckland)).toBe('2026-11-17T05:00:00.000Z');
  });

  test('explains a time that clocks skip', () => {
    const when = readWhen('2027-03-28', '2:30', berlin);
    expect(when).toMatchObject({ kind: 'at', time: '02:30', date: '2027-03-28' });
    expect(when.kind === 'at' && when.note).toContain('skip 02:30. The post goes out at 03:30');
    expect(at('2027-03-28', '2:30')).toBe('2027-03-28T01:30:00.000Z');
  });

  test('uses the first of a time that clocks show twice', () => {
    const when = readWhen('2027-10-31', '2:30', berlin);
    expect(when.kind === 'at' && [when.at, when.note]).toEqual([
      new Date('2027-10-31T00:30:00Z'),
      expect.stringContaining('show 02:30 twice'),
    ]);
  });
});
