import { sql } from 'kysely';
import type { Db } from '../../foundation/db/database.ts';
import type { LoggedHeaders } from './logged-headers.ts';

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

export interface DetailedCall extends LoggedCall {
  /** Null for calls that an older version logged. */
  requestHeaders: LoggedHeaders | null;
  responseHeaders: LoggedHeaders | null;
  /** The error's text and hint in the response. */
  error: string | null;
  hint: string | null;
  /** The part of the duration before the handler. Null: unknown, or the call did not get there. */
  waitedMs: number | null;
  /** Null unless the key's user stores bodies. */
  requestBody: string | null;
  responseBody: string | null;
}

/** Skips calls of users who were deleted in the meantime. */
export async function insertCalls(db: Db, calls: readonly DetailedCall[]) {
  const column = <Name extends keyof DetailedCall>(name: Name) => calls.map((call) => call[name]);
  await sql`
    with added as (
      insert into request_log (id, user_id, owner_id, acted_for, at, method, path, status, code, duration_ms, key_prefix,
        client, request_id, request_headers, response_headers, error, hint, waited_ms)
      select called.* from unnest(${column('id')}::text[], ${column('userId')}::text[], ${column('ownerId')}::text[],
        ${column('actedFor')}::text[], ${column('at')}::timestamptz[], ${column('method')}::text[],
        ${column('path')}::text[], ${column('status')}::smallint[], ${column('code')}::text[],
        ${column('durationMs')}::integer[], ${column('keyPrefix')}::text[], ${column('client')}::text[],
        ${column('requestId')}::text[], ${column('requestHeaders')}::jsonb[], ${column('responseHeaders')}::jsonb[],
        ${column('error')}::text[], ${column('hint')}::text[], ${column('waitedMs')}::integer[]
      ) as called (id, user_id, owner_id, acted_for, at, method, path, status, code, duration_ms, key_prefix, client,
        request_id, request_headers, response_headers, error, hint, waited_ms)
      join users on users.id = called.user_id
      returning user_id
    )
    insert into request_log_sizes (user_id, calls)
    -- Every process locks the rows in this order, so that they cannot deadlock.
    select user_id, count(*) from added group by user_id order by user_id
    on conflict (user_id) do update set calls = request_log_sizes.calls + excluded.calls`.execute(db);
}

/** Skips calls of users who were deleted in the meantime, and those of users who have this many characters already. */
export async function insertBodies(db: Db, calls: readonly DetailedCall[], perUser: number) {
  const column = <Name extends keyof DetailedCall>(name: Name) => calls.map((call) => call[name]);
  await sql`
    insert into request_log_bodies (user_id, id, at, request_body, response_body, characters)
    select body.*, length(concat(request_body, response_body)) from unnest(${column('userId')}::text[], ${column('id')}::text[], ${column('at')}::timestamptz[],
      ${column('requestBody')}::text[], ${column('responseBody')}::text[]
    ) as body (user_id, id, at, request_body, response_body)
    join users on users.id = body.user_id
    where body.user_id not in (
      select user_id from request_log_bodies where user_id = any(${column('userId')}::text[]) group by user_id
      having sum(characters) >= ${perUser}
    )`.execute(db);
}

export async function deleteOldBodies(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('request_log_bodies').where('at', '<', before).execute();
}

/** Until when bodies of the user's calls are stored. Null: they are not. */
export async function selectBodiesUntil(db: Db, userId: string): Promise<Date | null> {
  const user = await db.selectFrom('users').select('log_bodies_until').where('id', '=', userId).executeTakeFirst();
  return user?.log_bodies_until ?? null;
}

export const updateBodiesUntil = (db: Db, userId: string, until: Date | null) =>
  db.updateTable('users').set({ log_bodies_until: until }).where('id', '=', userId).execute();

export interface CallFilter {
  errors: boolean;
  /** The first digit of the status, or undefined. */
  statusClass: number | undefined;
  keyPrefix: string | undefined;
  path: string | undefined;
  /** Each must occur in the call or the name of its key, in any case. */
  words: readonly string[];
}

