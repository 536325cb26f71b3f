import { randomUUID } from 'node:crypto';
import type { App } from '../../../app.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { postLogEvents } from '../../../foundation/events/catalogue.ts';
import { messages, PlatformError } from '../../../platforms/kit/index.ts';
import { type Demotion, demote } from '../../posts/update/demote.ts';
import { codeOf } from '../attempt/failures.ts';
import { recordComment } from '../attempt/post-queries.ts';
import { afterFailure, type CommentError } from '../comments/plan.ts';
import { insertHeldBackLogs } from '../lanes/dispatch-queries.ts';
import { type EndingApp, endBySteps } from './end-by-steps.ts';
import { claimOpenPosts, claimPendingComments, emptyLanes, selectScheduledUntil } from './restore-queries.ts';

/**
 * Which scheduled posts are held back. `overdue`: posts that became due since the backup. `all`: future posts as
 * well, since someone may have published them early. `none`: no Crier instance has run since the backup.
 */
export type HoldScope = 'overdue' | 'all' | 'none';

export interface HeldBack {
  /** Scheduled posts that are now drafts. */
  drafts: number;
  /** Targets that were being published and end with an unknown outcome. */
  targets: number;
  /** Published targets whose first comments end with an unknown outcome. */
  comments: number;
}

/**
 * Crier may have kept running after the backup was taken, so the posts it was about to publish may already be online.
 * The backup cannot show that. These posts are not sent again; users are asked to check.
 */
export async function holdRestoredPosts(app: EndingApp, tx: Db, takenAt: Date, scope: HoldScope): Promise<HeldBack> {
  if (scope === 'none') return { drafts: 0, targets: 0, comments: 0 };
  const heldBack = {
    drafts: await holdScheduled(app, tx, takenAt, scope === 'all' ? null : app.clock.now()),
    targets: await endOpen(app, tx, takenAt),
    comments: await endComments(app, tx, takenAt),
  };
  await emptyLanes(tx);
  return heldBack;
}

async function holdScheduled(app: Pick<App, 'clock' | 'newId'>, tx: Db, takenAt: Date, until: Date | null) {
  const found = await selectScheduledUntil(tx, until);
  for (const { groupId } of found) await demote(app, tx, groupId, restored);
  const text = `${sinceBackup(takenAt)} Check the accounts of this post. If it is not there, schedule it again.`;
  const logs = found.map((group) => ({ ...group, id: app.newId() }));
  await insertHeldBackLogs(tx, logs, text, app.clock.now());
  return found.length;
}

/** The backup has the network's id of some posts that were not recorded as published yet. */
async function endOpen(app: EndingApp, tx: Db, takenAt: Date) {
  const token = randomUUID();
  const failure = new PlatformError('unknown_outcome', `${sinceBackup(takenAt)} ${messages.outcomeUnknown}`);
  let failed = 0;
  for (const post of await claimOpenPosts(tx, token)) {
    if (!(await endBySteps(app, tx, { ...post, token }, { unsent: failure, inDoubt: failure }))) failed += 1;
  }
  return failed;
}

async function endComments(app: Pick<App, 'clock' | 'newId'>, tx: Db, takenAt: Date) {
  const token = randomUUID();
  const now = app.clock.now();
  const message = `${sinceBackup(takenAt)} Check the post for the comment.`;
  const code = codeOf(new PlatformError('unknown_outcome', message));
  const error: CommentError = { code, message, platformStatusCode: null, outcomeUnknown: true };
  const posts = await claimPendingComments(tx, token);
  for (const { id, results } of posts) {
    const index = results.findIndex(({ status }) => status === 'pending');
    const entry = postLogEvents.firstCommentFailed.entry({ index, errorCode: code });
    const log = { ...entry, id: app.newId(), error: message, httpStatus: null };
    await recordComment(tx, { id, token, now }, afterFailure(results, index, error, now), log);
  }
  return posts.length;
}

const restored: Demotion = {
  changeType: 'scheduler_state_repair',
  reason: 'state_mismatch',
  mediaFileId: null,
  errorCode: null,
};

const sinceBackup = (takenAt: Date) =>
  `Crier was restored from a backup of ${takenAt.toISOString()} and may have published this after the backup.`;
