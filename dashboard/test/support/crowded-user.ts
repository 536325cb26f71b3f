import type { Stage, StageUser } from './stage.ts';

/** A user with very many channels and posts, inserted directly into the database. */
export async function crowdedUser(stage: Stage, size: { channels: number; posts: number }): Promise<StageUser> {
  const user = await stage.aUser({ networks: ['mastodon', 'bluesky'], plan: 'agency' });
  const { pool } = stage.service.database;
  await pool.query(
    `insert into connections (id, user_id, platform, account_id, handle, display_name, credentials, scopes)
     select left(md5(id || number), 24), user_id, platform, account_id || number, handle || number,
       'Branch ' || number, credentials, scopes
     from connections, generate_series(1, $2 / 2) number where user_id = $1`,
    [user.id, size.channels],
  );
  await pool.query(
    `with connection as (
       select id, user_id, account_id from connections where user_id = $1 and platform = 'mastodon' order by created_at limit 1
     ), made as (
       insert into post_groups (id, user_id, content, status, scheduled_at, target_count, open_targets)
       select left(md5(connection.id || number), 24), user_id, 'Post number ' || number || ' of a busy year', 'scheduled',
         now() + interval '1 hour' + number * interval '40 minutes', 1, 1
       from generate_series(1, $2) number, connection
       returning id, user_id, content
     )
     insert into platform_posts (id, post_group_id, user_id, connection_id, platform, account_id, position, content, status)
     select made.id, made.id, made.user_id, connection.id, 'mastodon', connection.account_id, 1, made.content, 'scheduled'
     from made, connection`,
    [user.id, size.posts],
  );
  return user;
}