export interface CallPage extends CallFilter {
  userId: string;
  /** The list covers this many of the newest calls. */
  newest: number;
  limit: number;
  offset: number;
}

export interface FoundCalls {
  total: number;
  calls: LoggedCall[];
  /** The key prefixes and paths of all these calls, filtered or not. */
  keys: string[];
  paths: string[];
}

/** Calls with the user's own keys and with those of the users it manages. */
export async function selectCalls(db: Db, page: CallPage): Promise<FoundCalls> {
  const { userId, newest, statusClass = null, keyPrefix = null, path = null } = page;
  const columns = sql`id, user_id, owner_id, acted_for, at, method, path, status, code, duration_ms, key_prefix, client,
    request_id`;
  // Each part reads an index from its end, so the amount of stored data does not matter.
  const { rows } = await sql<FoundCalls>`
    with newest as (
      (select ${columns} from request_log where owner_id = ${userId} order by id desc limit ${newest})
      union all
      (select ${columns} from request_log where user_id = ${userId} and owner_id <> ${userId} order by id desc
        limit ${newest})
      order by id desc limit ${newest}
    ),
    -- Each key is looked up once, not with every call and word.
    keys as (
      select user_id, key_prefix, (
        select name from api_keys
        where api_keys.user_id = used.user_id and api_keys.key_prefix = used.key_prefix limit 1
      ) as key_name
      from (select distinct user_id, key_prefix from newest where ${page.words.length > 0}::boolean) used
    ),
    wanted as (
      select newest.* from newest left join keys using (user_id, key_prefix)
      where (status >= 400 or not ${page.errors}::boolean)
        and (${statusClass}::integer is null or status / 100 = ${statusClass}::integer)
        and (${keyPrefix}::text is null or key_prefix = ${keyPrefix}::text)
        and (${path}::text is null or path = ${path}::text)
        and not exists (
          select from unnest(${page.words}::text[]) word
          where position(lower(word) in lower(concat_ws(' ', method, path, status, code, key_prefix, client, request_id,
            key_name))) = 0
        )
    ),
    page as (select * from wanted order by id desc limit ${page.limit} offset ${page.offset})
    select (select count(*)::int from wanted) as total,
      (select coalesce(array_agg(distinct key_prefix), '{}') from newest) as keys,
      (select coalesce(array_agg(distinct path), '{}') from newest) as paths, coalesce((
      select json_agg(json_build_object('id', id, 'userId', user_id, 'ownerId', owner_id, 'actedFor', acted_for, 'at', at,
        'method', method, 'path', path, 'status', status, 'code', code, 'durationMs', duration_ms,
        'keyPrefix', key_prefix, 'client', client, 'requestId', request_id) order by id desc)
      from page
    ), '[]') as calls`.execute(db);
  const { calls, ...found } = rows[0]!;
  return { ...found, calls: calls.map((call) => ({ ...call, at: new Date(call.at) })) };
}

/** A call with the user's own keys or those of the users it manages. Only the user of the key sees the bodies. */
export async function findCall(db: Db, userId: string, id: string): Promise<DetailedCall | null> {
  const { rows } = await sql<DetailedCall>`
    select id, user_id as "userId", owner_id as "ownerId", acted_for as "actedFor", request_log.at, method, path, status, code,
      duration_ms as "durationMs", key_prefix as "keyPrefix", client, request_id as "requestId",
      request_headers as "requestHeaders", response_headers as "responseHeaders", error, hint,
      waited_ms as "waitedMs", request_body as "requestBody", response_body as "responseBody"
    from request_log
    left join (select * from request_log_bodies where user_id = ${userId}) bodies using (user_id, id)
    where id = ${id} and (owner_id = ${userId} or user_id = ${userId}) limit 1`.execute(db);
  return rows[0] ?? null;
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
