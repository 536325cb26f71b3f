import { expect, test } from 'vitest';
import { testClock } from '../../test/support/app.ts';
import { rememberFor } from './remember-for.ts';

/** Somebody who is asked, and answers how often that was so far. */
function anOracle() {
  let asked = 0;
  return {
    asked: () => asked,
    ask: async () => {
      asked += 1;
      return asked;
    },
  };
}

test('an answer is good until its time is over, and not a moment longer', async () => {
  const clock = testClock();
  const [remembered, { ask }] = [rememberFor<number>(300_000), anOracle()];
  expect(await remembered(clock, 'a', ask)).toBe(1);
  clock.advance({ seconds: 299.999 });
  expect(await remembered(clock, 'a', ask)).toBe(1);
  clock.advance({ seconds: 0.001 });
  expect(await remembered(clock, 'a', ask)).toBe(2);
});

test('its time counts from the question, however long the answer takes', async () => {
  const clock = testClock();
  const [remembered, { ask }] = [rememberFor<number>(300_000), anOracle()];
  const slow = Promise.withResolvers<void>();
  const first = remembered(clock, 'a', () => slow.promise.then(ask));
  clock.advance({ seconds: 200 });
  slow.resolve();
  expect(await first).toBe(1);
  clock.advance({ seconds: 100 });
  expect(await remembered(clock, 'a', ask)).toBe(2);
});

test('each key has its own answer', async () => {
  const clock = testClock();
  const [remembered, { ask }] = [rememberFor<number>(300_000), anOracle()];
  const answers = [await remembered(clock, 'a', ask), await remembered(clock, 'b', ask)];
  expect([...answers, await remembered(clock, 'a', ask)]).toEqual([1, 2, 1]);
});

test('however many ask at once, the question goes out once', async () => {
  const clock = testClock();
  const [remembered, { ask, asked }] = [rememberFor<number>(300_000), anOracle()];
  const answers = await Promise.all(Array.from({ length: 10 }, () => remembered(clock, 'a', ask)));
  expect([answers, asked()]).toEqual([Array(10).fill(1), 1]);
});

test('a failure goes to all who wait for it, and the next one asks again', async () => {
  const clock = testClock();
  const [remembered, { ask }] = [rememberFor<number>(300_000), anOracle()];
  const fail = () => Promise.reject(new Error('No answer'));
  const outcomes = await Promise.allSettled([remembered(clock, 'a', fail), remembered(clock, 'a', ask)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await remembered(clock, 'a', ask)).toBe(1);
});

test('a failure that comes late leaves a newer answer alone', async () => {
  const clock = testClock();
  const [remembered, { ask }] = [rememberFor<number>(300_000), anOracle()];
  const slow = Promise.withResolvers<number>();
  const first = remembered(clock, 'a', () => slow.promise);
  clock.advance({ seconds: 300 });
  expect(await remembered(clock, 'a', ask)).toBe(1);
  slow.reject(new Error('No answer'));
  await expect(first).rejects.toThrow('No answer');
  expect(await remembered(clock, 'a', ask)).toBe(1);
});
