import { expect, test } from 'vitest';
import { suggestTimes } from './usual-times.ts';

const now = new Date('2026-11-19T10:00:00Z');
const tomorrow = { date: '2026-11-20', time: '09:00', isUsual: false };
const at = (clock: string, days: readonly number[]) => days.map((day) => `2026-11-0${day}T${clock}:00Z`);

test('a person without posts gets no invented times', () => {
  expect(suggestTimes([], now, 'UTC')).toEqual([tomorrow]);
  expect(suggestTimes(at('12:00', [1, 2]), now, 'UTC')).toEqual([tomorrow]);
});

test('the times of the day at which posts usually go out are suggested for the next day that has them', () => {
  const posted = [...at('16:40', [1, 2, 3, 4]), ...at('07:05', [1, 2, 3]), ...at('08:00', [5, 6])];
  expect(suggestTimes(posted, now, 'UTC')).toEqual([
    tomorrow,
    { date: '2026-11-19', time: '16:30', isUsual: true },
    { date: '2026-11-20', time: '07:00', isUsual: true },
  ]);
  expect(suggestTimes(at('08:10', [1, 2, 3]), now, 'Europe/Berlin')).toEqual([tomorrow]);
});
