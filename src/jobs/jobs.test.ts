import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../test/support/app.ts';
import { forgetOldKeys } from '../http/idempotency.ts';
import { forgetEndedSessions } from '../http/queries.ts';
import { deleteOldLogs } from '../posts/write-queries.ts';
import type { Queue } from './jobs.ts';

let running: TestApp;
beforeAll(async () => {
  running = await testApp();
});
afterAll(() => running.close());

async function until(condition: () => boolean) {
  for (let waited = 0; !condition(); waited += 20) {
    if (waited > 10_000) throw new Error('It did not happen in time.');
    await sleep(20);
  }
}

test('a job exists if and only if the transaction that sent it commits', async () => {
  const { app } = running;
  const queue: Queue<{ n: number }> = { name: 'commit-or-not' };
  const seen: number[] = [];
  await app.jobs.work(queue, async ({ n }) => void seen.push(n));
  await app.db.transaction().execute((tx) => app.jobs.send(tx, queue, [{ data: { n: 1 } }]));
  const failing = app.db.transaction().execute(async (tx) => {
    await app.jobs.send(tx, queue, [{ data: { n: 2 } }]);
    throw new Error('undone');
  });
  await expect(failing).rejects.toThrow('undone');
  await until(() => seen.length === 1);
  await app.db.transaction().execute((tx) => app.jobs.send(tx, queue, [{ data: { n: 3 } }]));
  await until(() => seen.length === 2);
  expect(seen).toEqual([1, 3]);
});

test('a job that throws is tried again', async () => {
  const { app } = running;
  const queue: Queue = { name: 'second-try', options: { retryLimit: 2, retryDelay: 0 } };
  let tries = 0;
  await app.jobs.work(queue, async () => {
    tries += 1;
    if (tries === 1) throw new Error('not yet');
  });
  await app.jobs.send(app.db, queue, [{ data: {} }]);
  await until(() => tries === 2);
  await sleep(200);
  expect(tries).toBe(2);
});

test('closing waits for the job that runs', async () => {
  const second = await testApp({ database: running.database });
  const queue: Queue = { name: 'last-job' };
  let state = 'waiting';
  await second.app.jobs.work(queue, async () => {
    state = 'running';
    await sleep(300);
    state = 'done';
  });
  await second.app.jobs.send(second.app.db, queue, [{ data: {} }]);
  await until(() => state === 'running');
  await second.app.jobs.close(5_000);
  expect(state).toBe('done');
  await second.close();
});

test('the nightly jobs remove what is past its time, and nothing else', async () => {
  const { app, database } = running;
  const now = new Date('2027-06-01T00:00:00Z');
  const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
  const { pool } = database;
  await pool.query("insert into users (id, email, name, plan) values ('u', 'u@example.com', 'U', 'pro')");
  await pool.query(
    "insert into post_groups (id, user_id, content, status, target_count, open_targets) values ('g', 'u', 'x', 'draft', 0, 0)",
  );
  for (const [name, days] of [
    ['old', 2],
    ['new', 0.5],
  ] as const) {
    await pool.query(
      "insert into idempotency_keys (user_id, key, fingerprint, claim_token, claimed_at) values ('u', $1, '', 't', $2)",
      [name, daysAgo(days)],
    );
    await pool.query(
      "insert into post_logs (id, post_group_id, user_id, event, created_at) values ($1, 'g', 'u', 'scheduled', $2)",
      [name, daysAgo(days * 50)],
    );
    await pool.query("insert into auth_sessions (id, user_id, token, expires_at) values ($1, 'u', $2, $3)", [
      name,
      (name === 'old' ? 'a' : 'b').repeat(64),
      daysAgo(name === 'old' ? 1 : -1),
    ]);
  }
  await forgetOldKeys(app.db, now);
  await deleteOldLogs(app.db, daysAgo(90));
  await forgetEndedSessions(app.db, now);
  const left = async (table: string, column: string) =>
    (await pool.query(`select ${column} as name from ${table}`)).rows;
  expect(await left('idempotency_keys', 'key')).toEqual([{ name: 'new' }]);
  expect(await left('post_logs', 'id')).toEqual([{ name: 'new' }]);
  expect(await left('auth_sessions', 'id')).toEqual([{ name: 'new' }]);
});
