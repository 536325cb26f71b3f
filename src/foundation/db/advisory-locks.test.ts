import { expect, test } from 'vitest';
import { advisoryLocks } from './advisory-locks.ts';

test('no two advisory locks have the same key', () => {
  const keys = Object.values(advisoryLocks);
  expect(new Set(keys).size).toBe(keys.length);
});
