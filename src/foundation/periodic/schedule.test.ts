import { expect, test } from 'vitest';
import { daily, everyMinute, hourly, type Schedule } from './schedule.ts';

test.for<[name: string, schedule: Schedule, after: string, next: string]>([
  ['every minute', everyMinute, '2027-03-04T05:06:07.089Z', '2027-03-04T05:07:00Z'],
  ['every minute, at the minute itself', everyMinute, '2027-03-04T05:06:00Z', '2027-03-04T05:07:00Z'],
  ['hourly, later in the hour', hourly(23), '2027-03-04T05:06:07Z', '2027-03-04T05:23:00Z'],
  ['hourly, in the next hour', hourly(23), '2027-03-04T05:23:00Z', '2027-03-04T06:23:00Z'],
  ['daily, later in the day', daily('03:17'), '2027-03-04T03:16:59.999Z', '2027-03-04T03:17:00Z'],
  ['daily, on the next day', daily('03:17'), '2027-02-28T03:17:00Z', '2027-03-01T03:17:00Z'],
])('%s', ([, schedule, after, next]) => {
  expect(schedule(new Date(after))).toEqual(new Date(next));
});
