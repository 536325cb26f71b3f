import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dayIn, later, showTime, timeIn, timeZoneOf } from './time-zone.ts';
import { absoluteTime, parseTime, TimeError } from './times.ts';

const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Apia'];
const aZone = fc.constantFrom(...zones);
const aMoment = fc.date({ min: new Date('2025-01-01'), max: new Date('2035-01-01'), noInvalidDate: true });

// A Monday.
const now = new Date('2026-11-16T10:00:00Z');
const at = (text: string, timeZone = 'Europe/Berlin') => parseTime(text, { now, timeZone }).toISOString();

describe('times that people write', () => {
  test.each([
    ['tomorrow 9:00', '2026-11-17T08:00:00.000Z'],
    ['Tomorrow at 9am', '2026-11-17T08:00:00.000Z'],
    ['today 18:30', '2026-11-16T17:30:00.000Z'],
    ['18:30', '2026-11-16T17:30:00.000Z'],
    ['9:00', '2026-11-17T08:00:00.000Z'],
    ['friday 14:00', '2026-11-20T13:00:00.000Z'],
    ['next fri 2pm', '2026-11-20T13:00:00.000Z'],
    ['monday 12:00', '2026-11-16T11:00:00.000Z'],
    ['monday 9:00', '2026-11-23T08:00:00.000Z'],
    ['sunday noon', '2026-11-22T11:00:00.000Z'],
    ['tomorrow midnight', '2026-11-16T23:00:00.000Z'],
    ['tomorrow 12am', '2026-11-16T23:00:00.000Z'],
    ['tomorrow 12:15 pm', '2026-11-17T11:15:00.000Z'],
    ['in 2 hours', '2026-11-16T12:00:00.000Z'],
    ['in an hour', '2026-11-16T11:00:00.000Z'],
    ['in 1 day and 30 minutes', '2026-11-17T10:30:00.000Z'],
    ['+30m', '2026-11-16T10:30:00.000Z'],
    ['+1h30m', '2026-11-16T11:30:00.000Z'],
    ['+2w', '2026-11-30T10:00:00.000Z'],
    ['2026-11-20 09:00', '2026-11-20T08:00:00.000Z'],
    ['2026-11-20T09:00', '2026-11-20T08:00:00.000Z'],
    ['2026-11-20T09:00:00Z', '2026-11-20T09:00:00.000Z'],
    ['2026-11-20T09:00:00.000+05:30', '2026-11-20T03:30:00.000Z'],
  ])('%s', (text, expected) => {
    expect(at(text)).toBe(expected);
  });

  test.each([
    '',
    'soon',
    'friday',
    '9',
    '25:00',
    'tomorrow 9',
    'in 2 moons',
    '+',
    '2026-02-30 09:00',
    '13pm',
    'mo 9:00',
  ])('"%s" is refused with examples', (text) => {
    expect(() => at(text)).toThrow(TimeError);
    expect(() => at(text)).toThrow('tomorrow 9:00');
  });
});

describe('when clocks change', () => {
  test('a time that is skipped is later, one that comes twice is the first', () => {
    expect(at('2027-03-28 02:30')).toBe('2027-03-28T01:30:00.000Z');
    expect(at('2027-10-31 02:30')).toBe('2027-10-31T00:30:00.000Z');
  });

  test('a day later is the same time on the clock, 24 hours later is not', () => {
    const before = { now: new Date('2027-03-27T12:00:00Z'), timeZone: 'Europe/Berlin' };
    expect(parseTime('in 1 day', before).toISOString()).toBe('2027-03-28T11:00:00.000Z');
    expect(parseTime('in 24 hours', before).toISOString()).toBe('2027-03-28T12:00:00.000Z');
  });

  test('what a clock shows leads back to a moment at which it shows that', () => {
    fc.assert(
      fc.property(aMoment, aZone, (time, zone) => {
        const same = later(zone, time, 0);
        expect(showTime(zone, same.toISOString())).toBe(showTime(zone, time.toISOString()));
        // If the hour occurs twice, the first one counts.
        expect([0, 1_800_000, 3_600_000]).toContain(Math.floor(time.getTime() / 1000) * 1000 - same.getTime());
      }),
    );
  });

  test('tomorrow is the day after today, in every zone and at every moment', () => {
    fc.assert(
      fc.property(aMoment, aZone, fc.integer({ min: 4, max: 23 }), (time, zone, hour) => {
        const found = parseTime(`tomorrow ${hour}:00`, { now: time, timeZone: zone });
        const [today, tomorrow] = [dayIn(zone, time), dayIn(zone, found)];
        const days =
          Date.UTC(tomorrow.year, tomorrow.month - 1, tomorrow.day) - Date.UTC(today.year, today.month - 1, today.day);
        expect(days).toBe(86_400_000);
        expect(showTime(zone, found.toISOString())).toContain(`${String(hour).padStart(2, '0')}:00`);
      }),
    );
  });

  test('weekdays and times of day lie ahead, at most a week', () => {
    fc.assert(
      fc.property(aMoment, aZone, fc.constantFrom('monday ', 'sat ', ''), (time, zone, day) => {
        const found = parseTime(`${day}14:00`, { now: time, timeZone: zone }).getTime() - time.getTime();
        expect(found).toBeGreaterThan(0);
        expect(found).toBeLessThanOrEqual(7 * 86_400_000 + 3_600_000);
      }),
    );
  });
});

test('a time with an offset means the same everywhere', () => {
  fc.assert(
    fc.property(aMoment, aZone, (time, timeZone) => {
      expect(absoluteTime(time.toISOString(), { timeZone })?.getTime()).toBe(Math.floor(time.getTime() / 1000) * 1000);
    }),
  );
});

test('no text makes it fail otherwise than by a TimeError', () => {
  const words = fc.constantFrom(
    'in',
    '+',
    'a',
    'next',
    'friday',
    '9:00',
    'am',
    '2',
    'days',
    '999999w',
    '-',
    '2026-01-01',
  );
  fc.assert(
    fc.property(fc.array(words, { maxLength: 6 }), fc.string(), (parts, more) => {
      for (const text of [parts.join(' '), parts.join(''), more]) {
        try {
          expect(parseTime(text, { now, timeZone: 'UTC' }).getTime()).not.toBeNaN();
        } catch (error) {
          expect(error).toBeInstanceOf(TimeError);
        }
      }
    }),
  );
});

test('a zone that does not exist is refused', () => {
  expect(timeZoneOf('Mars/Olympus')).toBeNull();
  expect(timeZoneOf('Europe/Berlin')).toBe('Europe/Berlin');
  expect(timeIn('UTC', { year: 2026, month: 1, day: 32 }, { hour: 0, minute: 0, second: 0 }).toISOString()).toBe(
    '2026-02-01T00:00:00.000Z',
  );
});
