import { sql } from 'kysely';
import type { Db } from '../../../foundation/db/database.ts';
import { type LockTimeout, longLockTimeout } from '../../../foundation/db/lock-timeout.ts';
import { postLogEvents } from '../../../foundation/events/catalogue.ts';
import type { ClaimedKey } from '../../../foundation/http/idempotency.ts';
import type { Json } from '../../../foundation/lib/json.ts';
import { quotaLimits } from '../../users/within-quotas.ts';
import { labelWord, taggedWords } from '../list/word-queries.ts';
import { distinctTexts, type NewTarget, platformsOf } from '../target-queries.ts';
import { scheduledEvent } from '../write-queries.ts';
import { duplicatesOf, withWarnings } from './duplicate-queries.ts';
import type { Reservation } from './plan-limits.ts';

export interface NewGroup {
  id: string;
  userId: string;
  content: string;
  /** The words of the content, for the search. */
  words: readonly string[];
  status: 'draft' | 'scheduled';
  scheduledAt: Date | null;
  publishNow: boolean;
  settings: Json;
  firstComments: Json;
  mediaIds: readonly string[];
  labels: readonly string[];
  targets: NewTarget[];
  logId: string;
  eventId: string;
  now: Date;
}

/** A group with everything that is stored in the same statement. */
export interface NewPost<T extends Json = Json> {
  group: NewGroup;
  reservation: Reservation | null;
  answer: T;
  claimedKey: ClaimedKey | null;
}

/** Drafts and files count towards the quotas of the plan. A post with neither skips the quota check. */
export const countsForQuotas = ({ status, mediaIds }: NewGroup) => status === 'draft' || mediaIds.length > 0;

/**
 * Stores groups, targets, log rows, events, the month's counters and the responses for idempotency keys in one
 * statement. Returns each response with its warnings, or null if another request has taken over the idempotency key.
 * Exceeding a plan limit rolls back the whole statement, so posts may share one only if each is then retried alone. A
 * post that counts towards quotas always has its own statement.
 */
