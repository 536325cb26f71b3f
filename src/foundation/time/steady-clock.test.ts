import { expect, test } from 'vitest';
import { systemClock } from './clock.ts';
import { steadyClock } from './steady-clock.ts';

/** A timer that stands still until the test moves it. */
function aTimer() {
  let ms = 1_000;
  return {
    read: () => ms,
    move(by: number) {
      ms += by;
    },
  };
}
const later = (date: Date, ms: number) => new Date(date.getTime() + ms);

test('it begins with the time of the system and moves with its own timer', () => {
  const timer = aTimer();
  const clock = steadyClock(timer.read);
  const start = clock.now();
  expect(Math.abs(start.getTime() - systemClock.now().getTime())).toBeLessThan(1_000);
  timer.move(90_000);
  expect(clock.now()).toEqual(later(start, 90_000));
});

test.each([3_600_000, -3_600_000, 300, -300])('it takes over the time of another clock that differs by %i ms', (ms) => {
  const clock = steadyClock(aTimer().read);
  const right = later(clock.now(), ms);
  expect(clock.follow(right, 1_000, 1_000)).toBe(-ms);
  expect(clock.now()).toEqual(right);
});

test('the other clock is taken to have shown its time in the middle of the question', () => {
  const timer = aTimer();
  const clock = steadyClock(timer.read);
  const start = clock.now();
  timer.move(200);
  expect(clock.follow(later(start, 60_100), 1_000, 1_200)).toBe(-60_000);
  expect(clock.now()).toEqual(later(start, 60_200));
});

test.each([
  ['200 ms', 200, 0],
  ['less than the question took', 1_500, 2_000],
])('a difference of %s is left alone', (_name, ms, tookMs) => {
  const timer = aTimer();
  const clock = steadyClock(timer.read);
  timer.move(tookMs);
  const before = clock.now();
  clock.follow(later(before, ms - tookMs / 2), 1_000, 1_000 + tookMs);
  expect(clock.now()).toEqual(before);
});
