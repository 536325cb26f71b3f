import { sql } from 'kysely';
import type { Db } from '../../foundation/db/database.ts';

/** One API call. */
export interface LoggedCall {
  id: string;
  /** The user of the key. */
  userId: string;
  ownerId: string;
  /** The user that the call acted for. */
  actedFor: string;
  at: Date;
  method: string;
  path: string;
  status: number;
  code: string | null;
  durationMs: number;
  keyPrefix: string;
  client: string;
  requestId: string;
}

/** Skips calls of users who were deleted in the meantime. */
export async function insertCalls(db: Db, calls: readonly LoggedCall[]) {
  const column = <Name extends keyof LoggedCall>(name: Name) => calls.map((call) => call[name]);
  await sql`
    with added as (
      insert into request_log (id, user_id, owner_id, acted_for, at, method, path, status, code, duration_ms, key_prefix,
        client, request_id)
      select called.* from unnest(${column('id')}::text[], ${column('userId')}::text[], ${column('ownerId')}::text[],
        ${column('actedFor')}::text[], ${column('at')}::timestamptz[], ${column('method')}::text[],
        ${column('path')}::text[], ${column('status')}::smallint[], ${column('code')}::text[],
        ${column('durationMs')}::integer[], ${column('keyPrefix')}::text[], ${column('client')}::text[],
        ${column('requestId')}::text[]
      ) as called (id, user_id, owner_id, acted_for, at, method, path, status, code, duration_ms, key_prefix, client,
        request_id)
      join users on users.id = called.user_id
      returning user_id
    )
    insert into request_log_sizes (user_id, calls)
    -- Every process locks the rows in this order, so that they cannot deadlock.
    select user_id, count(*) from added group by user_id order by user_id
    on conflict (user_id) do update set calls = request_log_sizes.calls + excluded.calls`.execute(db);
}

export interface CallPage {
  userId: string;
  onlyErrors: boolean;
  /** The list covers this many of the newest calls. */
  newest: number;
  limit: number;
  offset: number;
}

/** Calls with the user's own keys and with those of the users it manages. */
export async function selectCalls(db: Db, page: CallPage): Promise<{ total: number; calls: LoggedCall[] }> {
  const { userId, newest } = page;
  // Each part reads an index from its end, so the amount of stored data does not matter.
  const { rows } = await sql<{ total: string; calls: LoggedCall[] }>`
    with newest as (
      (select * from request_log where owner_id = ${userId} order by id desc limit ${newest})
      union all
      (select * from request_log where user_id = ${userId} and owner_id <> ${userId} order by id desc limit ${newest})
      order by id desc limit ${newest}
    ),
    wanted as (select * from newest where status >= 400 or not ${page.onlyErrors}::boolean),
    page as (select * from wanted order by id desc limit ${page.limit} offset ${page.offset})
    select (select count(*) from wanted) as total, coalesce((
      select json_agg(json_build_object('id', id, 'userId', user_id, 'ownerId', owner_id, 'actedFor', acted_for, 'at', at,
        'method', method, 'path', path, 'status', status, 'code', code, 'durationMs', duration_ms,
        'keyPrefix', key_prefix, 'client', client, 'requestId', request_id) order by id desc)
      from page
    ), '[]') as calls`.execute(db);
  const { total, calls } = rows[0]!;
  return { total: Number(total), calls: calls.map((call) => ({ ...call, at: new Date(call.at) })) };
}

/** The users with more stored calls than this. */
export async function usersWithMoreCalls(db: Db, than: number): Promise<string[]> {
  const rows = await db.selectFrom('request_log_sizes').select('user_id').where('calls', '>', than).execute();
  return rows.map(({ user_id }) => user_id);
}

/** Deletes some of the calls that are older than the `kept` newest, and returns their number. */
export async function deleteSomeCalls(db: Db, userId: string, kept: number, limit: number): Promise<number> {
  const { rows } = await sql<{ deleted: string }>`
    with old as (
      select id from request_log where user_id = ${userId} and id <= (
        select id from request_log where user_id = ${userId} order by id desc offset ${kept} limit 1
      )
      order by id limit ${limit}
    ),
    deleted as (
      delete from request_log using old where user_id = ${userId} and request_log.id = old.id returning request_log.id
    ),
    counted as (
      update request_log_sizes set calls = calls - (select count(*) from deleted) where user_id = ${userId}
    )
    select count(*) as deleted from deleted`.execute(db);
  return Number(rows[0]?.deleted);
}
