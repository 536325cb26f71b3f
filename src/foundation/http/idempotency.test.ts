import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../test/support/service/app.ts';
import { insertTestUser } from '../../../test/support/service/user.ts';
import { type ClaimedKey, once, storeAnswer } from './idempotency.ts';

let stage: TestApp;
let userId: string;
beforeAll(async () => {
  stage = await testApp();
  ({ id: userId } = await insertTestUser(stage.app, { email: 'ada@crier.test', plan: 'pro' }));
});
afterAll(() => stage.close());

const aRequest = () => ({ userId, key: randomUUID(), resource: 'create-post', body: {} });

/**
 * Ends our connections. As during a failover, new ones reach a server that rejects writes, until it accepts them again.
 */
const failOver = (phase: 'begins' | 'ends') =>
  stage.database.pool.query(`
    do $$ begin
      execute format('alter database %I set default_transaction_read_only = ${phase === 'begins' ? 'on' : 'off'}', current_database());
      perform pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid();
    end $$`);

test('the key of a request that a fail-over ended can be used as soon as the database is back', async () => {
  const request = aRequest();
  const effect = async () => {
    await failOver('begins');
    throw new Error('The connection was lost.');
  };
  await expect(once(stage.app, request, effect)).rejects.toThrow('The connection was lost.');
  await failOver('ends');
  const again = () => once(stage.app, request, async () => ({ is: 'done' }));
  await expect.poll(() => again().catch(({ message }: Error) => message), { timeout: 20_000 }).toEqual({ is: 'done' });
});

test('an effect that was committed keeps its key and its answer, although the fail-over hid its outcome', async () => {
  const request = aRequest();
  const effect = async (claimedKey: ClaimedKey | null) => {
    await storeAnswer(claimedKey!, sql`'{"was":"first"}'::jsonb`).execute(stage.app.db);
    await failOver('begins');
    throw new Error('The connection was lost.');
  };
  await expect(once(stage.app, request, effect)).rejects.toThrow('The connection was lost.');
  await failOver('ends');
  const again = () => once(stage.app, request, async () => ({ was: 'second' }));
  await expect
    .poll(() => again().catch(({ message }: Error) => message), { timeout: 20_000 })
    .toEqual({ was: 'first' });
});
