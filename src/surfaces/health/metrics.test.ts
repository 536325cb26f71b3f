import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { seedPosts } from '../../../test/support/database/seeded-posts.ts';
import { testApp, testClock } from '../../../test/support/service/app.ts';
import { type TestService, testService } from '../../../test/support/service/service.ts';
import { queueMail } from '../../features/mail/mails.ts';
import { metricsText } from './metrics.ts';

const clock = testClock();
let service: TestService;
beforeAll(async () => {
  service = await testService({ clock, environment: { RATE_LIMITS: '0.001' } });
});
afterAll(() => service.close());

const scrape = async () => (await service.server.inject('/metrics')).body.split('\n');
const metric = async (line: string) => {
  const found = (await scrape()).find((one) => one.startsWith(`${line} `));
  return found === undefined ? undefined : Number(found.slice(line.length + 1));
};

test('the version that runs is in crier_build_info', async () => {
  const labels = `version="${packageJson.version}",node_version="${process.version}",networks="sandbox"`;
  expect(await metric(`crier_build_info{${labels}}`)).toBe(1);
});

test('the pool shows its connections and who waits for one', async () => {
  const { pool } = service.app;
  expect(await metric('crier_database_pool_max_connections')).toBe(pool.options.max);
  const clients = await Promise.all(Array.from({ length: (pool.options.max ?? 0) - 3 }, () => pool.connect()));
  expect(await metric('crier_database_pool_connections{state="busy"}')).toBeGreaterThanOrEqual(clients.length);
  const rest = await Promise.all([pool.connect(), pool.connect(), pool.connect()]);
  const waiting = pool.connect();
  // The scrape itself waits for the database, and reports that after a while.
  const scraped = metricsText(service.app);
  for (const client of [...clients, ...rest]) client.release();
  (await waiting).release();
  expect(await scraped).toContain('crier_database_up 1');
  expect(await metric('crier_database_pool_waiting')).toBe(0);
});

test('a database that does not answer takes away the work, not the metrics of the process', async () => {
  const { app, close } = await testApp();
  await close();
  const text = await metricsText(app);
  expect(text).toContain('crier_database_up 0');
  expect(text).toContain('crier_build_info{');
  expect(text).not.toContain('crier_backlog{');
});

test('refusals by rate limits are counted by rate', async () => {
  const line = 'crier_rate_limit_refusals_total{rate="anonymous"}';
  const before = (await metric(line)) ?? 0;
  const statuses = await Promise.all(
    [1, 2, 3].map(async () => (await service.server.inject('/api/v1/list-posts')).statusCode),
  );
  expect(statuses).toContain(429);
  expect(await metric(line)).toBe(before + statuses.filter((status) => status === 429).length);
});

test('the free space of the data folder is shown', async () => {
  const { app, close } = await testApp({ environment: { DATA_DIR: '/tmp' } });
  onTestFinished(close);
  const text = await metricsText(app);
  const [free, size] = ['free', 'size'].map((name) =>
    Number(new RegExp(`^crier_data_dir_${name}_bytes (\\d+)`, 'm').exec(text)?.[1]),
  );
  expect(free).toBeGreaterThan(0);
  expect(size).toBeGreaterThanOrEqual(free!);
});

describe('what waits', () => {
  test('is counted by kind, with the age of the oldest', async () => {
    const { app, close, database } = await testApp({ clock });
    onTestFinished(close);
    await seedPosts(database, { posts: 3 });
    const due = new Date(clock.now().getTime() - 90_000);
    await database.pool.query(
      `update post_groups set scheduled_at = $1 where id in (select id from post_groups where status = 'scheduled' limit 2)`,
      [due],
    );
    await database.pool.query(
      `update platform_posts set status = 'pending', run_at = $1 where id in (select id from platform_posts limit 1)`,
      [clock.now()],
    );
    await queueMail(app, app.db, { to: 'ada@example.com', kind: 'password_changed', data: { at: 'now' } });
    const text = await metricsText(app);
    for (const [work, count, oldest] of [
      ['post_groups', 2, 90],
      ['targets', 1, 0],
      ['webhook_deliveries', 0, 0],
      ['mails', 1, 0],
    ]) {
      expect(text).toContain(`crier_backlog{work="${work}"} ${count}\n`);
      expect(text).toContain(`crier_backlog_oldest_seconds{work="${work}"} ${oldest}\n`);
    }
  });

  test('broken connections are counted by network and reason', async () => {
    const { app, close, database } = await testApp({ clock });
    onTestFinished(close);
    await seedPosts(database, { broken: 5 });
    const text = await metricsText(app);
    expect(text).toContain('crier_broken_connections{platform="mastodon",reason="reconnect"} 3\n');
    expect(text).toContain('crier_broken_connections{platform="mastodon",reason="restricted"} 2\n');
  });
});
