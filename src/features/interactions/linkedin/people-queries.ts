import { sql } from 'kysely';
import type { Db } from '../../../foundation/db/database.ts';

export interface Mentionable {
  personId: string;
  name: string;
  source: 'comment' | 'reaction';
  lastSeenAt: Date;
}

/** Each person has one row. A person who is seen again gets the latest name, source and time. */
export const upsertPeople = (
  db: Db,
  userId: string,
  people: readonly { id: string; name: string; source: string }[],
  now: Date,
) =>
  sql`
    insert into linkedin_people (user_id, person_id, name, source, last_seen_at)
    select distinct on (id) ${userId}, id, name, source, ${now}::timestamptz
    from unnest(
      ${people.map(({ id }) => id)}::text[],
      ${people.map(({ name }) => name)}::text[],
      ${people.map(({ source }) => source)}::text[]
    ) with ordinality as seen (id, name, source, place)
    order by id, place
    on conflict (user_id, person_id) do update set
      name = excluded.name, source = excluded.source, last_seen_at = excluded.last_seen_at`.execute(db);

/** Newest first. `pattern` is for `ilike`. */
export function selectPeople(
  db: Db,
  userId: string,
  { pattern, since, limit }: { pattern: string; since: Date; limit: number },
): Promise<Mentionable[]> {
  return db
    .selectFrom('linkedin_people')
    .select(['person_id as personId', 'name', 'source', 'last_seen_at as lastSeenAt'])
    .where('user_id', '=', userId)
    .where('last_seen_at', '>', since)
    .where('name', 'ilike', pattern)
    .orderBy('last_seen_at', 'desc')
    .orderBy('name')
    .orderBy('person_id')
    .limit(limit)
    .execute();
}

export async function deletePeopleSeenBefore(db: Db, time: Date) {
  await db.deleteFrom('linkedin_people').where('last_seen_at', '<=', time).execute();
}
