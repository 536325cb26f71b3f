import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestService, testService } from '../../../../test/support/service/service.ts';
import { findUser } from '../../accounts/operator/users.ts';
import { eraseUser, type Progress } from './erase-user.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const total = 100_000;

// It took 60 s on two busy cores.
test('a user with 100,000 posts is deleted in batches, with progress', { timeout: 600_000 }, async () => {
  const ada = await service.aUser();
  await ada.aConnection();
  const { pool } = service.database;
  // With this many rows in one statement, the triggers would take minutes.
  await pool.query('alter table post_groups disable trigger user');
  await pool.query(
    `with made as (
       insert into post_groups (id, user_id, content, status, scheduled_at, target_count, open_targets)
       select 'many' || n, $1, 'x', case when n % 2 = 0 then 'draft' else 'scheduled' end, now() + interval '1 day', 1, 1
       from generate_series(1, $2::integer) n returning id, status
     )
     insert into platform_posts (id, post_group_id, user_id, connection_id, platform, account_id, position, content, status)
     select made.id, made.id, $1, connections.id, platform, account_id, 1, 'x', made.status from made, connections
     where connections.user_id = $1`,
    [ada.id, total],
  );
  await pool.query('alter table post_groups enable trigger user');
  await pool.query('analyze post_groups, platform_posts');

  const reports: Progress[] = [];
  const user = await findUser(service.app, ada.id);
  const done = await eraseUser(service.app, user, (progress) => reports.push(progress));
  expect(done).toEqual({ connections: 1, posts: total, filesLeft: false });
  expect(reports).toHaveLength(1 + total / 5_000);
  expect(reports.slice(0, 2)).toEqual([{ connections: 1 }, { posts: 5_000, ofPosts: total }]);
  expect((await pool.query('select count(*)::int from users where id = $1', [ada.id])).rows).toEqual([{ count: 0 }]);
});
