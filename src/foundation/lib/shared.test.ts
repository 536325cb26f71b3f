import { expect, test } from 'vitest';
import { createShared } from './shared.ts';

function aShared() {
  const [opened, closed]: [string[], string[]] = [[], []];
  const use = createShared((value: string) => closed.push(value));
  const open = (value: string) => async () => {
    opened.push(value);
    return value;
  };
  return { opened, closed, use, open };
}

test('what several use at the same time is opened once, and closed after its last use', async () => {
  const { opened, closed, use, open } = aShared();
  const uses = await Promise.all([use('a', open('first')), use('a', open('second')), use('b', open('other'))]);
  expect(uses.map(({ value }) => value)).toEqual(['first', 'first', 'other']);
  await uses[0][Symbol.asyncDispose]();
  await uses[0][Symbol.asyncDispose]();
  expect([opened, closed]).toEqual([['first', 'other'], []]);
  await uses[1][Symbol.asyncDispose]();
  expect(closed).toEqual(['first']);
  expect((await use('a', open('third'))).value).toBe('third');
});

test('what could not be opened fails for all who wait for it, and is opened again for the next', async () => {
  const { closed, use, open } = aShared();
  const failing = () => use('a', () => Promise.reject(new Error('Full.')));
  for (const { status } of await Promise.allSettled([failing(), failing()])) expect(status).toBe('rejected');
  const next = await use('a', open('next'));
  await next[Symbol.asyncDispose]();
  expect(closed).toEqual(['next']);
});
