import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { Json } from '../lib/json.ts';

export async function readCached(db: Db, key: string, now: Date): Promise<{ value: Json } | null> {
  const { rows } = await sql<{ value: Json }>`
    select value from statistics_cache where key = ${key} and expires_at > ${now}`.execute(db);
  return rows[0] ?? null;
}

/** False if somebody else is asking, or has just got an answer. */
export async function claimAsking(db: Db, key: string, now: Date, until: Date): Promise<boolean> {
  const { rows } = await sql`
    insert into statistics_cache as held (key, asking_until) values (${key}, ${until})
    on conflict (key) do update set asking_until = excluded.asking_until
      where (held.asking_until is null or held.asking_until <= ${now})
        and (held.expires_at is null or held.expires_at <= ${now})
    returning 1`.execute(db);
  return rows.length > 0;
}

export const storeAnswer = (db: Db, key: string, value: Json, expiresAt: Date) =>
  sql`
    insert into statistics_cache (key, value, expires_at) values (${key}, ${JSON.stringify(value)}::jsonb, ${expiresAt})
    on conflict (key) do update set value = excluded.value, expires_at = excluded.expires_at, asking_until = null`.execute(
    db,
  );

export const endAsking = (db: Db, key: string) =>
  sql`update statistics_cache set asking_until = null where key = ${key}`.execute(db);

export async function forgetExpired(db: Db, now: Date) {
  await sql`delete from statistics_cache where coalesce(expires_at, asking_until) <= ${now}`.execute(db);
  await sql`delete from statistics_rests where until <= ${now}`.execute(db);
}
