import { SpanKind } from '@opentelemetry/api';
import type { App } from '../../../app.ts';
import { createFairTurns } from '../../../foundation/lib/fair-turns.ts';
import { unseal, webhookSecretContext } from '../../../foundation/lib/seal.ts';
import { failSpan, inTraceOfPost } from '../../../foundation/tracing/post-trace.ts';
import { notifyUser } from '../../mail/notices.ts';
import {
  type Attempt,
  type Batch,
  type DueDelivery,
  nextBatch,
  recordAttempts,
  type Tally,
} from './delivery-queries.ts';
import { attemptsMade } from './metrics.ts';
import { nextAttempt } from './retry-schedule.ts';
import { send } from './send.ts';

export type DeliveryApp = Pick<App, 'db' | 'clock' | 'newId' | 'egress' | 'sealingKeys' | 'log'>;

const batchSize = 32;
/**
 * No delivery of a batch starts later than this, so that newer deliveries get their turn and the lease does not
 * expire.
 */
const batchMs = 1_000;
/** Concurrent deliveries per webhook, each for a different post. */
const concurrency = 8;
/** A webhook is disabled after this many consecutive events that used up all their attempts. */
const maxExhausted = 5;
const gone = 410;
/** A receiver that takes longer than this to respond counts as slow. */
const slowMs = 1_000;

/**
 * Slow webhooks that use the database at the same time. Receivers that hang often respond in the same moment, and the
 * webhooks of others must not wait behind hundreds of statements.
 */
const slowTurns = createFairTurns({ places: 2, perOwner: 1 });

/** A webhook that only this process serves until the lease expires. */
export interface LeasedWebhook {
  readonly webhookId: string;
  readonly lease: string;
  readonly leaseMs: number;
  /** Its receiver has responded slowly. */
  isSlow: boolean;
  /** The webhook was changed or this process is stopping: send nothing more before reading the webhook again. */
  isInterrupted: boolean;
  /** Aborts deliveries in flight. */
  readonly signal: AbortSignal;
  /** Called when the receiver of a delivery in flight turns out to be slow. */
  readonly onSlow: () => void;
}

/** `more`: more may be due. `idle`: nothing is due now. `released`: nothing is due now, and the lease was released. */
export type BatchOutcome = 'more' | 'idle' | 'released';

export async function deliverBatch(app: DeliveryApp, leased: LeasedWebhook): Promise<BatchOutcome> {
  const { webhookId, lease } = leased;
  const now = app.clock.now();
  const until = new Date(now.getTime() + leased.leaseMs);
  leased.isInterrupted = false;
  const batch = await inTurn(leased, () => nextBatch(app.db, webhookId, { lease, now, until, limit: batchSize }));
  if (!batch || batch.deliveries.length === 0) return 'idle';
  const attempts = await attemptAll(app, leased, batch);
  if (attempts.length === 0) return 'idle';
  const allDelivered = attempts.every(({ outcome }) => outcome === 'delivered');
  const releases = allDelivered && attempts.length < batchSize && attempts.length === batch.deliveries.length;
  const record = { maxExhausted, now: app.clock.now(), releasedLease: releases ? lease : null };
  await inTurn(leased, () => recordBatch(app, webhookId, attempts, record));
  for (const attempt of attempts) logFailure(app.log, webhookId, batch, attempt);
  if (releases) return 'released';
  return allDelivered ? 'more' : 'idle';
}

/** Uses the database, in turn if the webhook is slow. */
export async function inTurn<T>({ webhookId, isSlow }: LeasedWebhook, work: () => Promise<T>): Promise<T> {
  using _turn = isSlow ? await slowTurns.acquire(webhookId) : null;
  return await work();
}

/** The owner of a disabled webhook is notified in the same transaction. */
async function recordBatch(app: DeliveryApp, webhookId: string, attempts: Attempt[], record: Recording) {
  const tally = tallyOf(attempts);
  if (!tally.gone && tally.exhausted === 0) return recordAttempts(app.db, webhookId, attempts, tally, record);
  return app.db.transaction().execute(async (tx) => {
    const disabled = await recordAttempts(tx, webhookId, attempts, tally, record);
    if (!disabled) return;
    const { userId, name, url } = disabled;
    const reason = tally.gone
      ? `The receiver answered ${gone}, which says that it is gone for good.`
      : `${maxExhausted} events in a row could not be delivered in any of their attempts.`;
    await notifyUser(app, tx, userId, { kind: 'webhook_disabled', data: { name, url, reason } });
  });
}

