import { expect, test } from 'vitest';
import { recent } from './recent.ts';

/** Makes what it is asked for, and knows how often it did. */
function counting(max: number) {
  const recently = recent<{ key: string }>(max);
  const made: string[] = [];
  const get = (key: string) =>
    recently(key, () => {
      made.push(key);
      return { key };
    });
  return { get, made };
}

test('what was made once is given again', () => {
  const { get, made } = counting(2);
  expect(get('a')).toBe(get('a'));
  expect(made).toEqual(['a']);
});

test('when there is no room, what was not used for longest is forgotten', () => {
  const { get, made } = counting(2);
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) get(key);
  expect(made).toEqual(['a', 'b', 'c', 'b']);
});

test('what could not be made is tried again', () => {
  const recently = recent<string>(2);
  const fail = () => {
    throw new Error('no');
  };
  expect(() => recently('a', fail)).toThrow('no');
  expect(recently('a', () => 'made')).toBe('made');
});
