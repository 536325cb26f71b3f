import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';

/** One name in one time window. */
export interface RateWindow {
  name: string;
  start: Date;
}

/** Adds to the counters and returns their totals, in order. */
export async function addToRateCounters(db: Db, counts: readonly (RateWindow & { used: number })[]): Promise<number[]> {
  const { rows } = await sql<{ name: string; start: Date; used: number }>`
    insert into rate_counters (name, window_start, used)
    select * from unnest(${counts.map(({ name }) => name)}::text[], ${counts.map(({ start }) => start)}::timestamptz[],
      ${counts.map(({ used }) => used)}::integer[]) as counted (name, window_start, used)
    -- Every process locks the rows in this order, so that they cannot deadlock.
    order by name, window_start
    on conflict (name, window_start) do update set used = rate_counters.used + excluded.used
    returning name, window_start as start, used`.execute(db);
  const keyOf = ({ name, start }: RateWindow) => `${start.getTime()} ${name}`;
  const totals = new Map(rows.map((row) => [keyOf(row), row.used]));
  return counts.map((window) => totals.get(keyOf(window)) ?? 0);
}

/** No window is longer than an hour. */
export async function deleteOldRateCounters(db: Db, now: Date) {
  await db
    .deleteFrom('rate_counters')
    .where('window_start', '<', new Date(now.getTime() - 7_200_000))
    .execute();
}
