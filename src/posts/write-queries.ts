import { type RawBuilder, sql } from 'kysely';
import { quotaLimits } from '../accounts/within-quotas.ts';
import type { Db } from '../db/database.ts';
import { type PostLogEventName, postLogEvents, type WebhookEventName, webhookEvents } from '../events/catalogue.ts';
import type { EmittedEvent, PostLogEntry } from '../events/define-event.ts';
import type { StoreAnswer } from '../http/idempotency.ts';
import type { Json } from '../lib/json.ts';
import { changeCounters, type Reserved } from './edit-queries.ts';
import type { Reservation } from './plan-limits.ts';
import { type NewTarget, targetRows } from './target-queries.ts';
import { tsvectorOf } from './word-queries.ts';

export interface NewGroup {
  id: string;
  userId: string;
  content: string;
  /** Of the content, for the search. */
  words: readonly string[];
  status: 'draft' | 'scheduled';
  scheduledAt: Date | null;
  publishNow: boolean;
  settings: Json;
  firstComments: Json;
  mediaIds: readonly string[];
  targets: NewTarget[];
  logId: string;
  eventId: string;
  now: Date;
}
/**
 * Stores group, targets, log row, event, the month's counters and the answer for the idempotency key in one statement.
 * Returns the answer with its warnings, or null if another request has taken over the idempotency key. A statement that goes
 * over a limit of the plan is rolled back and fails.
 */
export async function insertGroup<T extends Json>(
  db: Db,
  group: NewGroup,
  reservation: Reservation | null,
  answer: T,
  storeAnswer: StoreAnswer | null,
): Promise<T | null> {
  const event = scheduledEvent(group);
  const { rows } = await sql<{ answer: T; stored: boolean }>`
    with wanted as (${targetRows(group.targets)}),
    duplicates as (${duplicatesOf(group)}),
    composed as (select ${withWarnings(answer)} as answer),
    answered as (${storeAnswer?.(sql`(select answer from composed)`) ?? sql`select 1`}),
    limited as (${isHeld(group) ? quotaLimits(group.userId) : sql`select 1`}),
    stored as (
      insert into post_groups (id, user_id, content, status, scheduled_at, publish_now, platform_settings, first_comments,
        media_ids, target_count, open_targets, created_at, updated_at)
      select ${group.id}, ${group.userId}, ${group.content}, ${group.status}, ${group.scheduledAt}::timestamptz,
        ${group.publishNow}, ${JSON.stringify(group.settings)}::jsonb, ${JSON.stringify(group.firstComments)}::jsonb,
        ${group.mediaIds}::text[], ${group.targets.length}, ${group.targets.length}, ${group.now}, ${group.now}
      from answered, limited
      returning id
    ),
    targets as (
      insert into platform_posts (id, post_group_id, user_id, connection_id, platform, account_id, position, content,
        content_overridden, thread_parts, status, reserved_owner_id, reserved_period, created_at, updated_at)
      select wanted.id, stored.id, ${group.userId}, connection_id, platform, account_id, position, wanted.content,
        content_overridden, thread_parts, ${group.status}, ${reservation?.ownerId ?? null}, ${reservation?.period.key ?? null},
        ${group.now}, ${group.now}
      from wanted, stored
    ),
    found_by as (
      insert into post_words (post_group_id, user_id, words)
      select id, ${group.userId}, ${tsvectorOf(group.userId, group.words)} from stored
    ),
    reserved as (${reserve(reservation)} returning 1),
    logged as (
      insert into post_logs (id, post_group_id, user_id, event, created_at)
      select ${group.logId}, id, ${group.userId}, ${postLogEvents.scheduled.name}, ${group.now}::timestamptz
      from stored where ${group.status} = 'scheduled'
    ),
    emitted as (
      insert into events (id, user_id, type, post_group_id, body, created_at)
      select ${group.eventId}, ${group.userId}, ${event?.type ?? null}::text, id, ${event?.body ?? null}::text,
        ${group.now}::timestamptz
      from stored where ${event !== null}
    )
    select (select answer from composed) as answer, exists (select from stored) as stored,
      case when exists (select from stored) and (select count(*) from reserved) < ${reservation?.connections.length ?? 0}
        then refuse('POST_LIMIT_REACHED') end as refused
  `.execute(db);
  const [row] = rows;
  return row?.stored ? row.answer : null;
}

/** Drafts and files count towards the quotas of the plan. A post without either spares the look at them. */
const isHeld = ({ status, mediaIds }: NewGroup) => status === 'draft' || mediaIds.length > 0;

/** Adds to the month's counters if the group was `stored`. A counter that would go over the limit returns no row. */
function reserve(reservation: Reservation | null): RawBuilder<unknown> {
  const limit = reservation?.limit ?? 2_147_483_647;
  return sql`
    insert into usage_counters as counter (owner_id, period, connection, used)
    select ${reservation?.ownerId ?? null}, ${reservation?.period.key ?? null}, wanted.connection, 1
    from stored, unnest(${reservation?.connections ?? []}::text[]) with ordinality as wanted (connection, place)
    order by wanted.place
    on conflict (owner_id, period, connection) do update set used = counter.used + 1
      where counter.used < ${limit}`;
}

/** The answer to an edit that is stored, with a warning for each duplicate of the edited post. */
export async function composeAnswer<T extends Json>(
  tx: Db,
  group: Pick<NewGroup, 'id' | 'status' | 'scheduledAt'>,
  answer: T,
): Promise<T> {
  if (group.status === 'draft') return answer;
  const { rows } = await sql<{ answer: T }>`
    with wanted as (select * from platform_posts where post_group_id = ${group.id}), duplicates as (${duplicatesOf(group)})
    select ${withWarnings(answer)} as answer`.execute(tx);
  return rows[0]!.answer;
}