export async function insertGroups<T extends Json>(
  db: Db,
  posts: readonly NewPost<T>[],
  lockTimeout: LockTimeout = longLockTimeout,
): Promise<(T | null)[]> {
  const counted = posts.find(({ group }) => countsForQuotas(group));
  const { rows } = await sql<{ answer: T; stored: boolean }>`
    with input as materialized (
      select place, item
      from ${lockTimeout}, jsonb_array_elements(${JSON.stringify(posts.map(itemOf))}::jsonb) with ordinality as input (item, place)
    ),
    new_groups as materialized (
      select place, item -> 'answer' as answer, item -> 'texts' ->> 0 as content, new_group.*
      from input, jsonb_to_record(item -> 'group') as new_group (id text, user_id text, words text[], status text,
        scheduled_at timestamptz, publish_now boolean, settings jsonb, first_comments jsonb, media_ids text[],
        labels text[], platforms text[], target_count integer, log_id text, event_id text, event_type text, event_body text, now timestamptz)
    ),
    reservations as materialized (
      select place, reservation.*
      from input, jsonb_to_record(item -> 'reservation') as reservation (owner_id text, period text, connections text[],
        max_used integer)
    ),
    wanted as materialized (
      select place, id, connection_id, platform, account_id, item -> 'texts' ->> text_place as content, content_overridden,
        (item -> 'parts' ->> thread_place)::jsonb as thread_parts, media_ids, position
      from input, rows from (
        jsonb_to_recordset(item -> 'targets') as (id text, connection_id text, platform text, account_id text,
          text_place integer, content_overridden boolean, thread_place integer, media_ids text[])
      ) with ordinality as target (id, connection_id, platform, account_id, text_place, content_overridden, thread_place,
        media_ids, position)
    ),
    duplicates as materialized (
      select new_group.place, duplicate.*
      from new_groups new_group cross join lateral (
        with wanted as (select * from wanted where wanted.place = new_group.place)
        ${duplicatesOf({ id: sql`new_group.id`, scheduledAt: sql`new_group.scheduled_at` })}
      ) duplicate
    ),
    composed as materialized (
      select place, ${withWarnings(sql`answer`, sql`duplicates where duplicates.place = new_groups.place`)} as answer
      from new_groups
    ),
    answered as (
      update idempotency_keys claimed set answer = composed.answer
      from composed join input using (place),
        jsonb_to_record(item -> 'claimedKey') as claimed_key ("userId" text, key text, token text)
      where claimed.user_id = "userId" and claimed.key = claimed_key.key and claimed.claim_token = token
      returning place
    ),
    limited as (${counted ? quotaLimits(counted.group.userId) : sql`select 1`}),
    stored as (
      insert into post_groups (id, user_id, content, status, scheduled_at, publish_now, platform_settings, first_comments,
        media_ids, labels, platforms, target_count, open_targets, created_at, updated_at)
      select id, user_id, content, status, scheduled_at, publish_now, settings, first_comments, media_ids, labels, platforms,
        target_count, target_count, now, now
      from new_groups join input using (place), limited
      where not item ? 'claimedKey' or place in (select place from answered)
      returning id
    ),
    stored_groups as (select new_groups.* from new_groups join stored using (id)),
    targets as (
      insert into platform_posts (id, post_group_id, user_id, connection_id, platform, account_id, position, content,
        content_overridden, thread_parts, media_ids, status, reserved_owner_id, reserved_period, created_at, updated_at)
      select wanted.id, stored_groups.id, user_id, connection_id, platform, account_id, position, wanted.content,
        content_overridden, thread_parts, wanted.media_ids, status, owner_id, period, now, now
      from stored_groups join wanted using (place) join reservations using (place)
    ),
    found_by as (
      insert into post_words (post_group_id, user_id, words)
      select id, user_id, array_to_tsvector(words) from stored_groups
    ),
    used as materialized (
      select owner_id, period, connection, count(*)::integer as used, coalesce(min(max_used), 2147483647) as max_used
      from stored_groups join reservations using (place), unnest(connections) as connection
      group by owner_id, period, connection
    ),
    reserved as (
      insert into usage_counters as counter (owner_id, period, connection, used)
      select owner_id, period, connection, used from used where used <= max_used
      -- The same order in every statement prevents deadlocks.
      order by owner_id collate "C", period collate "C", connection collate "C"
      on conflict (owner_id, period, connection) do update set used = counter.used + excluded.used
        where counter.used + excluded.used <= (
          select max_used from used
          where used.owner_id = counter.owner_id and used.period = counter.period and used.connection = counter.connection
        )
      returning 1
    ),
    logged as (
      insert into post_logs (id, post_group_id, user_id, event, created_at)
      select log_id, id, user_id, ${postLogEvents.scheduled.name}, now from stored_groups where status = 'scheduled'
    ),
    emitted as (
      insert into events (id, user_id, type, post_group_id, body, created_at)
      select event_id, user_id, event_type, id, event_body, now from stored_groups where event_type is not null
    )
    select composed.answer, stored.id is not null as stored,
      case when (select count(*) from reserved) < (select count(*) from used) then refuse('POST_LIMIT_REACHED') end as refused
    from new_groups join composed using (place) left join stored using (id)
    order by place
  `.execute(db);
  return rows.map(({ answer, stored }) => (stored ? answer : null));
}

/** The input of the statement. Each text is sent once, because many targets may have the same long text. */
function itemOf({ group, reservation, answer, claimedKey }: NewPost) {
  const event = scheduledEvent(group);
  const texts = distinctTexts([group.content, ...group.targets.map(({ content }) => content)]);
  const parts = distinctTexts(group.targets.map(({ threadParts }) => threadParts));
  return {
    group: {
      id: group.id,
      user_id: group.userId,
      words: taggedWords(group.userId, [...group.words, ...group.labels.map(labelWord)]),
      status: group.status,
      scheduled_at: group.scheduledAt,
      publish_now: group.publishNow,
      settings: group.settings,
      first_comments: group.firstComments,
      media_ids: group.mediaIds,
      labels: group.labels,
      platforms: platformsOf(group.targets),
      target_count: group.targets.length,
      log_id: group.logId,
      event_id: group.eventId,
      event_type: event?.type,
      event_body: event?.body,
      now: group.now,
    },
    texts: texts.texts,
    parts: parts.texts,
    targets: group.targets.map((target, position) => ({
      id: target.id,
      connection_id: target.connectionId,
      platform: target.platform,
      account_id: target.accountId,
      text_place: texts.places[position + 1],
      content_overridden: target.contentOverridden,
      thread_place: parts.places[position],
      ...(target.mediaIds && { media_ids: target.mediaIds }),
    })),
    ...(reservation && {
      reservation: {
        owner_id: reservation.ownerId,
        period: reservation.period.key,
        connections: reservation.connections,
        max_used: reservation.limit,
      },
    }),
    answer,
    ...(claimedKey && { claimedKey: { userId: claimedKey.userId, key: claimedKey.key, token: claimedKey.token } }),
  };
}
