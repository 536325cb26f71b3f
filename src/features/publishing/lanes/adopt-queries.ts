import { sql } from 'kysely';
import { lockedBy } from '../../../foundation/db/advisory-locks.ts';
import type { Db } from '../../../foundation/db/database.ts';
import type { NamedStep } from '../attempt/step-queries.ts';

export interface Ownership {
  /** The ids that belong to another post of the account, or to another step of this post. */
  owned: Set<string>;
  /**
   * Time since the last request of a post that could own one of the ids and has no known outcome yet. Null if there
   * is none.
   */
  otherSentMsAgo: number | null;
}

/**
 * Prevents other runs from adopting a post of this account until the transaction ends. An account that several users
 * have connected counts as one.
 */
export async function lockAdoption(tx: Db, postId: string): Promise<void> {
  await sql`
    select ${lockedBy('adopt', sql`platform || ' ' || account_id`)}
    from platform_posts where id = ${postId}`.execute(tx);
}

/**
 * An id is stored in the step that created it, in the post once it is published, and for a while after the post was
 * deleted. Replies are found through the
 * post they reply to, so only posts in progress can have a step whose id is not yet stored in the post.
 */
export async function readOwnership(tx: Db, { id, name }: NamedStep, ids: readonly string[]): Promise<Ownership> {
  const { rows } = await sql<{ owned: string[]; otherSentMsAgo: number | null }>`
    with this as (
      select post.id, platform, account_id, fingerprint from platform_posts post
      left join publish_steps on platform_post_id = post.id and name = ${name} where post.id = ${id}
    ),
    in_progress as (
      select post.id from this
      join connections on connections.platform = this.platform and connections.account_id = this.account_id
      join platform_posts post on post.connection_id = connections.id and post.run_at is not null and post.id <> this.id
      union all
      -- The account was disconnected while they were being published, and then connected again.
      select post.id from this
      join platform_posts post on post.connection_id is null and post.run_at is not null
        and post.platform = this.platform and post.account_id = this.account_id and post.id <> this.id
    ),
    steps as (
      select step.* from publish_steps step join in_progress on platform_post_id = in_progress.id
      union all
      select step.* from publish_steps step where platform_post_id = ${id} and name <> ${name}
    )
    select array(
        select posted_id from this
        join platform_posts other on posted_id = any (${ids}::text[]) and other.platform = this.platform
          and other.account_id = this.account_id and other.id <> this.id
        union
        select posted_id from this
        join deleted_posts using (platform, account_id) where posted_id = any (${ids}::text[])
        union
        select result ->> 'id' from steps where result ->> 'id' = any (${ids}::text[])
      ) as owned,
      (select (1000 * extract(epoch from clock_timestamp() - max(last_sent_at)))::float8
        from steps where ended_at is null and platform_post_id <> ${id} and makes_visible
          and coalesce(fingerprint = (select fingerprint from this), true)) as "otherSentMsAgo"`.execute(tx);
  const [row] = rows;
  return { owned: new Set(row?.owned), otherSentMsAgo: row?.otherSentMsAgo ?? null };
}
