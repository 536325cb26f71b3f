import { sql } from 'kysely';
import type { Db } from '../../foundation/db/database.ts';
import type { EmittedEvent } from '../../foundation/events/define-event.ts';

/** The snapshot of a read: the transactions it saw. The next read returns everything it did not see. */
export type Cursor = string;

export type ChangeSource = 'changes' | 'events';

export interface Wanted {
  userId: string;
  source: ChangeSource;
  after: Cursor;
}

export interface Change {
  /** The name of the event. */
  name: string;
  data: unknown;
  /** The id and body of a webhook event. */
  eventId: string | null;
  body: string | null;
  /** Sent on request and not caused by a real change. */
  isTest: boolean;
}

export interface Batch {
  changes: Change[];
  /** There are more bytes of changes, of which only the first are in `changes`. */
  isLong: boolean;
  /** Changes between the cursor and now were not recorded or are already deleted. */
  isIncomplete: boolean;
  /** All transactions that began before the recording have ended. */
  isSettled: boolean;
}

/** Starts recording the changes of these users for an hour, or extends it if it was not extended just now. */
export async function recordChanges(db: Db, userIds: readonly string[]) {
  await sql`
    insert into stream_users (user_id, expires_at)
    select id, now() + interval '1 hour' from users where id = any (${userIds}::text[]) and not exists (
      select from stream_users where user_id = users.id and expires_at > now() + interval '55 minutes'
    ) order by id
    on conflict (user_id) do update set expires_at = excluded.expires_at`.execute(db);
  // A separate statement: only transactions that begin after the first one has committed are certain to be recorded. A
  // database that was restored on another server contains transaction ids from the future.
  await sql`
    update stream_users set complete_from = pg_snapshot_xmax(pg_current_snapshot())
    where user_id = any (${userIds}::text[])
      and (complete_from is null or complete_from > pg_snapshot_xmax(pg_current_snapshot()))`.execute(db);
}

/** The cursor of a reader who wants only events from now on. */
export async function currentCursor(
  db: Db,
  userIds: readonly string[],
): Promise<{ cursor: Cursor; isSettled: boolean }> {
  const { rows } = await sql<{ cursor: Cursor; isSettled: boolean }>`
    select pg_current_snapshot()::text as cursor, coalesce((
      select bool_and(pg_snapshot_xmin(pg_current_snapshot()) >= complete_from) from stream_users
      where user_id = any (${userIds}::text[])
    ), false) as "isSettled"`.execute(db);
  return rows[0]!;
}

/** Of each webhook event. They count as well, so that a batch that is too long is never signed. */
const headerBytes = 400;

/** The changes that each reader has not seen, in order, and the new cursor of all of them. */
export async function readChanges(
  db: Db,
  wanted: readonly Wanted[],
  { limit, maxBytes }: { limit: number; maxBytes: number },
): Promise<{ cursor: Cursor; batches: Batch[] }> {
  const { rows } = await sql<Batch & { cursor: Cursor }>`
    select pg_current_snapshot()::text as cursor,
      coalesce(pg_snapshot_xmin(after) < complete_from, true) as "isIncomplete",
      coalesce(pg_snapshot_xmin(pg_current_snapshot()) >= complete_from, false) as "isSettled",
      coalesce(unseen.changes, '[]') as changes, coalesce(unseen.is_long, false) as "isLong"
    from unnest(${wanted.map(({ userId }) => userId)}::text[], ${wanted.map(({ source }) => source)}::text[],
      ${wanted.map(({ after }) => after)}::text[]::pg_snapshot[]) with ordinality as wanted (user_id, source, after, place)
    left join stream_users on stream_users.user_id = wanted.user_id
    cross join lateral (
      select bool_or(bytes > ${maxBytes}) as is_long, json_agg(json_build_object('name',
        case when kind = 'event' then data ->> 'name' else kind end, 'data', data, 'eventId', event_id, 'body', body,
        'isTest', data ? 'testBody') order by position) filter (where bytes <= ${maxBytes}) as changes
      from (
        select position, kind, data, event_id, coalesce(events.body, data ->> 'testBody') as body,
          sum(coalesce(octet_length(events.body) + ${headerBytes}, 0) + pg_column_size(data)) over (order by position) as bytes
        from (
          select position, kind, data, case when kind = 'event' then data ->> 'id' end as event_id from changes
          where changes.user_id = wanted.user_id and xid >= pg_snapshot_xmin(after)
            and xid < pg_snapshot_xmax(pg_current_snapshot()) and not pg_visible_in_snapshot(xid, after) and (kind = 'event') = (source = 'events')
          order by position limit ${limit}
        ) found
        left join events on events.id = found.event_id and events.user_id = wanted.user_id
      ) counted
    ) unseen
    order by place`.execute(db);
  return { cursor: rows[0]!.cursor, batches: rows };
}

export interface TestEvent extends EmittedEvent {
  id: string;
  userId: string;
}

/**
 * Sends the event only to the user's streams, in every process: no webhook gets it, and it is not kept. Returns false
 * if the user had no stream open in the last hour.
 */
export async function insertTestEvent(db: Db, { id, userId, type, body }: TestEvent): Promise<boolean> {
  const { rows } = await sql`
    insert into changes (user_id, kind, data)
    select user_id, 'event', jsonb_build_object('id', ${id}::text, 'name', ${type}::text, 'testBody', ${body}::text)
    from stream_users where user_id = ${userId}
    returning 1`.execute(db);
  return rows.length > 0;
}

/** Deletes changes older than an hour. Readers with a cursor before the deleted changes must reload. */
export async function deleteOldChanges(db: Db) {
  await sql`
    with deleted as (delete from changes where created_at < now() - interval '1 hour' returning user_id, xid),
    newest as (
      select distinct on (user_id) user_id, xid from deleted where xid < pg_snapshot_xmax(pg_current_snapshot())
      order by user_id, xid desc
    )
    update stream_users set complete_from = greatest(complete_from, (xid::text::bigint + 1)::text::xid8)
    from newest where stream_users.user_id = newest.user_id`.execute(db);
  await db.deleteFrom('stream_users').where('expires_at', '<', sql<Date>`now()`).execute();
}