type Recording = Parameters<typeof recordAttempts>[4];

/**
 * Sends deliveries for one post in order and those for different posts concurrently. Deliveries that are not sent in
 * time stay due.
 */
async function attemptAll(app: DeliveryApp, leased: LeasedWebhook, batch: Batch): Promise<Attempt[]> {
  const secret = unseal(batch.secret, webhookSecretContext(leased.webhookId), app.sealingKeys);
  const posts = [...Map.groupBy(batch.deliveries, ({ postGroupId, id }) => postGroupId ?? id).values()];
  const attempts: Attempt[] = [];
  const lastStart = performance.now() + Math.min(batchMs, leased.leaseMs / 2);
  let isUnreachable = false;
  const isOver = () => isUnreachable || leased.isInterrupted || performance.now() > lastStart;

  const worker = async () => {
    for (let post = posts.shift(); post; post = posts.shift()) {
      for (const delivery of post) {
        if (isOver()) return;
        const attempt = await inItsTrace(delivery, batch.url, () =>
          attemptOnce(app, leased, batch.url, secret, delivery),
        );
        if (!attempt) return;
        attempts.push(attempt);
        isUnreachable ||= attempt.status === null || attempt.status === gone;
        // Later events of the post wait for the second attempt.
        if (delivery.attempts === 0 && attempt.outcome !== 'delivered') break;
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return attempts;
}

/** Deliveries for a post belong to the trace of the post. */
function inItsTrace({ postGroupId, event, id }: DueDelivery, url: string, attempt: () => Promise<Attempt | null>) {
  if (!postGroupId) return attempt();
  const attributes = { 'server.address': new URL(url).host, 'crier.delivery_id': id };
  return inTraceOfPost(postGroupId, `webhook ${event}`, { kind: SpanKind.CLIENT, attributes }, async (span) => {
    const made = await attempt();
    if (made && made.status !== null) span.setAttribute('http.response.status_code', made.status);
    if (made && made.outcome !== 'delivered') failSpan(span, String(made.status ?? 'unreachable'));
    return made;
  });
}

/** Null if the delivery was aborted, which does not count as an attempt. */
async function attemptOnce(
  app: DeliveryApp,
  { signal, onSlow }: LeasedWebhook,
  url: string,
  secret: string,
  { id, event, body, attempts }: DueDelivery,
): Promise<Attempt | null> {
  const at = app.clock.now();
  const started = performance.now();
  const timer = setTimeout(onSlow, slowMs);
  const sent = await send(app, url, { id, event, body, secret, now: at }, signal).finally(() => clearTimeout(timer));
  if (!sent) return null;
  const { status, error, answer, retryAfterSeconds } = sent;
  const durationMs = Math.round(performance.now() - started);
  const isDelivered = error === null && status !== null && status >= 200 && status < 300;
  const retryAt = nextAttempt(attempts + 1, retryAfterSeconds, app.clock.now());
  const outcome = isDelivered ? 'delivered' : (retryAt ?? 'failed');
  attemptsMade.inc({ outcome: isDelivered ? 'delivered' : 'failed' });
  return { id: app.newId(), deliveryId: id, at, durationMs, status, error, answer, outcome };
}

/** Logs only the host of the URL, because its path may be secret. */
function logFailure(log: App['log'], webhookId: string, { userId, url }: Batch, attempt: Attempt) {
  const { deliveryId, status, error, outcome } = attempt;
  if (outcome === 'delivered') return;
  const code = status === null ? 'WEBHOOK_UNREACHABLE' : 'WEBHOOK_REFUSED';
  const failure = { code, userId, webhookId, deliveryId, host: new URL(url).host, status, reason: error };
  if (outcome === 'failed') log.error(failure, 'webhook delivery failed for good');
  else log.warn({ ...failure, nextAttemptAt: outcome }, 'webhook delivery failed; it is retried');
}

function tallyOf(attempts: readonly Attempt[]): Tally {
  const lastSuccess = attempts.findLastIndex(({ outcome }) => outcome === 'delivered');
  const since = attempts.slice(lastSuccess + 1);
  return {
    failures: since.length,
    exhausted: since.filter(({ outcome }) => outcome === 'failed').length,
    succeeded: lastSuccess !== -1,
    gone: attempts.some(({ status }) => status === gone),
    slow: attempts.some(({ durationMs }) => durationMs > slowMs),
  };
}
