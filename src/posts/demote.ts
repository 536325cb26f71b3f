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
  app: Pick<App, 'clock' | 'newId'>,
  tx: Db,
  postGroupId: string,
  demotion: Demotion,
  version: number | null = null,
): Promise<boolean> {
  const demoted = await toDraft(app, tx, postGroupId, demotion.reason, version);
  if (!demoted) return false;
  const data = eventData(postGroupId, demotion, demoted.now);
  await insertEvent(tx, { ...demoted, id: app.newId(), type: 'post.demoted', data });
  return true;
}

/** The same without the event. Null where nothing was to be done. */
export async function toDraft(
  { clock, newId }: Pick<App, 'clock' | 'newId'>,
  tx: Db,
  postGroupId: string,
  reason: Demotion['reason'],
  version: number | null = null,
): Promise<{ groupId: string; userId: string; now: Date } | null> {
  const group = await lockScheduled(tx, postGroupId, version);
  if (!group) return null;
  const now = clock.now();
  await setDraft(tx, postGroupId, now);
  await changeCounters(tx, group.reserved, []);
  const entry = { groupId: postGroupId, userId: group.userId, now };
  const metadata = { from: 'scheduled', to: 'draft', reason };
  await insertGroupLog(tx, { ...entry, id: newId(), event: 'status_changed', metadata });
  return entry;
}

/** The scheduler's two kinds always carry `errorCode` and `demotedAt`. */
function eventData(postGroupId: string, demotion: Demotion, now: Date): Json {
  const { changeType, reason, mediaFileId } = demotion;
  const more: Record<string, Json> =
    'errorCode' in demotion ? { errorCode: demotion.errorCode, demotedAt: now.toISOString() } : {};
  return { postGroupId, reason, changeType, mediaFileId, ...more };
}
