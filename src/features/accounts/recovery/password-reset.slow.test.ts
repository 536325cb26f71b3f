import { afterAll, beforeAll, expect, test } from 'vitest';
import { queuedMails } from '../../../../test/support/service/queued-mail.ts';
import { type AccountsStage, accountsStage } from '../../../../test/support/stages/accounts.ts';

let stage: AccountsStage;
beforeAll(async () => {
  stage = await accountsStage();
});
afterAll(() => stage.close());

test('a forgotten password is answered alike, in about the same time, for an address without an account, which gets no mail', async () => {
  const { email } = await stage.aUser();
  const timed = async (address: string) => {
    const start = performance.now();
    const { statusCode, body, headers } = await stage.post('password/forgot', { email: address });
    const { 'x-request-id': _id, date: _date, ...rest } = headers;
    return { ms: performance.now() - start, answer: [statusCode, body, rest] };
  };
  const known = [await timed(email), await timed(email), await timed(email)];
  const unknown = [await timed('no@example.com'), await timed('no@example.com'), await timed('no@example.com')];
  expect(new Set([...known, ...unknown].map(({ answer }) => JSON.stringify(answer))).size).toBe(1);
  const fastest = (all: { ms: number }[]) => Math.min(...all.map(({ ms }) => ms));
  // Every response is delayed by 150 ms, and the work for a known address is done by then.
  expect(fastest(unknown)).toBeGreaterThan(140);
  expect(Math.abs(fastest(known) - fastest(unknown))).toBeLessThan(100);
  expect(await queuedMails(stage.app, 'no@example.com', 'reset_password')).toEqual([]);
});
