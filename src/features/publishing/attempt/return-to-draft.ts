import { sql } from 'kysely';
import type { App } from '../../../app.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { type MediaGoneError, setLost } from '../../files/files.ts';
import { demote } from '../../posts/update/demote.ts';

/**
 * Returns a group that is being published to draft because one of its files is gone. Returns false if anything was
 * sent for one of its posts; in that case each post ends separately.
 */
export function returnToDraft(
  app: Pick<App, 'db' | 'clock' | 'newId'>,
  groupId: string,
  { mediaId, mediaCode, message }: MediaGoneError,
): Promise<boolean> {
  return app.db.transaction().execute(async (tx) => {
    // From now on, posts with this file cannot be scheduled.
    await setLost(tx, mediaId, mediaCode, message);
    if (!(await withdraw(tx, groupId))) return false;
    return demote(app, tx, groupId, {
      changeType: 'scheduler_media_backstop',
      reason: 'media_backstop',
      mediaFileId: mediaId,
      errorCode: mediaCode,
    });
  });
}

/**
 * Undoes the dispatch of a group for which nothing was sent. Its runs lose their claims and can no longer send
 * anything.
 */
async function withdraw(tx: Db, groupId: string): Promise<boolean> {
  await sql`select from platform_posts where post_group_id = ${groupId} order by id for update`.execute(tx);
  // Read after taking the lock, so a step that has begun in the meantime is visible.
  const { rows } = await sql<{ isUntouched: boolean }>`
    select status in ('pending', 'processing') and not exists (
        select from publish_steps where platform_post_id = platform_posts.id
      ) as "isUntouched"
    from platform_posts where post_group_id = ${groupId}`.execute(tx);
  if (rows.length === 0 || rows.some(({ isUntouched }) => !isUntouched)) return false;
  await sql`
    update platform_posts set status = 'scheduled', run_at = null, claim_token = null, error = null, attempts = 0,
      rate_limited_since = null
    where post_group_id = ${groupId}`.execute(tx);
  const { numAffectedRows } = await sql`
    update post_groups set processing_status = 'pending'
    where id = ${groupId} and status = 'scheduled' and processing_status = 'processing'`.execute(tx);
  return numAffectedRows === 1n;
}
