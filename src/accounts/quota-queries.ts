import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

export interface UsageRow {
  hasManagedUsers: boolean;
  reservedByAccount: number;
  reservedByConnection: { platformSelection: string; used: number }[];
  queue: number;
  connections: number;
}

/** What an owner and the users it manages have used together. */
export async function selectUsage(db: Db, ownerId: string, period: string): Promise<UsageRow> {
  const { rows } = await sql<UsageRow>`
    with members as (
      select id from users where id = ${ownerId} or parent_user_id = ${ownerId}
    ),
    reserved as (
      select connection, used from usage_counters where owner_id = ${ownerId} and period = ${period}
    )
    select
      exists (select from users where parent_user_id = ${ownerId}) as "hasManagedUsers",
      (select coalesce(sum(used), 0)::int from reserved) as "reservedByAccount",
      coalesce((
        select json_agg(json_build_object('platformSelection', connection, 'used', used) order by connection)
        from reserved
      ), '[]') as "reservedByConnection",
      (
        select coalesce(sum(target_count), 0)::int from post_groups
        where user_id in (select id from members)
          and status = 'scheduled' and processing_status = 'pending' and not publish_now
      ) as queue,
      (select count(*)::int from connections where user_id in (select id from members)) as connections`.execute(db);
  return rows[0]!;
}
