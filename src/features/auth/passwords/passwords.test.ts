import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { hashNewPassword, inPasswordTurn } from './passwords.ts';

test.each([
  ['one address', () => '192.0.2.1'],
  ['many addresses of one IPv6 network', (index: number) => `2001:db8::${index + 1}`],
])(
  'the passwords that one caller tries from %s are hashed one after the other, and others do not wait for all of them',
  async (_, addressOf) => {
    const ended: string[] = [];
    let running = 0;
    let most = 0;
    const guess = (_: unknown, index: number) =>
      inPasswordTurn(addressOf(index), async () => {
        running += 1;
        most = Math.max(most, running);
        await sleep(5);
        running -= 1;
        ended.push('guess');
      });
    const guesses = Array.from({ length: 20 }, guess);
    const owner = inPasswordTurn('192.0.2.2', async () => void ended.push('owner'));
    await Promise.all([...guesses, owner]);
    expect(most).toBe(1);
    expect(ended.indexOf('owner')).toBeLessThanOrEqual(2);
  },
);

test('a caller who signs up with many addresses gets one turn, as with one', async () => {
  const ended: string[] = [];
  const release = Promise.withResolvers<void>();
  // Every place is taken until all have requested one.
  const holders = Array.from({ length: availableParallelism() }, (_, index) =>
    inPasswordTurn(`198.51.100.${index}`, () => release.promise),
  );
  const hash = async (name: string, address: string) => {
    await hashNewPassword('copper lantern drifting', `${name}@example.com`, address);
    ended.push(name);
  };
  const many = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => hash(name, '192.0.2.4'));
  await sleep(50);
  const other = hash('other', '192.0.2.5');
  await sleep(50);
  release.resolve();
  await Promise.all([...holders, ...many, other]);
  expect(ended.indexOf('other')).toBeLessThanOrEqual(2);
});

test('a failure gives the turn back', async () => {
  await expect(inPasswordTurn('192.0.2.3', () => Promise.reject(new Error('wrong')))).rejects.toThrow('wrong');
  await expect(inPasswordTurn('192.0.2.3', async () => 'right')).resolves.toBe('right');
});
