import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { idMaker } from '../src/foundation/lib/ids.ts';
import { systemClock } from '../src/foundation/time/clock.ts';

const newId = idMaker(systemClock);
const batchSize = 1_000;

/** Inserts scheduled groups with one target each, spread over the connections. Their text is the label and a number. */
export async function insertDuePosts(
  pool: pg.Pool,
  due: { targets: number; at(index: number): Date },
): Promise<string> {
  const label = newLabel();
  for await (const _batch of insertPosts(pool, { ...due, label, status: 'scheduled', processing: 'pending' }));
  return label;
}

/** A target that a peer publishes and Crier ignores. */
export interface PeerTarget {
  id: string;
  groupId: string;
  userId: string;
  accountId: string;
  content: string;
}

/** Inserts the same rows as if the dispatcher had already handed them to another worker. */
export async function insertPeerTargets(pool: pg.Pool, targets: number) {
  const label = newLabel();
  const inserted: PeerTarget[] = [];
  const at = () => new Date();
  const posts = insertPosts(pool, { targets, at, label, status: 'pending', processing: 'processing' });
  for await (const batch of posts) inserted.push(...batch);
  return { label, targets: inserted };
}

const newLabel = () => `bench-${randomBytes(3).toString('hex')}`;

interface Posts {
  targets: number;
  at(index: number): Date;
  label: string;
  status: 'scheduled' | 'pending';
  processing: 'pending' | 'processing';
}

async function* insertPosts(
  pool: pg.Pool,
  { targets, at, label, status, processing }: Posts,
): AsyncGenerator<PeerTarget[]> {
  const { rows: connections } = await pool.query(
    `select id, user_id as "userId", account_id as "accountId" from connections where platform = 'mastodon'
    order by created_at desc`,
  );
  for (let from = 0; from < targets; from += batchSize) {
    const batch = Array.from({ length: Math.min(batchSize, targets - from) }, (_, offset) => {
      const { id: connectionId, userId, accountId } = connections[(from + offset) % connections.length];
      const content = `${label} ${from + offset}`;
      return { id: newId(), groupId: newId(), userId, connectionId, accountId, content, due: at(from + offset) };
    });
    await pool.query(
      `with wanted as (
        select * from jsonb_to_recordset($1) as post ("groupId" text, id text, "userId" text, "connectionId" text,
          "accountId" text, content text, due timestamptz)
      ), groups as (
        insert into post_groups (id, user_id, content, status, processing_status, scheduled_at, target_count, open_targets)
        select "groupId", "userId", content, 'scheduled', $3, due, 1, 1 from wanted
      )
      insert into platform_posts (id, post_group_id, user_id, connection_id, platform, account_id, position, content, status)
      select id, "groupId", "userId", "connectionId", 'mastodon', "accountId", 1, content, $2 from wanted`,
      [JSON.stringify(batch), status, processing],
    );
    yield batch;
  }
}

/** Inserts groups for the coming years in one statement. */
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
