import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { seedPosts } from '../../../test/support/database/seeded-posts.ts';
import { testApp, testClock } from '../../../test/support/service/app.ts';
import { selectBacklog, selectBrokenConnections, workState } from './queries.ts';

const clock = testClock();

test('a scrape reads a few rows although there are 100,000 posts', async () => {
  const { app, close, database } = await testApp({ clock });
  onTestFinished(close);
  await seedPosts(database, { posts: 50_000, broken: 3 });
  await database.pool.query('analyze');
  const read = await app.db.transaction().execute(async (tx) => {
    await workState(tx, app.workerId, clock.now());
    expect(await selectBacklog(tx, clock.now())).toHaveLength(4);
    expect(await selectBrokenConnections(tx)).toHaveLength(2);
    const { rows } = await sql<{ read: number }>`
      select coalesce(sum(seq_tup_read) + sum(idx_tup_fetch), 0)::int as read from pg_stat_xact_user_tables
    `.execute(tx);
    return rows[0]!.read;
  });
  expect(read).toBeLessThan(100);
});
