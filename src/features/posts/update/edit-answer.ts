import { sql } from 'kysely';
import type { Db } from '../../../foundation/db/database.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { type ClaimedKey, storeAnswer } from '../../../foundation/http/idempotency.ts';
import type { Json } from '../../../foundation/lib/json.ts';
import type { StoredGroup } from '../read-queries.ts';

/** The response to a change of a post. */
export type EditAnswer = {
  success: true;
  message: string;
  scheduledTime: string | null;
  warnings?: { code: string; message: string; [detail: string]: Json }[];
  postGroup: Edited & { content: string; platforms: string[] };
};
type Edited = { _id: string; status: StoredGroup['status']; scheduledTime?: string };

/** As stored for retries. A long text and a long list of platforms are left out. */
export type StoredEdit = Omit<EditAnswer, 'postGroup'> & {
  postGroup: Edited & { content?: string; platforms?: string[] };
};

/**
 * Longer responses are stored without what the post has anyway: a caller could otherwise fill the disk with changes of
 * one long post.
 */
const maxStoredBytes = 4_096;

/** Stores the response in the transaction of the change. */
export async function storeEditAnswer(tx: Db, claimedKey: ClaimedKey | null, answer: EditAnswer): Promise<void> {
  if (!claimedKey) return;
  const { content: _, platforms: __, ...postGroup } = answer.postGroup;
  const isShort = Buffer.byteLength(JSON.stringify(answer)) <= maxStoredBytes;
  const stored: StoredEdit = isShort ? answer : { ...answer, postGroup };
  const { rows } = await storeAnswer(claimedKey, sql`${JSON.stringify(stored)}::jsonb`).execute(tx);
  if (rows.length === 0) throw new Problem('idempotency_superseded');
}

/** The whole response. What a stored one lacks comes from the repeated request or from the post as it is now. */
export async function wholeAnswer(db: Db, userId: string, stored: StoredEdit, sent: { content?: string | undefined }) {
  const { content, platforms, ...postGroup } = stored.postGroup;
  if (content !== undefined && platforms !== undefined)
    return { ...stored, postGroup: { ...postGroup, content, platforms } };
  const { rows } = await sql<{ content: string; platforms: string[] }>`
    select content, array(
      select platform || '-' || account_id from platform_posts where post_group_id = post_groups.id order by position
    ) as platforms
    from post_groups where id = ${postGroup._id} and user_id = ${userId}`.execute(db);
  const now = rows[0] ?? { content: '', platforms: [] };
  return {
    ...stored,
    postGroup: { ...postGroup, ...now, ...(sent.content !== undefined && { content: sent.content }) },
  };
}
