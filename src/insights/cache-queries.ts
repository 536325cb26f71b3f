import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { Json } from '../lib/json.ts';

/** Of those keys under which an answer is remembered. */
export async function readValues(db: Db, keys: readonly string[], now: Date): Promise<Map<string, Json>> {
  const { rows } = await sql<{ key: string; value: Json }>`
    select key, value from statistics_cache where key = any(${keys}) and expires_at > ${now}`.execute(db);
  return new Map(rows.map(({ key, value }) => [key, value]));
}

/** Those that are ours to ask: not the keys that somebody else is asking, or has just got an answer for. */
export async function claimFetch(db: Db, keys: readonly string[], now: Date, until: Date): Promise<string[]> {
  // In one order for everybody, or two who claim the same keys could wait for each other for good.
  const { rows } = await sql<{ key: string }>`
    insert into statistics_cache as held (key, fetching_until)
    select key, ${until}::timestamptz from unnest(${[...keys].sort()}::text[]) as wanted (key)
    on conflict (key) do update set fetching_until = excluded.fetching_until
      where (held.fetching_until is null or held.fetching_until <= ${now})
        and (held.expires_at is null or held.expires_at <= ${now})
    returning key`.execute(db);
  return rows.map(({ key }) => key);
}

export const storeValues = (db: Db, answers: readonly (readonly [key: string, value: Json])[], expiresAt: Date) =>
  sql`
    insert into statistics_cache (key, value, expires_at)
    select key, value::jsonb, ${expiresAt}::timestamptz
    from unnest(
      ${answers.map(([key]) => key)}::text[],
      ${answers.map(([, value]) => JSON.stringify(value))}::text[]
    ) as answer (key, value)
    order by key
    on conflict (key) do update set value = excluded.value, expires_at = excluded.expires_at, fetching_until = null`.execute(
    db,
  );

/** Only claims of that very time: whoever took over from one that was too slow keeps its own. */
export const releaseFetch = (db: Db, keys: readonly string[], until: Date) =>
  sql`update statistics_cache set fetching_until = null
    where key = any(${keys}) and fetching_until = ${until}`.execute(db);

export async function readCooldown(db: Db, key: string, now: Date): Promise<Date | null> {
  const { rows } = await sql<{ until: Date }>`
    select until from statistics_cooldowns where key = ${key} and until > ${now}`.execute(db);
  return rows[0]?.until ?? null;
}

/** A rest is never cut short by a later, shorter one. */
export const storeCooldown = (db: Db, key: string, until: Date) =>
  sql`
    insert into statistics_cooldowns as held (key, until) values (${key}, ${until})
    on conflict (key) do update set until = greatest(held.until, excluded.until)`.execute(db);

/** Claims that are still good stay, with or without an old answer beside them. */
export async function deleteExpired(db: Db, now: Date) {
  await sql`
    delete from statistics_cache
    where coalesce(greatest(expires_at, fetching_until), '-infinity') <= ${now}`.execute(db);
  await sql`delete from statistics_cooldowns where until <= ${now}`.execute(db);
}
