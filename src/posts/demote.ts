import type { App } from '../app.ts';
import type { Db } from '../db/database.ts';
import type { Json } from '../lib/json.ts';
import { changeCounters, lockScheduled, setDraft } from './edit-queries.ts';
import { insertEvent, insertGroupLog } from './write-queries.ts';

/** Why a scheduled post is a draft again without its author's wish (contract 2: events, `post.demoted`). */
export type Demotion =
  | {
      changeType: 'attach' | 'detach' | 'prune_reference' | 'reorder';
      reason: 'media_changed';
      mediaFileId: string | null;
    }
  | {
      changeType: 'scheduler_media_backstop';
      reason: 'media_backstop';
      mediaFileId: string | null;
      errorCode: string | null;
    }
  | { changeType: 'scheduler_state_repair'; reason: 'state_mismatch'; mediaFileId: null; errorCode: string | null };

/**
 * Takes a scheduled post out of the schedule, in the caller's transaction: its time stays stored, its places in queue and
 * month are free, log and event say why. False if it is not scheduled, has begun to be published, or is
 * no longer the version that was found wanting.
 */
export async function demote(
  { clock, newId }: Pick<App, 'clock' | 'newId'>,
  tx: Db,
  postGroupId: string,
  demotion: Demotion,
  version: number | null = null,
): Promise<boolean> {
  const group = await lockScheduled(tx, postGroupId, version);
  if (!group) return false;
  const now = clock.now();
  await setDraft(tx, postGroupId, now);
  await changeCounters(tx, group.reserved, []);
  const entry = { groupId: postGroupId, userId: group.userId, now };
  const metadata = { from: 'scheduled', to: 'draft', reason: demotion.reason };
  await insertGroupLog(tx, { ...entry, id: newId(), event: 'status_changed', metadata });
  await insertEvent(tx, { ...entry, id: newId(), type: 'post.demoted', data: eventData(postGroupId, demotion, now) });
  return true;
}

/** The scheduler's two kinds always carry `errorCode` and `demotedAt`. */
function eventData(postGroupId: string, demotion: Demotion, now: Date): Json {
  const { changeType, reason, mediaFileId } = demotion;
  const more: Record<string, Json> =
    'errorCode' in demotion ? { errorCode: demotion.errorCode, demotedAt: now.toISOString() } : {};
  return { postGroupId, reason, changeType, mediaFileId, ...more };
}
