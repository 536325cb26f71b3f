import type { App } from '../../../app.ts';
import { plans } from '../../../config/plans.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { createFairTurns } from '../../../foundation/lib/fair-turns.ts';
import type { Who } from '../../auth/access/api-key.ts';
import { notifyUser } from '../../mail/notices.ts';
import {
  entitlementsOf,
  limitExceeded,
  lockPlan,
  maxScheduledDate,
  type Period,
  periodOf,
  readUsage,
  type Usage,
} from '../../users/quotas.ts';
import { quotaProblem } from '../../users/within-quotas.ts';
import { changeCounters, type Reserved } from '../update/edit-queries.ts';

/** A transaction that takes a slot or the lock of the plan waits for others, and occupies a connection meanwhile. */
const turns = createFairTurns({ places: 6, perOwner: 1 });

/** Platform posts to count in the month in which they are due. */
export interface Reservation {
  readonly ownerId: string;
  readonly period: Period;
  /** Each counts as one. Using the same order in every request prevents deadlocks. */
  readonly connections: readonly string[];
  /** The limit of each connection. Null if there is none, or if the plan limits the whole account. */
  readonly limit: number | null;
}

export interface Wanted {
  readonly platformIds: readonly string[];
  readonly at: Date;
  /**
   * For the next posting slot: finds the time in the transaction that stores the post. In that case `at` is only an
   * estimate.
   */
  readonly takeSlot?: ((tx: Db) => Promise<Date>) | null;
  /** False for publishNow, which is exempt from the queue size and the horizon. */
  readonly queued: boolean;
  /** The number of places in the queue that the post already occupies. */
  readonly alreadyQueued?: number;
  /** The number of platform posts that the post returns to that month. */
  readonly alreadyReserved?: (period: Period) => number;
}

/**
 * Runs `store` within the limits of the plan. Throws if it would exceed one. Under a plan that limits the queue, the
 * connections or the whole account, requests of one owner run one at a time. Other plans need no extra round trip.
 */
export async function withinPlanLimits<T>(
  app: Pick<App, 'db' | 'clock' | 'newId' | 'sealingKeys' | 'log'>,
  who: Who,
  wanted: Wanted,
  store: (db: Db, reservation: Reservation, at: Date) => Promise<T>,
): Promise<T> {
  const entitlements = entitlementsOf(who.plan, who.connectionQuantity);
  const { scheduledPosts, connections, monthlyPosts } = entitlements;
  const reservationAt = (at: Date): Reservation => {
    requireHorizon(who, entitlements, { at, queued: wanted.queued }, app.clock.now());
    return {
      ownerId: who.ownerId,
      period: periodOf(at),
      connections: wanted.platformIds.toSorted(),
      limit: monthlyPosts.scope === 'connection' ? monthlyPosts.limit : null,
    };
  };
  const accountLimits = [scheduledPosts, connections, monthlyPosts.scope === 'account' ? monthlyPosts.limit : null];
  const isLimited = accountLimits.some((limit) => limit !== null);
  const needsLock = isLimited || Boolean(wanted.takeSlot);
  using _turn = needsLock ? await turns.acquire(who.ownerId) : null;
  let reservation = reservationAt(wanted.at);
  try {
    if (!needsLock) return await store(app.db, reservation, wanted.at);
    return await app.db.transaction().execute(async (tx) => {
      const at = (await wanted.takeSlot?.(tx)) ?? wanted.at;
      reservation = reservationAt(at);
      if (isLimited) {
        await lockPlan(tx, who.ownerId);
        await requireWithinUsage(tx, who, entitlements, wanted, reservation.period);
      }
      return store(tx, reservation, at);
    });
  } catch (error) {
    const refusal = isRefusal(error) ? await monthlyLimit(app.db, who, reservation) : (quotaProblem(error) ?? error);
    if (refusal instanceof Problem && refusal.key === 'post_limit_reached') {
      await noticeMonthlyLimit(app, who, reservation.period, monthlyPosts.limit!);
    }
    throw refusal;
  }
}

