import { type RawBuilder, sql } from 'kysely';
import { type PlanKey, planKeys, plans, type Quotas } from '../../config/plans.ts';
import { lockOf } from '../../foundation/db/advisory-locks.ts';
import type { Db } from '../../foundation/db/database.ts';

export interface UsageRow {
  hasManagedUsers: boolean;
  reservedByAccount: number;
  reservedByConnection: { platformSelection: string; used: number }[];
  queue: number;
  connections: number;
  stored: Quotas;
}

/** The combined usage of an owner and the users it manages. */
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
      (select count(*)::int from connections where user_id in (select id from members)) as connections,
      (
        select json_build_object('drafts', coalesce(sum(drafts), 0), 'uploads', coalesce(sum(uploads), 0),
          'bytes', coalesce(sum(bytes), 0), 'webhooks', coalesce(sum(webhooks), 0))
        from quota_usage where user_id in (select id from members)
      ) as stored`.execute(db);
  return rows[0]!;
}

/** One request per owner at a time, so that what it counts is still correct when it stores. */
export const lockPlan = (tx: Db, ownerId: string) => lockOf(tx, 'plan of', ownerId);

const limitsByPlan = JSON.stringify(
  Object.fromEntries(planKeys.map((plan) => [plan, { plan, ...plans[plan].quotas }])),
);

/**
 * Enforces the quotas of the user's plan until the transaction ends. A query whose result is not needed, so that a
 * single-statement transaction can contain it.
 */
export const quotaLimits = (userId: string): RawBuilder<unknown> => sql`
  select set_config('crier.quotas', ${limitsByPlan}::jsonb ->> owner.plan, true)
  from users holder join users owner on owner.id = coalesce(holder.parent_user_id, holder.id)
  where holder.id = ${userId}`;

export const setQuotaLimits = (tx: Db, userId: string) => quotaLimits(userId).execute(tx);

export async function selectStoredBytes(
  db: Db,
  userId: string,
): Promise<{ plan: PlanKey; limit: number; used: number }> {
  const { rows } = await sql<{ plan: PlanKey; used: string }>`
    with owner as (
      select owner.id, owner.plan from users holder
      join users owner on owner.id = coalesce(holder.parent_user_id, holder.id) where holder.id = ${userId}
    )
    select plan, (
      select coalesce(sum(bytes), 0) from quota_usage
      where user_id in (select id from owner union all select id from users where parent_user_id = (select id from owner))
    ) as used from owner`.execute(db);
  const { plan, used } = rows[0]!;
  return { plan, limit: plans[plan].quotas.bytes, used: Number(used) };
}
