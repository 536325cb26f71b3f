import { sql } from 'kysely';
import { anyOf } from '../../foundation/db/any-of.ts';
import type { Db } from '../../foundation/db/database.ts';
import type { Json } from '../../foundation/lib/json.ts';

/** The cached values that have not expired, by key. */
export async function readValues(db: Db, keys: readonly string[], now: Date): Promise<Map<string, Json>> {
  const rows = await db
    .selectFrom('statistics_cache')
    .select(['key', 'value'])
    .where('key', '=', anyOf(keys))
    .where('expires_at', '>', now)
    .execute();
  return new Map(rows.map(({ key, value }) => [key, value]));
}

/** The keys that the caller must fetch: no other process is fetching them, and they have no current value. */
export async function claimFetch(db: Db, keys: readonly string[], now: Date, until: Date): Promise<string[]> {
  // Every process claims in the same order. Otherwise two processes that claim the same keys could deadlock.
  const { rows } = await sql<{ key: string }>`
    insert into statistics_cache as cached (key, fetching_until)
    select key, ${until}::timestamptz from unnest(${[...keys].sort()}::text[]) as wanted (key)
    on conflict (key) do update set fetching_until = excluded.fetching_until
      where (cached.fetching_until is null or cached.fetching_until <= ${now})
        and (cached.expires_at is null or cached.expires_at <= ${now})
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

/** Releases only claims with exactly this expiry: a process that took over an expired claim keeps its own. */
export const releaseFetch = (db: Db, keys: readonly string[], until: Date) =>
  db
    .updateTable('statistics_cache')
    .set({ fetching_until: null })
    .where('key', '=', anyOf(keys))
    .where('fetching_until', '=', until)
    .execute();

export async function readCooldown(db: Db, key: string, now: Date): Promise<Date | null> {
  const found = await db
    .selectFrom('statistics_cooldowns')
    .select('until')
    .where('key', '=', key)
    .where('until', '>', now)
    .executeTakeFirst();
  return found?.until ?? null;
}

/** A later, shorter cooldown does not shorten a longer one. */
export const storeCooldown = (db: Db, key: string, until: Date) =>
  db
    .insertInto('statistics_cooldowns')
    .values({ key, until })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({ until: sql`greatest(statistics_cooldowns.until, excluded.until)` }),
    )
    .execute();

/** Rows with a valid claim stay, with or without an expired value. */
export async function deleteExpired(db: Db, now: Date) {
  await db
    .deleteFrom('statistics_cache')
    .where(sql<Date>`coalesce(greatest(expires_at, fetching_until), '-infinity')`, '<=', now)
    .execute();
  await db.deleteFrom('statistics_cooldowns').where('until', '<=', now).execute();
}
