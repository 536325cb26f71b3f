import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addDays,
  addMonths,
  clockOf,
  dateKeyOf,
  formatDateTime,
  formatRelative,
  formatTime,
  hoursOf,
  instantOf,
  moveDays,
  moveHours,
  resolveTime,
  startOfDay,
  startOfWeek,
  weekdayOf,
} from './time.ts';

/** Half- and quarter-hour offsets, clock changes at midnight, by half an hour and in the southern summer, and a zone that skipped a day. */
const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Africa/Cairo',
  'Pacific/Chatham',
  'America/Santiago',
  'Pacific/Kiritimati',
];
const zone = fc.constantFrom(...zones);
const instant = fc
  .integer({ min: Date.UTC(2020, 0) / 60_000, max: Date.UTC(2035, 0) / 60_000 })
  .map((minutes) => new Date(minutes * 60_000));
const day = 24 * 60;
const days = fc.integer({ min: -400, max: 400 });

describe('times in the user’s time zone', () => {
  const preferences = { zone: 'Europe/Berlin', locale: 'en-GB', weekStart: 1 } as const;

  test('a wall clock time resolves to its instant, or to the first of two when repeated', () => {
    fc.assert(
      fc.property(instant, zone, (at, where) => {
        const { at: found, kind } = resolveTime(dateKeyOf(at, where), clockOf(at, where), where);
        expect(kind).not.toBe('skipped');
        if (kind === 'exact') expect(found).toEqual(at);
        expect(found.getTime()).toBeLessThanOrEqual(at.getTime());
        expect(clockOf(found, where)).toBe(clockOf(at, where));
      }),
    );
  });

  test('a move by days keeps the time of day, unless clocks skip it', () => {
    fc.assert(
      fc.property(instant, days, zone, (at, count, where) => {
        const moved = moveDays(at, count, where);
        expect(dateKeyOf(moved, where)).toBe(addDays(dateKeyOf(at, where), count));
        const { kind } = resolveTime(dateKeyOf(moved, where), clockOf(at, where), where);
        if (kind !== 'skipped') expect(clockOf(moved, where)).toBe(clockOf(at, where));
      }),
    );
  });

  test('a move by days is a whole number of minutes and reversible', () => {
    fc.assert(
      fc.property(instant, fc.integer({ min: 0, max: 59_999 }), days, (minute, ms, count) => {
        const at = new Date(minute.getTime() + ms);
        const moved = moveDays(at, count, 'Asia/Kolkata');
        expect(Math.abs(moved.getTime() - at.getTime()) % 60_000).toBe(0);
        expect(moveDays(moved, -count, 'Asia/Kolkata')).toEqual(at);
      }),
    );
  });

  test('a move by hours is exact across clock changes', () => {
    fc.assert(
      fc.property(instant, fc.integer({ min: -100, max: 100 }), (at, count) => {
        expect(moveHours(at, count).getTime() - at.getTime()).toBe(count * 3_600_000);
      }),
    );
  });

  test('the hours of a day are consecutive and all belong to it', () => {
    fc.assert(
      fc.property(instant, zone, (at, where) => {
        const date = dateKeyOf(at, where);
        const hours = hoursOf(date, where);
        expect(hours.length).toBeGreaterThanOrEqual(23);
        expect(hours.length).toBeLessThanOrEqual(25);
        for (const hour of hours) expect(dateKeyOf(hour, where)).toBe(date);
        expect(hours[0]).toEqual(startOfDay(date, where));
      }),
    );
  });

  test('a week starts on its first day, at most six days before the date', () => {
    fc.assert(
      fc.property(instant, fc.constantFrom(0, 1, 6), (at, weekStart) => {
        const date = dateKeyOf(at, 'UTC');
        const start = startOfWeek(date, weekStart);
        expect(weekdayOf(start)).toBe(weekStart);
        expect([0, 1, 2, 3, 4, 5, 6].map((count) => addDays(start, count))).toContain(date);
      }),
    );
  });

  test('clocks that move forward skip an hour', () => {
    expect(resolveTime('2027-03-28', '02:30', 'Europe/Berlin')).toEqual({
      at: new Date('2027-03-28T01:30:00Z'),
      kind: 'skipped',
    });
    expect(hoursOf('2027-03-28', 'Europe/Berlin')).toHaveLength(23);
    expect(moveDays(new Date('2027-03-27T08:00:00Z'), 1, 'Europe/Berlin')).toEqual(new Date('2027-03-28T07:00:00Z'));
  });

  test('clocks that move back repeat an hour', () => {
    expect(resolveTime('2026-11-01', '01:30', 'America/New_York')).toEqual({
      at: new Date('2026-11-01T05:30:00Z'),
      kind: 'repeated',
    });
    expect(hoursOf('2026-11-01', 'America/New_York')).toHaveLength(25);
  });

  test('a day starts after midnight where clocks skip midnight', () => {
    expect(startOfDay('2027-04-30', 'Africa/Cairo')).toEqual(instantOf('2027-04-30', '01:00', 'Africa/Cairo'));
  });

  test('adding a month clamps to the last day of a shorter month', () => {
    expect(addMonths('2027-01-31', 1)).toBe('2027-02-28');
    expect(addMonths('2027-01-15', -1)).toBe('2026-12-15');
    expect(addMonths('2028-03-31', -1)).toBe('2028-02-29');
  });

  test('are formatted with 12 and 24 hours', () => {
    const at = '2027-03-04T13:05:00Z';
    expect(formatTime(at, { ...preferences, hour12: false })).toBe('14:05');
    expect(formatTime(at, { ...preferences, hour12: false }, '2-digit')).toMatch(/^14:05:\d\d$/);
    expect(formatTime(at, { ...preferences, hour12: true })).toMatch(/^2:05\spm$/);
    expect(formatTime('2027-03-04T08:05:00Z', preferences)).toBe('09:05');
    expect(formatTime('2027-03-03T23:05:00Z', { ...preferences, locale: 'en-US', hour12: false })).toBe('00:05');
    expect(formatDateTime(at, preferences, new Date('2027-01-01'))).toMatch(/^Thu 4 Mar, 14:05$/);
    expect(formatDateTime(at, preferences, new Date('2026-01-01'))).toMatch(/^Thu 4 Mar 2027, 14:05$/);
  });

  test('are formatted relative to now', () => {
    const now = new Date('2027-03-04T12:00:00Z');
    expect(formatRelative('2027-03-04T14:00:00Z', preferences, now)).toBe('in 2 hours');
    expect(formatRelative('2027-03-03T12:00:00Z', preferences, now)).toBe('yesterday');
    expect(formatRelative('2027-03-04T11:59:40Z', preferences, now)).toBe('now');
    expect(formatRelative('2027-03-04T12:00:40Z', preferences, now)).toBe('now');
    // 22:00 in Berlin: the day after tomorrow is more than a day and less than two away.
    const evening = new Date('2027-03-04T21:00:00Z');
    expect(formatRelative('2027-03-06T08:00:00Z', preferences, evening)).toBe('in 2 days');
    expect(formatRelative('2027-03-05T22:30:00Z', preferences, evening)).toBe('tomorrow');
    expect(formatRelative('2027-03-05T23:30:00Z', preferences, evening)).toBe('in 2 days');
    expect(formatRelative('2027-03-17T21:00:00Z', preferences, evening)).toBe('in 2 weeks');
  });

  test.each([
    [89, 'in 1 hour', '1 hour ago'],
    [119, 'in 2 hours', '2 hours ago'],
    [59.6, 'in 1 hour', '1 hour ago'],
    [1.5, 'in 2 minutes', '2 minutes ago'],
    [23.6 * 60, 'tomorrow', 'yesterday'],
    [6 * day, 'in 6 days', '6 days ago'],
    [11 * day, 'in 2 weeks', '2 weeks ago'],
    [30 * day, 'in 4 weeks', '4 weeks ago'],
    [33 * day, 'in 1 month', '1 month ago'],
    [90 * day, 'in 3 months', '3 months ago'],
    [360 * day, 'in 1 year', '1 year ago'],
    [600 * day, 'in 2 years', '2 years ago'],
  ])('%d minutes are rounded to "%s" and "%s"', (minutes, later, earlier) => {
    const now = new Date('2027-03-04T12:00:00Z');
    const shift = (by: number) => formatRelative(now.getTime() + by * 60_000, preferences, now);
    expect([shift(minutes), shift(-minutes)]).toEqual([later, earlier]);
  });
});
