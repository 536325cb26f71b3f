import type { TestDatabase } from './postgres.ts';

/** Inserts this many published posts, and as many scheduled for later. */
export async function seedPosts({ pool }: TestDatabase, { posts = 0, broken = 0 }) {
  await pool.query(`insert into users (id, email, name, plan) values ('u', 'u@example.com', 'U', 'pro')`);
  await pool.query(
    `insert into connections (id, user_id, platform, account_id, handle, display_name, credentials,
       reconnect_required_at, account_restricted)
     select 'c' || n, 'u', 'mastodon', 'a' || n, 'h', 'H', 'x', case when n <= $1 then now() end, n % 2 = 0 and n <= $1
     from generate_series(1, 1000) n`,
    [broken],
  );
  const counted = `from generate_series(1, ${posts}) n cross join (values ('published'), ('scheduled')) as kind (status)`;
  await pool.query(`
    insert into post_groups (id, user_id, content, status, processing_status, scheduled_at, target_count, open_targets)
    select status || n, 'u', 'x', status, case status when 'published' then 'finished' else 'pending' end,
      timestamptz '2028-01-01' + n * interval '1 second', 1, 1 ${counted};
    insert into platform_posts (id, post_group_id, user_id, connection_id, platform, account_id, position, content, status,
      posted_id)
    select status || n, status || n, 'u', 'c' || n % 1000 + 1, 'mastodon', 'a' || n % 1000 + 1, 0, 'x', status,
      case status when 'published' then 'id' || n end ${counted}`);
}
