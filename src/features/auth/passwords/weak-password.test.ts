import { describe, expect, test } from 'vitest';
import { requireStrongPassword } from './weak-password.ts';

const refusal = (password: string, email = 'ada.lovelace@example.com') =>
  requireStrongPassword(password, email).then(
    () => null,
    (error: { key: string; body: { message: string } }) => [error.key, error.body.message],
  );

const common = 'It is on a list of common passwords, possibly with digits added.';
const own = 'It must not be your email address, its first part, or the name of this service.';
const run = 'It repeats a pattern, or counts up or down.';

describe('a password that is easy to guess is refused, with the reason', () => {
  test.each([
    ['sunshine', common],
    ['SunShine', common],
    ['sunshine1!', common],
    ['Dragon2024', common],
    ['p@ssw0rd', common],
    ['ada.lovelace@example.com', own],
    ['Ada.Lovelace', own],
    ['ada.lovelace99', own],
    ['crier123', own],
    ['aaaaaaaaaa', run],
    ['abcabcabc', run],
    ['23456789', run],
    ['hgfedcba', run],
    ['🙂🙂🙂🙂🙂🙂🙂🙂', run],
  ])('%s', async (password, reason) => {
    expect(await refusal(password)).toEqual(['weak_password', reason]);
  });
});

test.each([
  'correct horse',
  'long enough',
  'sunshine over the hills',
  'dragon20242025',
  'a"sunshine"b',
  '","password","',
])('%s is accepted', async (password) => {
  expect(await refusal(password)).toBeNull();
});

test('a password of 128 characters is checked within a few milliseconds', async () => {
  await refusal('warm up the list');
  const start = performance.now();
  for (let time = 0; time < 20; time += 1) await refusal(`${'ab'.repeat(63)}x${time}`);
  expect((performance.now() - start) / 20).toBeLessThan(20);
});
