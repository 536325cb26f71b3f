import { sql } from 'kysely';
import type { Db } from '../../foundation/db/database.ts';
import type { EmittedEvent } from '../../foundation/events/define-event.ts';

/** The snapshot of a read: which transactions it saw. What it did not see is read next. */
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
  /** The id and the body of an event of webhooks. */
  eventId: string | null;
  body: string | null;
  /** Sent on request, about nothing that happened. */
  isTest: boolean;
}

export interface Batch {
  changes: Change[];
  /** Changes between the cursor and now were not recorded, or are deleted again. */
  isIncomplete: boolean;
  /** All transactions that began before the recording have ended. */
  isSettled: boolean;
}

/** Starts to record the changes of these users, or goes on with it for another hour. */
export async function recordChanges(db: Db, userIds: readonly string[]) {
  await sql`
    insert into stream_users (user_id, expires_at)
    select id, now() + interval '1 hour' from users where id = any (${userIds}::text[]) order by id
    on conflict (user_id) do update set expires_at = excluded.expires_at`.execute(db);
  // A statement of its own: only transactions that begin after the first one has committed are sure to be recorded. A
  // database that was restored on another server has numbers of transactions from the future.
  await sql`
    update stream_users set complete_from = pg_snapshot_xmax(pg_current_snapshot())
    where user_id = any (${userIds}::text[])
      and (complete_from is null or complete_from > pg_snapshot_xmax(pg_current_snapshot()))`.execute(db);
}

/** The cursor of a reader who wants what happens from now on. */
export async function currentCursor(db: Db, userId: string): Promise<{ cursor: Cursor; isSettled: boolean }> {
  const { rows } = await sql<{ cursor: Cursor; isSettled: boolean }>`
    select pg_current_snapshot()::text as cursor, coalesce((
      select pg_snapshot_xmin(pg_current_snapshot()) >= complete_from from stream_users where user_id = ${userId}
    ), false) as "isSettled"`.execute(db);
  return rows[0]!;
}

/** What each reader has not seen, in order, and the cursor that all of them have afterwards. */
export async function readChanges(
  db: Db,
  wanted: readonly Wanted[],
  limit: number,
): Promise<{ cursor: Cursor; batches: Batch[] }> {
  const { rows } = await sql<Batch & { cursor: Cursor }>`
    select pg_current_snapshot()::text as cursor,
      coalesce(pg_snapshot_xmin(after) < complete_from, true) as "isIncomplete",
      coalesce(pg_snapshot_xmin(pg_current_snapshot()) >= complete_from, false) as "isSettled",
      coalesce((
        select json_agg(json_build_object('name', case when kind = 'event' then data ->> 'name' else kind end, 'data', data,
          'eventId', unseen.event_id, 'body', coalesce(events.body, data ->> 'testBody'), 'isTest', data ? 'testBody')
          order by position)
        from (
          select position, kind, data, case when kind = 'event' then data ->> 'id' end as event_id from changes
          where changes.user_id = wanted.user_id and xid >= pg_snapshot_xmin(after)
            and xid < pg_snapshot_xmax(pg_current_snapshot()) and not pg_visible_in_snapshot(xid, after) and (kind = 'event') = (source = 'events')
          order by position limit ${limit}
        ) unseen
        left join events on events.id = unseen.event_id and events.user_id = wanted.user_id
      ), '[]') as changes
    from unnest(${wanted.map(({ userId }) => userId)}::text[], ${wanted.map(({ source }) => source)}::text[],
      ${wanted.map(({ after }) => after)}::text[]::pg_snapshot[]) with ordinality as wanted (user_id, source, after, place)
    left join stream_users on stream_users.user_id = wanted.user_id
    order by place`.execute(db);
  return { cursor: rows[0]!.cursor, batches: rows };
}

export interface TestEvent extends EmittedEvent {
  id: string;
  userId: string;
}

/**
 * Tells the streams of the user, in every process, and nobody else: no webhook gets it and nothing keeps it. False: no
 * stream of the user is open, nor was in the last hour.
 */
export async function insertTestEvent(db: Db, { id, userId, type, body }: TestEvent): Promise<boolean> {
  const { rows } = await sql`
    insert into changes (user_id, kind, data)
    select user_id, 'event', jsonb_build_object('id', ${id}::text, 'name', ${type}::text, 'testBody', ${body}::text)
    from stream_users where user_id = ${userId}
    returning 1`.execute(db);
  return rows.length > 0;
}

/** Deletes what is older than an hour. A reader whose cursor is older than what was deleted is told to reload. */
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
