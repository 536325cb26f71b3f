import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';

export interface SeenPerson {
  personId: string;
  name: string;
  source: 'comment' | 'reaction';
  lastSeenAt: Date;
}

/** Whoever was seen twice, or is known already, is there once, as last seen. */
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

/** Newest first; `pattern` is for `ilike`. */
export async function selectPeople(db: Db, userId: string, pattern: string, limit: number): Promise<SeenPerson[]> {
  const { rows } = await sql<SeenPerson>`
    select person_id as "personId", name, source, last_seen_at as "lastSeenAt" from linkedin_people
    where user_id = ${userId} and name ilike ${pattern}
    order by last_seen_at desc, name, person_id limit ${limit}`.execute(db);
  return rows;
}
