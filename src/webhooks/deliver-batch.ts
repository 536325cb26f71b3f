import type { App } from '../app.ts';
import {
  type Attempt,
  type Batch,
  type DueDelivery,
  nextBatch,
  recordAttempts,
  type Tally,
} from './delivery-queries.ts';
import { attemptsMade } from './metrics.ts';
import { secretOf } from './own-webhook.ts';
import { nextAttempt } from './schedule.ts';
import { send } from './send.ts';

type Needs = Pick<App, 'db' | 'clock' | 'newId' | 'egress' | 'sealingKeys'>;

const batchSize = 32;
/** After that nothing of a batch is begun, so that what came meanwhile has its turn, and the lease outlasts it by far. */
const batchMs = 1_000;
/** Of one webhook, each for another post. */
const atOnce = 8;
/** Events in a row that nobody took: then the webhook is switched off. */
const maxExhausted = 5;
const gone = 410;

/** One webhook, ours while the lease lasts. */
export interface Turn {
  readonly webhookId: string;
  readonly lease: string;
  readonly leaseMs: number;
  /** Nothing more is sent before the webhook is read again: it was changed, or we are stopping. */
  isOver: boolean;
  /** Breaks off what is being sent. */
  readonly signal: AbortSignal;
}

/** What follows: `more` may be due, `nothing` is, or not now; `released` says the same, and that the lease is given back. */
export type Went = 'more' | 'nothing' | 'released';

export async function deliverBatch(app: Needs, turn: Turn): Promise<Went> {
  const { webhookId, lease } = turn;
  const now = app.clock.now();
  const until = new Date(now.getTime() + turn.leaseMs);
  turn.isOver = false;
  const batch = await nextBatch(app.db, webhookId, { lease, now, until, limit: batchSize });
  if (!batch || batch.deliveries.length === 0) return 'nothing';
  const attempts = await attemptAll(app, turn, batch);
  if (attempts.length === 0) return 'nothing';
  const allArrived = attempts.every(({ outcome }) => outcome === 'delivered');
  const releases = allArrived && attempts.length < batchSize && attempts.length === batch.deliveries.length;
  const record = { maxExhausted, now: app.clock.now(), releasedLease: releases ? lease : null };
  await recordAttempts(app.db, webhookId, attempts, tallyOf(attempts), record);
  if (releases) return 'released';
  return allArrived ? 'more' : 'nothing';
}

/** Of one post in order; posts beside each other. What is left when it is time to stop stays due. */
async function attemptAll(app: Needs, turn: Turn, batch: Batch): Promise<Attempt[]> {
  const secret = secretOf(app, { id: turn.webhookId, secret: batch.secret });
  const posts = [...Map.groupBy(batch.deliveries, ({ postGroupId, id }) => postGroupId ?? id).values()];
  const attempts: Attempt[] = [];
  const lastStart = performance.now() + Math.min(batchMs, turn.leaseMs / 2);
  let refused = false;
  const isOver = () => refused || turn.isOver || performance.now() > lastStart;

  const worker = async () => {
    for (let post = posts.shift(); post; post = posts.shift()) {
      for (const delivery of post) {
        if (isOver()) return;
        const attempt = await attemptOnce(app, turn, batch.url, secret, delivery);
        if (!attempt) return;
        attempts.push(attempt);
        refused ||= attempt.status === null || attempt.status === gone;
        // What happened to the post later waits for the second attempt.
        if (delivery.attempts === 0 && attempt.outcome !== 'delivered') break;
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return attempts;
}

/** Null: broken off, as if it had not been begun. */
async function attemptOnce(
  app: Needs,
  { signal }: Turn,
  url: string,
  secret: string,
  { id, event, body, attempts }: DueDelivery,
): Promise<Attempt | null> {
  const at = app.clock.now();
  const started = performance.now();
  const sent = await send(app, url, { id, event, body, secret, now: at }, signal);
  if (!sent) return null;
  const { status, error, answer, retryAfterSeconds } = sent;
  const durationMs = Math.round(performance.now() - started);
  const arrived = error === null && status !== null && status >= 200 && status < 300;
  const outcome = arrived ? 'delivered' : (nextAttempt(attempts + 1, retryAfterSeconds, app.clock.now()) ?? 'failed');
  attemptsMade.inc({ outcome: arrived ? 'delivered' : 'failed' });
  return { id: app.newId(), deliveryId: id, at, durationMs, status, error, answer, outcome };
}

function tallyOf(attempts: readonly Attempt[]): Tally {
  const lastSuccess = attempts.findLastIndex(({ outcome }) => outcome === 'delivered');
  const since = attempts.slice(lastSuccess + 1);
  return {
    failures: since.length,
    exhausted: since.filter(({ outcome }) => outcome === 'failed').length,
    succeeded: lastSuccess !== -1,
    gone: attempts.some(({ status }) => status === gone),
  };
}
