import { sql } from 'kysely';
import type { Db } from '../../../foundation/db/database.ts';
import type { CommentResult } from '../comments/plan.ts';
import type { OpenPost } from './end-by-steps.ts';

/** Groups that are not being published yet. If `until` is null, includes all future groups. */
export async function selectScheduledUntil(tx: Db, until: Date | null): Promise<{ groupId: string; userId: string }[]> {
  const { rows } = await sql<{ groupId: string; userId: string }>`
    select id as "groupId", user_id as "userId" from post_groups
    where status = 'scheduled' and processing_status = 'pending'
      and scheduled_at <= coalesce(${until}::timestamptz, 'infinity')
    order by scheduled_at, id`.execute(tx);
  return rows;
}

/** Claims the posts that are being published, so that they can be ended like any others. */
export async function claimOpenPosts(tx: Db, token: string): Promise<OpenPost[]> {
  const { rows } = await sql<OpenPost>`
    update platform_posts set claim_token = ${token} from post_groups
    where post_groups.id = post_group_id and platform_posts.status in ('pending', 'processing')
    returning platform_posts.id, post_group_id as "groupId", platform, account_id as "accountId",
      thread_parts as "threadParts", first_comments as "firstComments"`.execute(tx);
  return rows;
}

/** Does the same for published posts with pending first comments. */
export async function claimPendingComments(tx: Db, token: string): Promise<{ id: string; results: CommentResult[] }[]> {
  const { rows } = await sql<{ id: string; results: CommentResult[] }>`
    update platform_posts set claim_token = ${token}
    where status = 'published' and run_at is not null
      and jsonb_path_exists(first_comment_results, '$[*] ? (@.status == "pending")')
    returning id, first_comment_results as results`.execute(tx);
  return rows;
}

/** The lanes have no posts left, and the workers that claimed them no longer exist. */
export const emptyLanes = (tx: Db) =>
  sql`update publish_lanes set worker = null, run_at = null, turn_at = null`.execute(tx);