export const insertGroupLog = (
  tx: Db,
  log: PostLogEntry<PostLogEventName> & { id: string; groupId: string; userId: string; now: Date },
) =>
  sql`insert into post_logs (id, post_group_id, user_id, event, metadata, created_at)
    values (${log.id}, ${log.groupId}, ${log.userId}, ${log.event}, ${log.metadata}::jsonb, ${log.now})`.execute(tx);

export const insertEvent = (
  tx: Db,
  event: EmittedEvent<WebhookEventName> & { id: string; groupId: string; userId: string; now: Date },
) =>
  sql`insert into events (id, user_id, type, post_group_id, body, created_at)
    values (${event.id}, ${event.userId}, ${event.type}, ${event.groupId}, ${event.body}, ${event.now})`.execute(tx);

/** In batches, so that it never locks many rows at once. */
export async function deleteOldLogs(db: Db, before: Date) {
  let deleted = 1n;
  while (deleted > 0n) {
    const { numAffectedRows = 0n } = await sql`
      delete from post_logs where id in (select id from post_logs where created_at < ${before} limit 10000)`.execute(
      db,
    );
    deleted = numAffectedRows;
  }
}

/** Deletes a group and everything that belongs to it. Targets that were not published no longer count for the month. */
export const deleteGroup = (db: Db, userId: string, id: string): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    await lockForDelete(tx, userId, id);
    const { rows: waiting } = await sql<Reserved>`
      select reserved_owner_id as "ownerId", reserved_period as period, platform || '-' || account_id as connection
      from platform_posts
      where post_group_id = ${id} and user_id = ${userId} and status in ('draft', 'scheduled')
        and reserved_period is not null`.execute(tx);
    await changeCounters(tx, waiting, []);
    const { rows } = await sql`
      delete from post_groups where id = ${id} and user_id = ${userId} returning 1`.execute(tx);
    return rows.length > 0;
  });

/** Locks in the order of concurrent statements: edits lock a group before its targets, publishers targets before groups. */
async function lockForDelete(tx: Db, userId: string, id: string) {
  const { rows } = await sql`
    select 1 from post_groups where id = ${id} and user_id = ${userId} and processing_status = 'pending'
    for update`.execute(tx);
  if (rows.length > 0) return;
  await sql`
    select 1 from platform_posts where post_group_id = ${id} and user_id = ${userId} order by id for update`.execute(
    tx,
  );
}

/** Null for a draft, and for a post that is published at once: it is never waiting for its time. */
export function scheduledEvent(group: {
  id: string;
  status: 'draft' | 'scheduled';
  scheduledAt: Date | null;
  publishNow: boolean;
  targets: readonly { platform: string; accountId: string }[];
  now: Date;
}) {
  if (group.status === 'draft' || group.publishNow || !group.scheduledAt) return null;
  const data = {
    postGroupId: group.id,
    scheduledTime: group.scheduledAt.toISOString(),
    platforms: group.targets.map(({ platform, accountId }) => `${platform}-${accountId}`),
  };
  return webhookEvents.postScheduled.emit(data, group.now);
}

/** The warnings of a post that is only checked, with one for each connection that gets the same text from another post. */
export async function withDuplicates<T extends Json>(
  db: Db,
  group: Pick<NewGroup, 'scheduledAt' | 'targets'> & { id: string | null },
  answer: T,
): Promise<T> {
  const { rows } = await sql<{ answer: T }>`
    with wanted as (${targetRows(group.targets)}), duplicates as (${duplicatesOf(group, sql`wanted.position`)})
    select ${withWarnings(answer)} as answer`.execute(db);
  return rows[0]!.answer;
}

/** Posts with the same text on the same connection within a day of this group's time: one for each post or connection. */
const duplicatesOf = (
  group: Pick<NewGroup, 'scheduledAt'> & { id: string | null },
  each = sql`earlier.post_group_id`,
) => sql`
  select distinct on (${each}) earlier.post_group_id, wanted.platform || '-' || wanted.account_id as platform_id
  from wanted
  join platform_posts earlier on earlier.connection_id = wanted.connection_id
    and md5(earlier.content) = md5(wanted.content) and earlier.content = wanted.content
    and earlier.status not in ('draft', 'failed') and earlier.post_group_id is distinct from ${group.id}
  join post_groups on post_groups.id = earlier.post_group_id
  where post_groups.scheduled_at between ${group.scheduledAt}::timestamptz - interval '24 hours'
    and ${group.scheduledAt}::timestamptz + interval '24 hours'
    and wanted.content <> ''
  order by ${each}, wanted.position, post_groups.scheduled_at desc limit 10`;

/** The answer, with a warning for each duplicate after its own warnings. */
const withWarnings = (answer: Json) => sql`
  ${JSON.stringify(answer)}::jsonb || coalesce((
    select jsonb_build_object('warnings', coalesce(${JSON.stringify(answer)}::jsonb -> 'warnings', '[]') || jsonb_agg(
      jsonb_build_object('code', 'DUPLICATE_CONTENT', 'postGroupId', post_group_id, 'platformId', platform_id, 'message',
        'The same text goes to ' || platform_id || ' within 24 hours, in post ' || post_group_id || '.')
      order by post_group_id)) from duplicates having count(*) > 0
  ), '{}')`;
