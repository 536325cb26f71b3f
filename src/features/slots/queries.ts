import { sql } from 'kysely';
import { lockOf } from '../../foundation/db/advisory-locks.ts';
import type { Db } from '../../foundation/db/database.ts';
import type { Slot } from './slot-times.ts';

export interface PostingSlots {
  timeZone: string;
  slots: Slot[];
}

export async function findSlots(db: Db, userId: string): Promise<PostingSlots | null> {
  const { rows } = await sql<PostingSlots>`
    select time_zone as "timeZone", slots from posting_slots where user_id = ${userId}`.execute(db);
  return rows[0] ?? null;
}

export interface SlotsOfBrand extends PostingSlots {
  userId: string;
}

/** Of these users, oldest first, each who has any. */
export async function selectSlots(db: Db, userIds: readonly string[]): Promise<SlotsOfBrand[]> {
  const { rows } = await sql<SlotsOfBrand>`
    select user_id as "userId", time_zone as "timeZone", slots from posting_slots
    where user_id = any (${userIds}::text[]) and slots <> '[]' order by user_id`.execute(db);
  return rows;
}

export const storeSlots = (db: Db, userId: string, { timeZone, slots }: PostingSlots, now: Date) =>
  sql`
    insert into posting_slots (user_id, time_zone, slots, updated_at)
    values (${userId}, ${timeZone}, ${JSON.stringify(slots)}::jsonb, ${now})
    on conflict (user_id) do update
      set time_zone = excluded.time_zone, slots = excluded.slots, updated_at = excluded.updated_at`.execute(db);

/** Until the transaction ends, no other transaction can take a slot of this user. */
export const lockSlots = (tx: Db, userId: string) => lockOf(tx, 'slots of', userId);

export interface Wanted {
  userId: string;
  /** Empty for every channel. */
  platformIds: readonly string[];
  /** A post that may keep its own slot. */
  exceptGroupId: string | null;
}

/** Returns those times, in milliseconds, at which one of the channels has a scheduled post. A slot is a minute long. */
export async function takenTimes(
  db: Db,
  { userId, platformIds, exceptGroupId }: Wanted,
  times: readonly Date[],
): Promise<Set<number>> {
  const { rows } = await sql<{ at: Date }>`
    select at from unnest(${times}::timestamptz[]) as slot (at)
    where exists (
      select from (
        -- Without an offset, the planner may read all scheduled posts of the user once and compare each with each slot.
        select id from post_groups
        where user_id = ${userId} and scheduled_at >= at and scheduled_at < at + interval '1 minute'
          and status = 'scheduled' and id is distinct from ${exceptGroupId}
        offset 0
      ) due
      join platform_posts on post_group_id = due.id
      where cardinality(${platformIds}::text[]) = 0 or platform || '-' || account_id = any (${platformIds}::text[])
    )`.execute(db);
  return new Set(rows.map(({ at }) => at.getTime()));
}
