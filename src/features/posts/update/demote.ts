import type { input } from 'zod';
import type { App } from '../../../app.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { postLogEvents, webhookEvents } from '../../../foundation/events/catalogue.ts';
import { insertEvent, insertGroupLog } from '../write-queries.ts';
import { changeCounters, lockScheduled, selectScheduledInSandbox, setDraft } from './edit-queries.ts';

/** Why a scheduled post returns to draft without a request by its author (contract.md#events.demoted). */
export type Demotion = WithoutContext<input<typeof webhookEvents.postDemoted.data>>;
type WithoutContext<T> = T extends unknown ? Omit<T, 'postGroupId' | 'demotedAt'> : never;

/**
 * Returns a scheduled post to draft in the caller's transaction. The post keeps its time and no longer counts towards
 * the queue and the month. Its log and the event contain the reason. Returns false if the post is not scheduled, is
 * being published, or is no longer at the given version.
 */
export async function demote(
  app: Pick<App, 'clock' | 'newId'>,
  tx: Db,
  postGroupId: string,
  demotion: Demotion,
  version: number | null = null,
): Promise<boolean> {
  const cause = 'errorCode' in demotion && demotion.errorCode !== null ? demotion : null;
  const about = cause && { mediaFileId: cause.mediaFileId ?? undefined, errorCode: cause.errorCode ?? undefined };
  const demoted = await toDraft(app, tx, postGroupId, demotion.reason, version, about ?? {});
  if (!demoted) return false;
  // The scheduler's two payloads always contain `errorCode` and `demotedAt`, the others never do.
  const data =
    'errorCode' in demotion
      ? { postGroupId, ...demotion, demotedAt: demoted.now.toISOString() }
      : { postGroupId, ...demotion };
  const event = webhookEvents.postDemoted.emit(data, demoted.now);
  await insertEvent(tx, { ...demoted, ...event, id: app.newId() });
  return true;
}

/** Like `demote` without the event. Null if the post is left unchanged. */
export async function toDraft(
  { clock, newId }: Pick<App, 'clock' | 'newId'>,
  tx: Db,
  postGroupId: string,
  reason: Demotion['reason'],
  version: number | null = null,
  about: { mediaFileId?: string | undefined; errorCode?: string | undefined } = {},
): Promise<{ groupId: string; userId: string; now: Date } | null> {
  const group = await lockScheduled(tx, postGroupId, version);
  if (!group) return null;
  const now = clock.now();
  await setDraft(tx, postGroupId, now);
  await changeCounters(tx, group.reserved, []);
  const entry = { groupId: postGroupId, userId: group.userId, now };
  const log = postLogEvents.statusChanged.entry({ from: 'scheduled', to: 'draft', reason, ...about });
  await insertGroupLog(tx, { ...entry, ...log, id: newId() });
  return entry;
}

/** Returns all scheduled posts to sandbox accounts to draft. Returns their number. */
export async function demoteSandboxPosts(app: Pick<App, 'db' | 'clock' | 'newId'>): Promise<number> {
  let demoted = 0;
  for (const id of await selectScheduledInSandbox(app.db)) {
    const isDemoted = await app.db.transaction().execute((tx) => demote(app, tx, id, targetsGone));
    if (isDemoted) demoted += 1;
  }
  return demoted;
}

const targetsGone: Demotion = {
  changeType: 'scheduler_state_repair',
  reason: 'state_mismatch',
  mediaFileId: null,
  errorCode: null,
};
