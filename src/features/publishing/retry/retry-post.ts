import { sql } from 'kysely';
import type { App } from '../../../app.ts';
import { type Db, inTransaction } from '../../../foundation/db/database.ts';
import { Problem, type ProblemKey } from '../../../foundation/errors/index.ts';
import { type ClaimedKey, storeAnswer } from '../../../foundation/http/idempotency.ts';
import type { Who } from '../../auth/access/api-key.ts';
import { inLiveTurn } from '../../auth/api-keys/live-credential.ts';
import { requireReady } from '../../files/files.ts';
import { idsInUse } from '../../files/files-of-target.ts';
import { findTargets, requireAvailable } from '../../posts/create/find-targets.ts';
import { moveReservations, type Reservation, withinPlanLimits } from '../../posts/create/plan-limits.ts';
import { periodOf } from '../../users/quotas.ts';
import { wakePublishers } from '../lanes/dispatch-queries.ts';
import { type EndedTarget, findEnded, lockEnded, runAgain } from './queries.ts';
import type { PostRetried } from './schema.ts';

type RetryApp = Pick<App, 'db' | 'clock' | 'newId' | 'storage' | 'sealingKeys' | 'log'>;

/**
 * Publishes targets again that failed for a temporary reason, or because an account had to be reconnected. Reuses their steps, so nothing happens twice. A second
 * call finds them running and changes nothing.
 */
export async function retryPost(app: RetryApp, who: Who, postGroupId: string, claimedKey: ClaimedKey | null = null) {
  const found = await findEnded(app.db, who.userId, postGroupId);
  if (!found) throw new Problem('post_group_not_found');
  const wanted = found.targets.filter((target) => reasonAgainst(target) === null);
  const request = { who, postGroupId, ids: wanted.map(({ id }) => id), claimedKey };
  if (wanted.length === 0) return inLiveTurn(app, who, () => retry(app, app.db, request, null));

  requireAvailable(who, await findTargets(app, who, wanted.map(platformIdOf)));
  await requireReady(app, who, idsInUse(wanted, found));
  const now = app.clock.now();
  const uncounted = wanted.filter(({ reserved }) => reserved?.period !== periodOf(now).key);
  const limits = { platformIds: uncounted.map(platformIdOf), at: now, queued: false };
  const again = (db: Db, reservation: Reservation) => retry(app, db, request, reservation);
  return inLiveTurn(app, who, () => withinPlanLimits(app, who, limits, again));
}

interface Request {
  who: Who;
  postGroupId: string;
  ids: readonly string[];
  claimedKey: ClaimedKey | null;
}

function retry(app: RetryApp, db: Db, request: Request, reservation: Reservation | null): Promise<PostRetried> {
  const { who, postGroupId, ids, claimedKey } = request;
  return inTransaction(db, async (tx) => {
    // Another call may have been faster, so decide again under the lock.
    const group = await lockEnded(tx, who.userId, postGroupId);
    if (!group) throw new Problem('post_group_not_found');
    const again = group.targets.filter((target) => ids.includes(target.id) && reasonAgainst(target) === null);
    const answer = answerOf(postGroupId, group.targets, again);
    if (again.length > 0) await start(app, tx, { postGroupId, again, reservation });
    else requireRunning(answer);
    if (claimedKey) {
      const { rows } = await storeAnswer(claimedKey, sql`${JSON.stringify(answer)}::jsonb`).execute(tx);
      if (rows.length === 0) throw new Problem('idempotency_superseded');
    }
    return answer;
  });
}

interface Start {
  postGroupId: string;
  again: readonly EndedTarget[];
  /** Counts the targets of an earlier month. */
  reservation: Reservation | null;
}

async function start({ clock, newId }: RetryApp, tx: Db, { postGroupId, again, reservation }: Start) {
  const counted = again.filter((target) => reservation?.connections.includes(platformIdOf(target)));
  if (reservation && counted.length > 0) {
    const before = counted.map(({ reserved }) => reserved);
    await moveReservations(tx, before, { ...reservation, connections: counted.map(platformIdOf) });
  }
  await runAgain(tx, {
    groupId: postGroupId,
    targets: again.map(({ id }) => ({ id, logId: newId() })),
    counted: reservation && {
      ids: counted.map(({ id }) => id),
      ownerId: reservation.ownerId,
      period: reservation.period.key,
    },
    now: clock.now(),
  });
  await wakePublishers(tx);
}

type Reason = PostRetried['notRetried'][number]['reason'];

/** Why a target is not retried. Null if it is. */
function reasonAgainst({ status, error, isReconnected, isOpen, connectionId }: EndedTarget): Reason | null {
  if (status === 'published') return 'published';
  if (status === 'draft' || status === 'scheduled') return 'not_tried_yet';
  if (status !== 'failed') return 'running';
  if (isOpen || error?.code === outcomeUnknown) return 'outcome_unknown';
  if (!error?.retryable && !isReconnected) return 'not_retryable';
  return connectionId === null ? 'disconnected' : null;
}

const outcomeUnknown = 'PUBLISH_OUTCOME_UNKNOWN';

const explanations: Readonly<Record<Reason, string>> = {
  published: 'This post is already published.',
  not_tried_yet: 'This post has not been attempted yet.',
  running: 'This post is being published.',
  outcome_unknown:
    'The network never responded, so the post may have been published. Check the account before you post it again.',
  not_retryable:
    'The same post would fail again. Fix the cause of its error, and create a new post. If the account has to be reconnected, reconnect it and retry the post.',
  disconnected: 'The account is no longer connected. Connect it again, and create a new post.',
};

function answerOf(postGroupId: string, all: readonly EndedTarget[], again: readonly EndedTarget[]): PostRetried {
  const nameOf = (target: EndedTarget) => ({
    _id: target.id,
    platform: target.platform,
    platformId: platformIdOf(target),
  });
  const others = all.filter((target) => !again.includes(target));
  return {
    success: true,
    postGroupId,
    retried: again.map(nameOf),
    notRetried: others.map((target) => {
      // A target that has only just failed is left to the next call.
      const reason = reasonAgainst(target) ?? 'running';
      return { ...nameOf(target), reason, message: explanations[reason] };
    }),
  };
}

/**
 * Ordered by how much the error helps the user. If the post is already being published, a second call is not an
 * error.
 */
const refusals: readonly (readonly [Reason, ProblemKey])[] = [
  ['outcome_unknown', 'retry_outcome_unknown'],
  ['not_retryable', 'retry_not_possible'],
  ['disconnected', 'retry_disconnected'],
  ['not_tried_yet', 'retry_not_failed'],
  ['published', 'retry_not_failed'],
];

function requireRunning({ notRetried }: PostRetried) {
  if (notRetried.some(({ reason }) => reason === 'running')) return;
  const [, problem] = refusals.find(([reason]) => notRetried.some((target) => target.reason === reason)) ?? [
    null,
    'retry_not_failed' as const,
  ];
  throw new Problem(problem, { notRetried });
}

const platformIdOf = ({ platform, accountId }: Pick<EndedTarget, 'platform' | 'accountId'>) =>
  `${platform}-${accountId}`;
