import { sql } from 'kysely';
import type { Db } from '../../../foundation/db/database.ts';
import { postLogEvents } from '../../../foundation/events/catalogue.ts';
import { unsharedOf } from '../../files/files.ts';
import type { OwnFiles } from '../../files/files-of-target.ts';
import { isReconnected } from '../../posts/reconnected.ts';
import type { PublishError } from '../attempt/failures.ts';
import { joinLanes } from '../lanes/lane-queries.ts';

/** The fields of a target that a retry needs. */
export interface EndedTarget {
  id: string;
  connectionId: string | null;
  platform: string;
  accountId: string;
  mediaIds: OwnFiles;
  status: 'draft' | 'scheduled' | 'pending' | 'processing' | 'published' | 'failed';
  error: PublishError | null;
  /** It failed because the account had to be reconnected, and it has been. */
  isReconnected: boolean;
  /** A request was sent, and it is unknown whether it took effect. */
  isOpen: boolean;
  reserved: { ownerId: string; period: string; connection: string } | null;
}

export interface EndedGroup {
  mediaIds: string[];
  /** Those of its files that are not shared. */
  unsharedIds: string[];
  targets: EndedTarget[];
}

export async function findEnded(db: Db, userId: string, groupId: string): Promise<EndedGroup | null> {
  const { rows } = await sql<EndedGroup>`
    select media_ids as "mediaIds", ${unsharedOf(sql`post_groups.id`)} as "unsharedIds", coalesce((
      select json_agg(target order by position) from (
        select id, (select id from connections where connections.id = connection_id) as "connectionId", platform, account_id as "accountId",
          media_ids as "mediaIds", status, error, position,
          coalesce(${isReconnected}, false) as "isReconnected",
          exists (
            select from publish_steps where platform_post_id = platform_posts.id and ended_at is null
          ) as "isOpen",
          case when reserved_period is not null then json_build_object('ownerId', reserved_owner_id,
            'period', reserved_period, 'connection', platform || '-' || account_id) end as reserved
        from platform_posts where post_group_id = post_groups.id
      ) target
    ), '[]') as targets
    from post_groups where id = ${groupId} and user_id = ${userId}`.execute(db);
  return rows[0] ?? null;
}

/** Also locks the targets until the transaction ends, in the same order as publishers: by id and before their group. */
export async function lockEnded(tx: Db, userId: string, groupId: string): Promise<EndedGroup | null> {
  await sql`
    select 1 from platform_posts where post_group_id = ${groupId} and user_id = ${userId} order by id for update`.execute(
    tx,
  );
  return findEnded(tx, userId, groupId);
}

export interface Rerun {
  groupId: string;
  targets: readonly { id: string; logId: string }[];
  /** Targets counted in an earlier month, and the month they count towards now. */
  counted: { ids: readonly string[]; ownerId: string; period: string } | null;
  now: Date;
}

/**
 * Makes failed targets due now. Their steps stay, so completed steps are not repeated. The targets keep their error
 * until the attempt has ended, and get the full number of retries again.
 */
export async function runAgain(tx: Db, { groupId, targets, counted, now }: Rerun) {
  await sql`
    with wanted as (
      select * from unnest(${targets.map(({ id }) => id)}::text[], ${targets.map(({ logId }) => logId)}::text[])
        as target (id, log_id)
    ),
    pending as (
      update platform_posts set status = 'pending', run_at = ${now}, attempts = 0, rate_limited_since = null,
        thread_parts = coalesce((
          select jsonb_agg(part || '{"status": "pending"}' order by place)
          from jsonb_array_elements(thread_parts) with ordinality as parts (part, place)
        ), '[]'),
        ${counted ? countedIn(counted) : sql``} updated_at = ${now}
      from wanted where platform_posts.id = wanted.id and platform_posts.status = 'failed'
      returning platform_posts.*, wanted.log_id
    ),
    reopened as (
      update post_groups set status = 'scheduled', processing_status = 'processing', version = version + 1,
        open_targets = open_targets + (select count(*) from pending), updated_at = ${now}
      where id = ${groupId}
    ),
    logged as (
      insert into post_logs (id, post_group_id, user_id, platform_post_id, platform, event, created_at)
      select log_id, post_group_id, user_id, id, platform, ${postLogEvents.retryRequested.name}, ${now}::timestamptz
      from pending
    )
    ${joinLanes(now)}`.execute(tx);
}

const countedIn = ({ ids, ownerId, period }: NonNullable<Rerun['counted']>) => sql`
  reserved_owner_id = case when platform_posts.id = any (${ids}::text[]) then ${ownerId} else reserved_owner_id end,
  reserved_period = case when platform_posts.id = any (${ids}::text[]) then ${period} else reserved_period end,`;
