import { sql } from 'kysely';
import {
  entitlementsOf,
  limitExceeded,
  maxScheduledDate,
  type Period,
  periodOf,
  readUsage,
} from '../accounts/quotas.ts';
import type { App } from '../app.ts';
import type { Db } from '../db/database.ts';
import type { Who } from '../http/auth.ts';

/** Platform posts to count in the month in which they are due, per account or per connection as the plan says. */
export interface Reservation {
  readonly ownerId: string;
  readonly period: Period;
  /** Null: there is no limit, but the posts are counted. */
  readonly limit: number | null;
  /** The amount to add to each counter. The counter of the whole account has an empty name. */
  readonly counters: readonly { readonly connection: string; readonly amount: number }[];
}

export interface Wanted {
  readonly platformIds: readonly string[];
  readonly at: Date;
  /** False for publishNow, to which neither the size of the queue nor the horizon applies. */
  readonly queued: boolean;
  /** How many places in the queue the post already has. */
  readonly alreadyQueued?: number;
}

export function reservationFor(who: Who, { platformIds, at }: Wanted): Reservation {
  const { monthlyPosts } = entitlementsOf(who.plan, who.connectionQuantity);
  const counters =
    monthlyPosts.scope === 'account'
      ? [{ connection: '', amount: platformIds.length }]
      : // The same order in every request prevents deadlocks.
        [...platformIds].sort().map((connection) => ({ connection, amount: 1 }));
  return { ownerId: who.ownerId, period: periodOf(at), limit: monthlyPosts.limit, counters };
}

/** The name of the counter of a target. */
export const counterOf = ({ counters }: Reservation, platformId: string) =>
  counters[0]?.connection === '' ? '' : platformId;

/**
 * Runs `store` within the limits of the plan, or throws the limit that it would exceed. Under a plan that limits the queue
 * or the connections, the requests of one owner run one at a time; other plans need no extra round trip.
 */
export async function withinPlanLimits<T>(
  app: Pick<App, 'db' | 'clock'>,
  who: Who,
  wanted: Wanted,
  store: (db: Db, reservation: Reservation) => Promise<T>,
): Promise<T> {
  const entitlements = entitlementsOf(who.plan, who.connectionQuantity);
  requireHorizon(who, entitlements, wanted, app.clock.now());
  const reservation = reservationFor(who, wanted);
  const { scheduledPosts, connections } = entitlements;
  try {
    if (scheduledPosts === null && connections === null) return await store(app.db, reservation);
    return await app.db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`plan of ${who.ownerId}`}, 0))`.execute(tx);
      await requireWithinUsage(tx, who, entitlements, wanted, reservation.period);
      return store(tx, reservation);
    });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    throw await monthlyLimit(app.db, who, reservation);
  }
}

type Entitlements = ReturnType<typeof entitlementsOf>;

function requireHorizon(who: Who, entitlements: Entitlements, { at, queued }: Wanted, now: Date) {
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
}

/** The error that `refuse()` raises in the database. It rolls the statement back. */
const isRefusal = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'CR403';

async function monthlyLimit(db: Db, who: Who, { ownerId, period, limit, counters }: Reservation) {
  const { monthly } = await readUsage(db, { ownerId, period });
  const facts = { plan: who.plan, limit: limit!, period };
  const [first] = counters;
  if (first?.connection === '') {
    const { amount: requested } = first;
    return limitExceeded('POST_LIMIT_REACHED', { ...facts, requested, scope: 'account', used: monthly.account });
  }
  const usedBy = new Map(monthly.connections.map(({ platformSelection, used }) => [platformSelection, used]));
  const blocked = counters
    .map(({ connection, amount }) => ({ platformSelection: connection, used: usedBy.get(connection) ?? 0, amount }))
    .filter(({ used, amount }) => used + amount > limit!)
    .map(({ platformSelection, used }) => ({ platformSelection, used }));
  return limitExceeded('POST_LIMIT_REACHED', { ...facts, requested: counters.length, scope: 'connection', blocked });
}
