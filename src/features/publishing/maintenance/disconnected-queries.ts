import { sql } from 'kysely';
import type { Db } from '../../../foundation/db/database.ts';
import { commentsSkipped } from '../../connections/connections.ts';
import { workerOf } from '../lanes/claim-queries.ts';
import type { OpenPost } from './end-by-steps.ts';

/** No upload takes longer. Bounds the wait for a run that the database has interrupted, which keeps its claim. */
const longestRequest = sql`interval '2 hours'`;

/**
 * A run that still holds its claim has sent a request that makes the post visible. It stores the response and ends the
 * post without its connection.
 */
const isBeingSent = sql`exists (
  select from publish_steps join workers on workers.id = ${workerOf(sql`claim_token`)}
  where platform_post_id = platform_posts.id and makes_visible and ended_at is null
    and last_sent_at > clock_timestamp() - ${longestRequest}
)`;

/** Posts whose account was disconnected while they were being published. No lane runs these posts or their comments. */
export async function selectDisconnectedPosts(db: Db, limit: number): Promise<{ id: string; isPublished: boolean }[]> {
  const { rows } = await sql<{ id: string; isPublished: boolean }>`
    select id, status = 'published' as "isPublished" from platform_posts
    where connection_id is null and run_at is not null and (status = 'published' or not ${isBeingSent})
    limit ${limit}`.execute(db);
  return rows;
}

/** Disconnecting an account does the same for posts that are already published. */
export const skipComments = (db: Db, id: string) =>
  sql`
    update platform_posts set run_at = null, first_comment_results = ${commentsSkipped}
    where id = ${id} and connection_id is null and status = 'published' and run_at is not null`.execute(db);

/** Claims a disconnected post, so that it can be ended like any other post. Null if it has ended or is being sent. */
export async function claimDisconnectedPost(tx: Db, id: string, token: string): Promise<OpenPost | null> {
  await sql`select from platform_posts where id = ${id} for update`.execute(tx);
  // Checked after taking the lock, so a step that has begun in the meantime is visible.
  const { rows } = await sql<OpenPost>`
    update platform_posts set claim_token = ${token} from post_groups
    where platform_posts.id = ${id} and post_groups.id = post_group_id and connection_id is null
      and platform_posts.status in ('pending', 'processing') and not ${isBeingSent}
    returning platform_posts.id, post_group_id as "groupId", platform, account_id as "accountId", thread_parts as "threadParts",
      first_comments as "firstComments"`.execute(tx);
  return rows[0] ?? null;
}
