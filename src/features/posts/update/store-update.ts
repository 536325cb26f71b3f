import { isDeepStrictEqual } from 'node:util';
import type { App } from '../../../app.ts';
import { type Db, inTransaction } from '../../../foundation/db/database.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { postLogEvents } from '../../../foundation/events/catalogue.ts';
import type { ClaimedKey } from '../../../foundation/http/idempotency.ts';
import type { Json } from '../../../foundation/lib/json.ts';
import { inTurns } from '../../../foundation/text/in-turns.ts';
import { searchWords } from '../../../foundation/text/search-words.ts';
import type { Ingested } from '../../files/files.ts';
import { setQuotaLimits } from '../../users/within-quotas.ts';
import { composeAnswer } from '../create/duplicate-queries.ts';
import type { Reservation } from '../create/plan-limits.ts';
import { newTarget } from '../create/target-content.ts';
import { keepLabels } from '../labels/labels.ts';
import { setWords } from '../list/word-queries.ts';
import { platformsOf } from '../target-queries.ts';
import { insertEvent, insertGroupLog, scheduledEvent } from '../write-queries.ts';
import { storeEditAnswer } from './edit-answer.ts';
import {
  changeCounters,
  changeGroup,
  changeTargets,
  type EditableGroup,
  findOutline,
  type TargetChange,
} from './edit-queries.ts';
import type { Edit } from './resolve-update.ts';

export interface UpdateToStore {
  group: EditableGroup;
  edit: Edit;
  /** Counts `edit.counted`. */
  reservation: Reservation | null;
  /** Files that the update adds. */
  fetched: Ingested | null;
  claimedKey: ClaimedKey | null;
}

/** Stores group, targets, counters, log, event and the response for retries in one transaction. */
export async function storeUpdate(app: Pick<App, 'clock' | 'newId'>, db: Db, toStore: UpdateToStore) {
  const { group, edit } = toStore;
  const isFoundAsBefore = edit.content === group.content && isDeepStrictEqual(edit.labels, group.labels);
  const words = isFoundAsBefore ? null : await inTurns(searchWords(edit.content));
  return inTransaction(db, async (tx) => {
    const answer = await store(app, tx, toStore);
    if (words) await setWords(tx, { id: group.id, userId: group.user_id }, words, edit.labels);
    if (words) await keepLabels(app, tx, { userId: group.user_id, labels: edit.labels });
    return answer;
  });
}

async function store(
  app: Pick<App, 'clock' | 'newId'>,
  tx: Db,
  { group, edit, reservation, fetched, claimedKey }: UpdateToStore,
) {
  const now = app.clock.now();
  // Drafts and files count towards the quotas of the plan.
  if (fetched || (edit.status === 'draft' && group.status !== 'draft')) await setQuotaLimits(tx, group.user_id);
  const change = {
    id: group.id,
    userId: group.user_id,
    version: group.version,
    content: edit.content,
    status: edit.status,
    scheduledAt: edit.at,
    publishNow: edit.publishNow,
    settings: edit.settings,
    firstComments: edit.firstComments as unknown as Json,
    labels: edit.labels,
    mediaIds: [...group.media_ids, ...(fetched?.files.map(({ id }) => id) ?? [])],
    platforms: platformsOf(edit.targets.map(({ target }) => target.connection)),
    targetCount: edit.targets.length,
    now,
  };
  if (!(await changeGroup(tx, change))) throw await conflictProblem(tx, group);
  await fetched?.commit(tx, group.id);
  const targets = targetsOf(app, group, edit, reservation);
  await changeTargets(tx, change, targets);
  const [before, after] = [group.posts, targets].map((list) => list.map(({ reserved }) => reserved));
  await changeCounters(tx, before!, after!, reservation?.limit ?? undefined);
  await recordStatusChange(app, tx, group, { ...change, targets });

  const answer = await composeAnswer(tx, change, answerTo(group, edit));
  await storeEditAnswer(tx, claimedKey, answer);
  return answer;
}

async function conflictProblem(tx: Db, group: EditableGroup): Promise<Problem> {
  const found = await findOutline(tx, group.user_id, group.id);
  if (!found) return new Problem('post_group_not_found');
  return new Problem(found.processing_status === 'pending' ? 'post_group_version_conflict' : 'post_publish_started');
}

function targetsOf(
  app: Pick<App, 'newId'>,
  group: EditableGroup,
  edit: Edit,
  reservation: Reservation | null,
): TargetChange[] {
  const stored = new Map(group.posts.map((post) => [`${post.platform}-${post.account_id}`, post]));
  const counted = new Set(edit.counted);
  return edit.targets.map((targetContent) => {
    const { platformId } = targetContent.target;
    const kept = stored.get(platformId);
    return {
      ...newTarget(kept?.id ?? app.newId(), targetContent),
      reserved:
        reservation && counted.has(platformId)
          ? {
              ownerId: reservation.ownerId,
              period: reservation.period.key,
              connection: platformId,
            }
          : edit.status === 'scheduled'
            ? (kept?.reserved ?? null)
            : null,
    };
  });
}

async function recordStatusChange(
  app: Pick<App, 'newId'>,
  tx: Db,
  before: EditableGroup,
  after: {
    id: string;
    userId: string;
    status: 'draft' | 'scheduled';
    scheduledAt: Date | null;
    publishNow: boolean;
    targets: TargetChange[];
    now: Date;
  },
) {
  if (before.status === after.status) return;
  const entry = { groupId: after.id, userId: after.userId, now: after.now };
  if (after.status === 'draft') {
    const log = postLogEvents.statusChanged.entry({ from: 'scheduled', to: 'draft', reason: 'update' });
    await insertGroupLog(tx, { ...entry, ...log, id: app.newId() });
    return;
  }
  await insertGroupLog(tx, { ...entry, ...postLogEvents.scheduled.entry({}), id: app.newId() });
  const event = scheduledEvent(after);
  if (event) await insertEvent(tx, { ...entry, ...event, id: app.newId() });
}

const answerTo = (group: EditableGroup, edit: Edit) => ({
  success: true as const,
  message: 'Post updated successfully',
  scheduledTime: edit.at?.toISOString() ?? null,
  ...(edit.warnings.length > 0 && { warnings: edit.warnings }),
  postGroup: {
    _id: group.id,
    status: edit.status,
    content: edit.content,
    platforms: [...edit.platformIds],
    ...(edit.at && { scheduledTime: edit.at.toISOString() }),
  },
});
