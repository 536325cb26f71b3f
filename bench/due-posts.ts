import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { systemClock } from '../src/lib/clock.ts';
import { idMaker } from '../src/lib/ids.ts';

const newId = idMaker(systemClock);
const bite = 1_000;

/** Inserts scheduled groups with one target each, spread over the connections. Their text is the label and a number. */
export async function insertDuePosts(pool: pg.Pool, { targets, at }: { targets: number; at(index: number): Date }) {
  const label = `bench-${randomBytes(3).toString('hex')}`;
  const { rows: connections } = await pool.query(
    `select id, user_id, account_id from connections where platform = 'mastodon' order by created_at desc`,
  );
  for (let from = 0; from < targets; from += bite) {
    const indexes = Array.from({ length: Math.min(bite, targets - from) }, (_, offset) => from + offset);
    const connectionOf = (index: number) => connections[index % connections.length];
    await pool.query(
      `with wanted as (
        select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::timestamptz[])
          as post (group_id, id, user_id, connection_id, account_id, content, due)
      ), groups as (
        insert into post_groups (id, user_id, content, status, scheduled_at, target_count, open_targets)
        select group_id, user_id, content, 'scheduled', due, 1, 1 from wanted
      )
      insert into platform_posts (id, post_group_id, user_id, connection_id, platform, account_id, position, content, status)
      select id, group_id, user_id, connection_id, 'mastodon', account_id, 1, content, 'scheduled' from wanted`,
      [
        indexes.map(() => newId()),
        indexes.map(() => newId()),
        indexes.map((index) => connectionOf(index).user_id),
        indexes.map((index) => connectionOf(index).id),
        indexes.map((index) => connectionOf(index).account_id),
        indexes.map((index) => `${label} ${index}`),
        indexes.map(at),
      ],
    );
  }
  return label;
}

/** Inserts groups for the coming years with one statement. */
export async function insertFuturePosts(pool: pg.Pool, groups: number) {
  await pool.query(
    `with connection as (
      select id, user_id, account_id from connections where platform = 'mastodon' limit 1
    ), made as (
      insert into post_groups (id, user_id, content, status, scheduled_at, target_count, open_targets)
      select 'f' || lpad(to_hex(number), 23, '0'), user_id, 'Next year', 'scheduled',
        now() + interval '1 day' + number * interval '30 seconds', 1, 1
      from generate_series(1, $1) number, connection
      returning id, user_id
    )
    insert into platform_posts (id, post_group_id, user_id, connection_id, platform, account_id, position, content, status)
    select made.id, made.id, made.user_id, connection.id, 'mastodon', connection.account_id, 1, 'Next year', 'scheduled'
    from made, connection`,
    [groups],
  );
  await pool.query('analyze post_groups, platform_posts');
}
