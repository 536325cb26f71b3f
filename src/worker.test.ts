import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp, testClock } from '../test/support/app.ts';
import { periodicTasks } from './worker.ts';

const clock = testClock('2027-06-01T00:00:00.000Z');
let running: TestApp;
beforeAll(async () => {
  running = await testApp({ clock });
});
afterAll(() => running.close());

const daysAgo = (days: number) => new Date(clock.now().getTime() - days * 86_400_000);

test('the periodic tasks delete what has expired, and nothing else', async () => {
  const { app, database } = running;
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
    const expiresAt = daysAgo(name === 'old' ? 1 : -1);
    const hash = (name === 'old' ? 'a' : 'b').repeat(64);
    await pool.query(
      `insert into auth_sessions (id, user_id, token, expires_at, created_at) values
        ($1, 'u', $2, now() + interval '1 day', $3), ($1 || ' expired', 'u', $4, now() - interval '1 day', $3)`,
      [name, hash, daysAgo(name === 'old' ? 30 : 29), hash.replaceAll(/./g, name === 'old' ? 'c' : 'd')],
    );
    await pool.query(
      "insert into oauth_flows (state_hash, user_id, platform, secrets, expires_at) values (decode($1, 'hex'), 'u', $2, '', $3)",
      [hash, name, expiresAt],
    );
    await pool.query(
      "insert into account_choices (id, user_id, platform, grants, expires_at) values ($1, 'u', 'x', '', $2)",
      [name, expiresAt],
    );
  }
  for (const task of periodicTasks(app)) await task.run(new AbortController().signal);
  const left = async (table: string, column: string) =>
    (await pool.query(`select ${column} as name from ${table}`)).rows;
  expect(await left('idempotency_keys', 'key')).toEqual([{ name: 'new' }]);
  expect(await left('post_logs', 'id')).toEqual([{ name: 'new' }]);
  expect(await left('auth_sessions', 'id')).toEqual([{ name: 'new' }]);
  expect(await left('oauth_flows', 'platform')).toEqual([{ name: 'new' }]);
  expect(await left('account_choices', 'id')).toEqual([{ name: 'new' }]);
});

test('the names of the periodic tasks are unique', () => {
  const names = periodicTasks(running.app).map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
