import { expect, test } from 'vitest';
import { claimedRun } from '../../../../test/support/publishing/publish-due.ts';
import { publishingStage } from '../../../../test/support/stages/publishing.ts';
import type { Json } from '../../../foundation/lib/json.ts';
import { ClaimLostError } from './step-store.ts';

const { service, ada, query } = publishingStage();

test('a run whose post another has taken over neither begins nor repeats a step', async () => {
  const { id, steps } = await claimedRun(service().app, ada());
  await steps.begin('send', true);
  await query(`update platform_posts set claim_token = 'another' where id = $1`, [id]);
  await expect(steps.begin('comment', true)).rejects.toThrow(ClaimLostError);
  await expect(steps.markResent('send')).rejects.toThrow(ClaimLostError);
  await expect(steps.discard('send')).rejects.toThrow(ClaimLostError);
  await expect(steps.adopt('send', { posts: [{ id: '1' }], doubtful: [], inconclusive: null }, 0)).rejects.toThrow(
    ClaimLostError,
  );
});

test('of posts that are alike, the only one without an owner is taken', async () => {
  const { steps } = await claimedRun(service().app, ada());
  await steps.begin('other', true);
  await steps.begin('send', true);
  const [one, other] = [{ id: 'one' }, { id: 'other' }];
  const adopt = (posts: Json[]) =>
    steps.adopt<Json>('send', { posts, doubtful: [], inconclusive: null, areAlike: true }, 0);
  expect(await adopt([other, one])).toMatchObject({ result: null, isDoubtful: true });
  await steps.finish('other', other, false);
  expect(await adopt([other, one])).toMatchObject({ result: one, isDoubtful: false });
});

test('a step that was begun says how long its request may be in flight, until it has arrived', async () => {
  const { steps } = await claimedRun(service().app, ada());
  const longestMs = 1.5 * service().app.platformAccess.timeoutMs;
  expect(await steps.begin('send', true)).toBe('new');
  const begun = await steps.begin('send', true);
  expect(begun).toMatchObject({ ended: false, msInFlight: expect.any(Number) });
  const { msInFlight } = begun as { msInFlight: number };
  expect(msInFlight).toBeGreaterThan(longestMs - 5_000);
  expect(msInFlight).toBeLessThanOrEqual(longestMs);
  await steps.markArrived('send');
  expect(await steps.begin('send', true)).toMatchObject({ ended: false, msInFlight: 0 });
});
