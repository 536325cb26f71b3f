import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../../test/support/eventually.ts';
import { claimedRun } from '../../../../test/support/publishing/publish-due.ts';
import { type TestService, type TestUser, testService } from '../../../../test/support/service/service.ts';
import { ClaimLostError, type deferredStepStore } from './step-store.ts';

let service: TestService;
let ada: TestUser;

beforeAll(async () => {
  service = await testService();
  ada = await service.aUser();
});
afterAll(() => service.close());

const aRun = () => claimedRun(service.app, ada);

/** Blocks the event loop, simulating a suspended process. */
const standStill = (ms: number) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** Begins a step and blocks the process between the database's response and the moment it is read. */
async function beginAndStandStill(id: string, steps: ReturnType<typeof deferredStepStore>, meanwhile: string) {
  const { pool } = service.database;
  const others = await pool.connect();
  try {
    // The row is locked until the process blocks, so the response cannot arrive earlier.
    await others.query(`begin; select from platform_posts where id = '${id}' for update`);
    const answer = steps.begin('send', true).catch((error: unknown) => error);
    await eventually(async () => {
      const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and now() - query_start > '200 ms'`;
      expect((await pool.query(waiting)).rows).toHaveLength(1);
    });
    const happening = others.query(
      `select pg_sleep(0.5); commit; select pg_sleep(0.2); ${meanwhile} where id = '${id}'`,
    );
    for (let turn = 0; turn < 5; turn += 1) await setImmediate();
    standStill(3_500);
    await happening;
    return await answer;
  } finally {
    others.release();
  }
}

test('a process that was suspended sends nothing if another has taken over the post', async () => {
  const { id, steps } = await aRun();
  const taken = "update platform_posts set claim_token = 'another'";
  expect(await beginAndStandStill(id, steps, taken)).toBeInstanceOf(ClaimLostError);
});

test('a process that was suspended continues if it still has the claim', async () => {
  const { id, steps } = await aRun();
  expect(await beginAndStandStill(id, steps, 'update platform_posts set updated_at = now()')).toBe('new');
});

test('others wait for the request of a suspended process from the time at which it leaves', async () => {
  const { id, steps } = await aRun();
  await beginAndStandStill(id, steps, 'update platform_posts set updated_at = clock_timestamp()');
  const { rows } = await service.database.pool.query(
    `select last_sent_at > updated_at as "isLater" from publish_steps join platform_posts on id = platform_post_id
    where id = $1`,
    [id],
  );
  expect(rows).toEqual([{ isLater: true }]);
});
