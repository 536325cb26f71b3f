import { casual as german } from 'chrono-node/de';
import { casual as american, GB as english } from 'chrono-node/en';
import { casual as spanish } from 'chrono-node/es';
import { casual as french } from 'chrono-node/fr';
import { casual as japanese } from 'chrono-node/ja';
import { describe, expect, test } from 'vitest';
import { readWhen } from './when.ts';

const berlin = {
  now: new Date('2026-11-16T08:00:00Z'),
  timeZone: 'Europe/Berlin',
  order: 'dayFirst' as const,
  phrases: [german, english, american],
};
const at = (date: string, time = '', clock: Parameters<typeof readWhen>[2] = berlin) => {
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
    ['on friday', '9', '2026-11-20T08:00:00.000Z'],
    ['the 24th of december', '9', '2026-12-24T08:00:00.000Z'],
    ['fri, 14:30', '', '2026-11-20T13:30:00.000Z'],
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

  test.each([
    '',
    'soon-ish',
    '2026-02-30',
    '31.2.',
    '14.30',
    '17.11. soon',
    // What was entered before, and what was added.
    '19day',
    '2026-11-24wed',
    '2026-11-24day after tomorrow',
    'tomorrow 2026-11-24',
    'tomorrow wednesday',
    'two weeks from friday',
    'friday the 20th',
    'friday unless it rains',
  ])('%j with 9:00 isn’t a date or needs one', (date) => {
    expect(['unclear', 'past']).toContain(at(date, '9:00'));
  });

  test.each([
    ['5/12/2026', 'dayFirst', '2026-12-05'],
    ['12/5/2026', 'monthFirst', '2026-12-05'],
    ['12/5/26', 'monthFirst', '2026-12-05'],
    ['12/5', 'yearFirst', '2026-12-05'],
    ['5-12-2026', 'dayFirst', '2026-12-05'],
    // Points are never month first, and no month is 24.
    ['5.12.2026', 'monthFirst', '2026-12-05'],
    ['24/12/2026', 'monthFirst', '2026-12-24'],
    ['12/24/2026', 'dayFirst', '2026-12-24'],
    ['2026/12/24', 'monthFirst', '2026-12-24'],
    ['2026. 12. 24.', 'yearFirst', '2026-12-24'],
    ['٢٤‏/١٢‏/٢٠٢٦', 'dayFirst', '2026-12-24'],
  ] as const)('%s where dates are %s is %s', (date, order, expected) => {
    // Without the parsers for words, which take a moment to load.
    expect(at(date, '9:00', { ...berlin, order, phrases: [] })).toBe(`${expected}T08:00:00.000Z`);
  });

  test.each([
    ['morgen 9', german, '2026-11-17T08:00:00.000Z'],
    ['Freitag 14:30', german, '2026-11-20T13:30:00.000Z'],
    ['24. Dezember 9 Uhr', german, '2026-12-24T08:00:00.000Z'],
    ['demain 9h30', french, '2026-11-17T08:30:00.000Z'],
    ['mañana 9', spanish, '2026-11-17T08:00:00.000Z'],
    ['明日 9:00', japanese, '2026-11-17T08:00:00.000Z'],
    ['tomorrow 9', japanese, '2026-11-17T08:00:00.000Z'],
  ])('%s is read in its language, or in English', (date, own, expected) => {
    expect(at(date, '', { ...berlin, phrases: [own, english] })).toBe(expected);
  });

  test('rejects the past', () => {
    expect(at('2026-11-16', '8:59')).toBe('past');
    expect(at('2026-11-16', '9:01')).toBe('2026-11-16T08:01:00.000Z');
    expect(at('yesterday', '')).toBe('past');
    expect(at('today', '')).toBe('unclear');
  });

  test('phrases are read in the user’s time zone, not the browser’s', () => {
    const auckland = { ...berlin, now: new Date('2026-11-16T23:30:00Z'), timeZone: 'Pacific/Auckland' };
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
