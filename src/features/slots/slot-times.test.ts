import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { localTime, type Slot, slotTimes, timeZoneNamed } from './slot-times.ts';

const slot = (weekday: number, time: string): Slot => ({ weekday, time, platformId: null });
const timesOf = (timeZone: string, slots: readonly Slot[], after: string, count: number) =>
  slotTimes(timeZone, slots, new Date(after))
    .take(count)
    .map((time) => time.toISOString().replace(':00.000Z', 'Z'))
    .toArray();
const everyDay = (time: string) => [1, 2, 3, 4, 5, 6, 7].map((weekday) => slot(weekday, time));

describe('the times of slots', () => {
  test('come in order, each after the moment that was asked for', () => {
    const slots = [slot(5, '17:00'), slot(1, '09:30'), slot(5, '08:00')];
    // 2027-03-04 is a Thursday.
    expect(timesOf('UTC', slots, '2027-03-04T12:00:00Z', 4)).toEqual([
      '2027-03-05T08:00Z',
      '2027-03-05T17:00Z',
      '2027-03-08T09:30Z',
      '2027-03-12T08:00Z',
    ]);
    expect(timesOf('UTC', slots, '2027-03-05T08:00:00Z', 1)).toEqual(['2027-03-05T17:00Z']);
    expect(timesOf('UTC', slots, '2027-03-05T07:59:59.999Z', 1)).toEqual(['2027-03-05T08:00Z']);
  });

  test('are those of the zone, in which the day may be another one', () => {
    // In Auckland, it is already Friday.
    expect(timesOf('Pacific/Auckland', [slot(5, '06:00')], '2027-03-04T12:00:00Z', 1)).toEqual(['2027-03-04T17:00Z']);
    expect(timesOf('America/Los_Angeles', [slot(4, '23:00')], '2027-03-05T01:00:00Z', 1)).toEqual([
      '2027-03-05T07:00Z',
    ]);
  });

  test('in a gap are at its end', () => {
    // In Berlin, clocks go from 2:00 to 3:00 on 28 March 2027.
    expect(timesOf('Europe/Berlin', everyDay('02:30'), '2027-03-27T00:00:00Z', 3)).toEqual([
      '2027-03-27T01:30Z',
      '2027-03-28T01:00Z',
      '2027-03-29T00:30Z',
    ]);
    const both = [...everyDay('02:30'), ...everyDay('03:00'), ...everyDay('02:00')];
    expect(timesOf('Europe/Berlin', both, '2027-03-28T00:00:00Z', 2)).toEqual([
      '2027-03-28T01:00Z',
      '2027-03-29T00:00Z',
    ]);
  });

  test('that clocks show twice happen once, the first time', () => {
    // In New York, clocks go from 2:00 back to 1:00 on 7 November 2027.
    expect(timesOf('America/New_York', everyDay('01:30'), '2027-11-06T12:00:00Z', 2)).toEqual([
      '2027-11-07T05:30Z',
      '2027-11-08T06:30Z',
    ]);
    expect(timesOf('America/New_York', everyDay('01:30'), '2027-11-07T05:45:00Z', 1)).toEqual(['2027-11-08T06:30Z']);
  });

  test('of a day that a zone skips are at the begin of the next', () => {
    // Samoa had no 30 December 2011.
    expect(timesOf('Pacific/Apia', [slot(5, '09:30')], '2011-12-29T00:00:00Z', 1)).toEqual(['2011-12-30T10:00Z']);
  });

  const zones = Intl.supportedValuesOf('timeZone');
  test('are right in every zone and year: in order, once for each day, and as clocks show them unless they skip it', () => {
    const times = fc.tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }));
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.date({ min: new Date('1995-01-01'), max: new Date('2050-01-01'), noInvalidDate: true }),
        times,
        (timeZone, after, [hour, minute]) => {
          const time = `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
          const moments = slotTimes(timeZone, everyDay(time), after).take(400).toArray();
          expect(moments[0]!.getTime()).toBeGreaterThan(after.getTime());
          for (const [index, moment] of moments.entries()) {
            const before = moments[index - 1];
            if (before) expect(moment.getTime() - before.getTime()).toBeGreaterThan(0);
            // No day is skipped, and none is longer than two days.
            if (before) expect(moment.getTime() - before.getTime()).toBeLessThanOrEqual(49 * 3_600_000);
            const shown = Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO(timeZone);
            if (shown.toPlainTime().toString() === `${time}:00`) continue;
            // Just before a gap, clocks show an earlier time than the slot; just after it, a later one.
            const justBefore = shown.subtract({ nanoseconds: 1 });
            expect(justBefore.offsetNanoseconds).toBeLessThan(shown.offsetNanoseconds);
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

test('a local time has the offset of its zone', () => {
  expect(localTime('Europe/Berlin', new Date('2027-03-04T08:30:00Z'))).toBe('2027-03-04T09:30:00+01:00');
  expect(localTime('UTC', new Date('2027-03-04T08:30:00Z'))).toBe('2027-03-04T08:30:00+00:00');
});

test.for(['', 'Mars', 'Europe', '\0', 'Europe/Berlin; drop'])('%j is no time zone', (name) => {
  expect(timeZoneNamed(name)).toBeNull();
});
test('a time zone keeps its usual name', () => {
  expect([timeZoneNamed('europe/berlin'), timeZoneNamed('UTC')]).toEqual(['Europe/Berlin', 'UTC']);
});
