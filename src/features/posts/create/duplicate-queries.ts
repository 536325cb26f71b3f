import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../foundation/db/database.ts';
import type { Json } from '../../../foundation/lib/json.ts';
import { type NewTarget, targetRows } from '../target-queries.ts';

/** The response to a stored edit, with a warning for each duplicate of the edited post. */
export async function composeAnswer<T extends Json>(
  tx: Db,
  group: { id: string; status: 'draft' | 'scheduled'; scheduledAt: Date | null },
  answer: T,
): Promise<T> {
  if (group.status === 'draft') return answer;
  const { rows } = await sql<{ answer: T }>`
    with wanted as (select * from platform_posts where post_group_id = ${group.id}), duplicates as (${duplicatesOf(group)})
    select ${withWarnings(json(answer))} as answer`.execute(tx);
  return rows[0]!.answer;
}

/**
 * The warnings of a post that is only validated, with one for each connection that gets the same text from another
 * post.
 */
export async function withDuplicates<T extends Json>(
  db: Db,
  group: { id: string | null; scheduledAt: Date | null; targets: readonly NewTarget[] },
  answer: T,
): Promise<T> {
  const { rows } = await sql<{ answer: T }>`
    with wanted as (${targetRows(group.targets)}), duplicates as (${duplicatesOf(group, sql`wanted.position`)})
    select ${withWarnings(json(answer))} as answer`.execute(db);
  return rows[0]!.answer;
}

/** Thousands of posts can have the same text, and every new post with it is compared with them. */
export const maxCompared = 50;

/**
 * Posts with the same text on the same connection as a row of `wanted`, within a day of this group's time. One for
 * each post or connection.
 */
export const duplicatesOf = (
  group: { id: string | null | RawBuilder<unknown>; scheduledAt: Date | null | RawBuilder<unknown> },
  each = sql`earlier.post_group_id`,
) => sql`
  select distinct on (${each}) earlier.post_group_id, wanted.platform || '-' || wanted.account_id as platform_id
  from wanted
  cross join lateral (
    select post_group_id, content, status from platform_posts
    where connection_id = wanted.connection_id and md5(content) = md5(wanted.content) and wanted.content <> ''
    order by created_at desc limit ${sql.lit(maxCompared)}
  ) earlier
  join post_groups on post_groups.id = earlier.post_group_id
  where earlier.content = wanted.content
    and earlier.status not in ('draft', 'failed') and earlier.post_group_id is distinct from ${group.id}
    and post_groups.scheduled_at between ${group.scheduledAt}::timestamptz - interval '24 hours'
    and ${group.scheduledAt}::timestamptz + interval '24 hours'
  order by ${each}, wanted.position, post_groups.scheduled_at desc limit 10`;

/** The response, a jsonb expression, with a warning for each duplicate after its existing warnings. */
export const withWarnings = (answer: RawBuilder<unknown>, duplicates = sql`duplicates`) => sql`
  ${answer} || coalesce((
    select jsonb_build_object('warnings', coalesce(${answer} -> 'warnings', '[]') || jsonb_agg(
      jsonb_build_object('code', 'DUPLICATE_CONTENT', 'postGroupId', post_group_id, 'platformId', platform_id, 'message',
        'The same text goes to ' || platform_id || ' within 24 hours, in post ' || post_group_id || '.')
      order by post_group_id)) from ${duplicates} having count(*) > 0
  ), '{}')`;

const json = (answer: Json) => sql`${JSON.stringify(answer)}::jsonb`;
