import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestApp, testApp, testClock } from '../../test/support/service/app.ts';
import { readConfig } from '../config/config.ts';
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

/** Target ids start with their creation time. */
const idAt = (days: number, name: string) => daysAgo(days).getTime().toString(16).padStart(12, '0') + name;

async function addEverything(days: number, name: string) {
  const { pool } = running.database;
  const at = daysAgo(days);
  const target = idAt(days + 1, name);
  const group = `insert into post_groups (id, user_id, content, status, target_count, open_targets) values ($1, 'u', 'x', 'published', 0, 0)`;
  await pool.query(group, [name]);
  await pool.query(
    `insert into platform_posts (id, post_group_id, user_id, platform, account_id, position, content, status, posted_id, published_at)
      values ($1, $2, 'u', 'x', 'a', 0, 'x', 'published', 'p', $3)`,
    [target, name, at],
  );
  await pool.query(
    `insert into publish_steps (platform_post_id, name, started_at, ended_at) values ($1, 'publish', $2, $2), ($1, 'upload', $2, $2)`,
    [target, at],
  );
  await pool.query(
    `insert into post_logs (id, post_group_id, user_id, event, created_at) values ($1, $1, 'u', 'scheduled', $2)`,
    [name, at],
  );
  await pool.query(
    `insert into idempotency_keys (user_id, key, fingerprint, claim_token, claimed_at) values ('u', $1, '', 't', $2)`,
    [name, at],
  );
}

describe('what is kept is a setting', () => {
  beforeEach(async () => {
    await running.database.pool.query(
      `truncate users, post_groups, publish_steps, post_logs, idempotency_keys cascade`,
    );
    await running.database.pool.query(
      `insert into users (id, email, name, plan) values ('u', 'u@example.com', 'U', 'pro')`,
    );
    for (const days of [40, 20]) await addEverything(days, `d${days}`);
  });

  async function kept(environment: Record<string, string>) {
    const app = { ...running.app, config: readConfig(environment) };
    for (const task of periodicTasks(app)) await task.run(new AbortController().signal);
    const left = async (table: string, column: string): Promise<string[]> =>
      (
        await running.database.pool.query(`select distinct right(${column}, 3) as name from ${table} order by 1`)
      ).rows.map(({ name }) => name);
    return {
      logs: await left('post_logs', 'id'),
      steps: await left('publish_steps', 'platform_post_id'),
      idempotency: await left('idempotency_keys', 'key'),
    };
  }

  test('with the defaults, keys go after a day and logs after 90, and steps stay', async () => {
    expect(await kept({})).toEqual({ logs: ['d20', 'd40'], steps: ['d20', 'd40'], idempotency: [] });
  });

  test('in days', async () => {
    const environment = { RETENTION_LOGS: '30', RETENTION_STEPS: '30', RETENTION_IDEMPOTENCY: '25' };
    expect(await kept(environment)).toEqual({ logs: ['d20'], steps: ['d20'], idempotency: ['d20'] });
  });

  test('or off', async () => {
    const environment = { RETENTION_LOGS: 'off', RETENTION_STEPS: 'off', RETENTION_IDEMPOTENCY: 'off' };
    const all = ['d20', 'd40'];
    expect(await kept(environment)).toEqual({ logs: all, steps: all, idempotency: all });
  });

  test('a target that failed, or that has comments to come, keeps its steps', async () => {
    const { pool } = running.database;
    await pool.query(`update platform_posts set run_at = now() where id like '%d40'`);
    await pool.query(`update platform_posts set status = 'failed', error = '{"code": "X"}' where id like '%d20'`);
    clock.advance({ seconds: 100 * 86_400 });
    const { steps } = await kept({ RETENTION_STEPS: '30' });
    clock.advance({ seconds: -100 * 86_400 });
    expect(steps).toEqual(['d20', 'd40']);
  });

  test('more rows than a batch are all deleted', async () => {
    await running.database.pool.query(
      `insert into post_logs (id, post_group_id, user_id, event, created_at)
        select 'many' || n, 'd40', 'u', 'scheduled', $1 from generate_series(1, 4500) n`,
      [daysAgo(100)],
    );
    expect((await kept({})).logs).toEqual(['d20', 'd40']);
  });

  test('too few days, or none at all, are refused', () => {
    for (const [name, value] of [
      ['RETENTION_STEPS', '1'],
      ['RETENTION_EVENTS', '0'],
      ['RETENTION_LOGS', 'forever'],
      ['RETENTION_LOGS', '1.5'],
    ] as const)
      expect(() => readConfig({ [name]: value })).toThrow(`${name} must be off or a whole number of days`);
  });
});
