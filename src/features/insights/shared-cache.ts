import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../../app.ts';
import type { Db } from '../../foundation/db/database.ts';
import type { Json } from '../../foundation/lib/json.ts';
import { claimFetch, readValues, releaseFetch, storeValues } from './cache-queries.ts';

export interface Cached<T> {
  value: T;
  cached: boolean;
}

export interface CacheRequest<T> {
  keys: readonly string[];
  seconds: number;
  /** Callers with the same scope share failures. Others make their own attempt. */
  failureScope?: string | undefined;
  /** The maximum number of keys per call of `load`. */
  batchSize?: number;
  /** A key that is missing from the result is cached as null. */
  load(keys: readonly string[]): Promise<ReadonlyMap<string, T | null>>;
}

/** Longer than any request takes. After this time, the process that sent the request is considered dead. */
const fetchLeaseMs = 100_000;
const pollEveryMs = 50;

/**
 * Returns the cached value of the key, or loads it and caches it for `seconds`. Concurrent callers in all processes
 * share one request to the platform. Failures are not cached.
 */
export async function fetchCached<T extends Json>(
  app: Pick<App, 'db' | 'clock'>,
  key: string,
  seconds: number,
  load: () => Promise<T>,
  failureScope?: string,
): Promise<Cached<T>> {
  const request = { keys: [key], seconds, failureScope, load: async () => new Map([[key, await load()]]) };
  const [outcome] = await fetchCachedMany<T>(app, request);
  if (outcome?.status !== 'fulfilled') throw outcome?.reason;
  return outcome.value as Cached<T>;
}

/** Like `fetchCached`, for many keys, in their order. Loads only keys that are neither cached nor being loaded. */
export function fetchCachedMany<T extends Json>(
  app: Pick<App, 'db' | 'clock'>,
  request: CacheRequest<T>,
): Promise<PromiseSettledResult<Cached<T | null>>[]> {
  const inProgress = fetchesIn(app.db);
  const name = (key: string) => `${request.failureScope ?? ''}\n${key}`;
  const mine = [...new Set(request.keys)].filter((key) => !inProgress.has(name(key)));
  if (mine.length > 0) {
    const answers = fetchAll(app, { ...request, keys: mine });
    for (const key of mine) {
      const answer = answers.then((all) => outcomeOf(all.get(key)!)).finally(() => inProgress.delete(name(key)));
      inProgress.set(name(key), answer);
    }
  }
  return Promise.allSettled(request.keys.map((key) => inProgress.get(name(key)) as Promise<Cached<T | null>>));
}

/** Requests in progress in this process, by database. */
const fetches = new WeakMap<Db, Map<string, Promise<Cached<Json>>>>();

function fetchesIn(db: Db) {
  const known = fetches.get(db) ?? new Map<string, Promise<Cached<Json>>>();
  fetches.set(db, known);
  return known;
}

type Outcome = Cached<Json> | { error: unknown };

function outcomeOf(outcome: Outcome): Cached<Json> {
  if ('error' in outcome) throw outcome.error;
  return outcome;
}

async function fetchAll<T extends Json>(
  app: Pick<App, 'db' | 'clock'>,
  request: CacheRequest<T>,
): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  for (;;) {
    const now = app.clock.now();
    const open = request.keys.filter((key) => !outcomes.has(key));
    for (const [key, value] of await readValues(app.db, open, now)) outcomes.set(key, { value, cached: true });
    const unknown = open.filter((key) => !outcomes.has(key));
    if (unknown.length === 0) return outcomes;
    const until = new Date(now.getTime() + fetchLeaseMs);
    const claimed = await claimFetch(app.db, unknown, now, until);
    for (const [key, outcome] of await fetchFor(app, request, claimed, until)) outcomes.set(key, outcome);
    if (claimed.length < unknown.length) await sleep(pollEveryMs);
  }
}

/** Loads one batch after the other. Stops at the first failure, because the others would fail for the same reason. */
async function fetchFor<T extends Json>(
  app: Pick<App, 'db' | 'clock'>,
  request: CacheRequest<T>,
  claimed: readonly string[],
  until: Date,
) {
  const outcomes = new Map<string, Outcome>();
  const { batchSize = claimed.length, seconds, load } = request;
  for (let start = 0; start < claimed.length; start += batchSize) {
    const keys = claimed.slice(start, start + batchSize);
    try {
      const answer = await load(keys);
      const values = keys.map((key) => [key, answer.get(key) ?? null] as const);
      await storeValues(app.db, values, new Date(app.clock.now().getTime() + seconds * 1000));
      for (const [key, value] of values) outcomes.set(key, { value, cached: false });
    } catch (error) {
      const unanswered = claimed.slice(start);
      await releaseFetch(app.db, unanswered, until);
      for (const key of unanswered) outcomes.set(key, { error });
      break;
    }
  }
  return outcomes;
}
