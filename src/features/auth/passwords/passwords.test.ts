import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inPasswordTurn } from './passwords.ts';

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

test('a failure gives the turn back', async () => {
  await expect(inPasswordTurn('192.0.2.3', () => Promise.reject(new Error('wrong')))).rejects.toThrow('wrong');
  await expect(inPasswordTurn('192.0.2.3', async () => 'right')).resolves.toBe('right');
});