type Entitlements = ReturnType<typeof entitlementsOf>;

function requireHorizon(
  who: Who,
  entitlements: Entitlements,
  { at, queued }: Pick<Wanted, 'at' | 'queued'>,
  now: Date,
) {
  const latest = maxScheduledDate(entitlements, now);
  if (!queued || latest === null || at <= latest) return;
  const facts = { limit: entitlements.horizonDays!, scheduledTime: at, maxScheduledDate: latest };
  throw limitExceeded('SCHEDULE_HORIZON_REACHED', { plan: who.plan, ...facts });
}

async function requireWithinUsage(db: Db, who: Who, entitlements: Entitlements, wanted: Wanted, period: Period) {
  const { plan, ownerId } = who;
  const usage = await readUsage(db, { ownerId, period });
  const { connections, scheduledPosts } = entitlements;
  if (connections !== null && usage.connections > connections) {
    throw limitExceeded('CONNECTIONS_OVER_LIMIT', { plan, limit: connections, used: usage.connections });
  }
  const requested = wanted.platformIds.length - (wanted.alreadyQueued ?? 0);
  if (wanted.queued && scheduledPosts !== null && requested > 0 && usage.queue + requested > scheduledPosts) {
    const facts = { limit: scheduledPosts, used: usage.queue, requested, usageScope: usage.scope, ownerId };
    throw limitExceeded('SCHEDULED_POST_LIMIT_REACHED', { plan, ...facts });
  }
  requireWithinMonth(who, entitlements, wanted, usage, period);
}

function requireWithinMonth(
  { plan }: Who,
  { monthlyPosts }: Entitlements,
  wanted: Wanted,
  usage: Usage,
  period: Period,
) {
  const { limit, scope } = monthlyPosts;
  const requested = wanted.platformIds.length - (wanted.alreadyReserved?.(period) ?? 0);
  const used = usage.monthly.account;
  if (scope === 'connection' || limit === null || requested <= 0 || used + requested <= limit) return;
  throw limitExceeded('POST_LIMIT_REACHED', { plan, limit, period, requested, scope, used });
}

/** The error that `refuse()` raises in the database. It rolls back the statement. */
const isRefusal = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'CR403' && error.message === 'POST_LIMIT_REACHED';

async function monthlyLimit(db: Db, { plan }: Who, { ownerId, period, limit, connections }: Reservation) {
  const { monthly } = await readUsage(db, { ownerId, period });
  const usedBy = new Map(monthly.connections.map(({ platformSelection, used }) => [platformSelection, used]));
  const blocked = connections
    .map((platformSelection) => ({ platformSelection, used: usedBy.get(platformSelection) ?? 0 }))
    .filter(({ used }) => used >= limit!);
  const facts = { plan, limit: limit!, period, requested: connections.length };
  return limitExceeded('POST_LIMIT_REACHED', { ...facts, scope: 'connection', blocked });
}

/**
 * Sends at most one mail per month. The rejected change is already rolled back, so the mail is stored separately. If
 * that fails, the rejection still stands.
 */
async function noticeMonthlyLimit(
  app: Pick<App, 'db' | 'clock' | 'newId' | 'sealingKeys' | 'log'>,
  { ownerId, plan }: Who,
  period: Period,
  limit: number,
) {
  const data = { plan: plans[plan].name, limit, resetAt: period.end.toISOString() };
  const once = `monthly_limit_reached ${ownerId} ${period.key}`;
  await notifyUser(app, app.db, ownerId, { kind: 'monthly_limit_reached', data, once }).catch((error: unknown) => {
    app.log.error({ err: error, userId: ownerId }, 'the mail about the monthly limit could not be queued');
  });
}

/** Moves targets from their earlier counters to the month of the reservation. Exceeding a limit rolls this back. */
export function moveReservations(tx: Db, before: readonly (Reserved | null)[], reservation: Reservation) {
  const { ownerId, period, connections, limit } = reservation;
  const after = connections.map((connection) => ({ ownerId, period: period.key, connection }));
  return changeCounters(tx, before, after, limit ?? undefined);
}
