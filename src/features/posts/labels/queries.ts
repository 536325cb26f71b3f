import { sql } from 'kysely';
import { lockOf } from '../../../foundation/db/advisory-locks.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { labelColours } from '../../../foundation/errors/labels.ts';
import { hasLabel } from '../list/word-queries.ts';

export interface Label {
  name: string;
  colour: (typeof labelColours)[number];
}

/** Returns whether any of them is new. */
export async function addLabels(tx: Db, userId: string, names: readonly string[], now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into labels (user_id, name, colour, created_at)
    select ${userId}, name, colour, ${now}
    from unnest(${names}::text[], ${names.map(firstColour)}::text[]) as new (name, colour)
    -- The same order in every statement prevents deadlocks.
    order by name collate "C"
    on conflict do nothing`.execute(tx);
  return numAffectedRows !== 0n;
}

export const lockNewLabels = (tx: Db, userId: string) => lockOf(tx, 'labels of', userId);

/** Labels that no post uses make room for new ones. */
export const deleteUnusedLabels = (db: Db, userId: string) =>
  sql`delete from labels where user_id = ${userId} and not (${hasLabel(userId)})`.execute(db);

export async function countLabels(tx: Db, userId: string): Promise<number> {
  const { rows } = await sql<{ labels: number }>`
    select count(*)::int as labels from labels where user_id = ${userId}`.execute(tx);
  return rows[0]!.labels;
}

/** Different labels usually get different colours, and the same label always gets the same one. */
function firstColour(name: string): Label['colour'] {
  const sum = [...name].reduce((hash, letter) => (hash * 31 + letter.codePointAt(0)!) % 1_000_003, 7);
  return labelColours[sum % labelColours.length]!;
}

export async function selectLabels(db: Db, userId: string): Promise<Label[]> {
  const { rows } = await sql<Label>`
    select name, colour from labels where user_id = ${userId} and ${hasLabel(userId)}
    order by lower(name), name`.execute(db);
  return rows;
}

export async function setColour(db: Db, userId: string, { name, colour }: Label): Promise<Label | null> {
  const { rows } = await sql<Label>`
    update labels set colour = ${colour} where user_id = ${userId} and name = ${name} returning name, colour`.execute(
    db,
  );
  return rows[0] ?? null;
}
