import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../app.ts';
import type { Db } from '../db/database.ts';
import type { Json } from '../lib/json.ts';
import { claimFetch, readValues, releaseFetch, storeValues } from './cache-queries.ts';

type Needs = Pick<App, 'db' | 'clock'>;

export interface Cached<T> {
  value: T;
  cached: boolean;
}

export interface Question<T> {
  keys: readonly string[];
  seconds: number;
  /** Those who share a way to the network share its failures; others try theirs. */
  failureScope?: string | undefined;
  /** How many keys `ask` takes at once. */
  batchSize?: number;
  /** What is missing from the answer is remembered as null. */
  ask(keys: readonly string[]): Promise<ReadonlyMap<string, T | null>>;
}

/** Longer than any question takes; then whoever asked is taken for dead. */
const fetchLeaseMs = 100_000;
const pollEveryMs = 50;

/**
 * The answer that is remembered under the key, or the network's, remembered for `seconds`. However many ask at once, in
 * however many processes, the network is asked once. A failure is not remembered.
 */
export async function fetchCached<T extends Json>(
  app: Needs,
  key: string,
  seconds: number,
  ask: () => Promise<T>,
  failureScope?: string,
): Promise<Cached<T>> {
  const question = { keys: [key], seconds, failureScope, ask: async () => new Map([[key, await ask()]]) };
  const [outcome] = await fetchCachedMany<T>(app, question);
  if (outcome?.status !== 'fulfilled') throw outcome?.reason;
  return outcome.value as Cached<T>;
}

/** The same for many keys, in their order. Only those that nobody knows, and nobody is asking, are asked for. */
export function fetchCachedMany<T extends Json>(
  app: Needs,
  question: Question<T>,
): Promise<PromiseSettledResult<Cached<T | null>>[]> {
  const underWay = fetchesIn(app.db);
  const name = (key: string) => `${question.failureScope ?? ''}\n${key}`;
  const mine = [...new Set(question.keys)].filter((key) => !underWay.has(name(key)));
  if (mine.length > 0) {
    const answers = fetchAll(app, { ...question, keys: mine });
    for (const key of mine) {
      const answer = answers.then((all) => outcomeOf(all.get(key)!)).finally(() => underWay.delete(name(key)));
      underWay.set(name(key), answer);
    }
  }
  return Promise.allSettled(question.keys.map((key) => underWay.get(name(key)) as Promise<Cached<T | null>>));
}

/** Questions under way in this process, by its database. */
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

async function fetchAll<T extends Json>(app: Needs, question: Question<T>): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  for (;;) {
    const now = app.clock.now();
    const open = question.keys.filter((key) => !outcomes.has(key));
    for (const [key, value] of await readValues(app.db, open, now)) outcomes.set(key, { value, cached: true });
    const unknown = open.filter((key) => !outcomes.has(key));
    if (unknown.length === 0) return outcomes;
    const until = new Date(now.getTime() + fetchLeaseMs);
    const claimed = await claimFetch(app.db, unknown, now, until);
    for (const [key, outcome] of await fetchFor(app, question, claimed, until)) outcomes.set(key, outcome);
    if (claimed.length < unknown.length) await sleep(pollEveryMs);
  }
}

/** One call after the other. The first that fails is the last: what ails it would ail the others. */
async function fetchFor<T extends Json>(app: Needs, question: Question<T>, claimed: readonly string[], until: Date) {
  const outcomes = new Map<string, Outcome>();
  const { batchSize = claimed.length, seconds, ask } = question;
  for (let start = 0; start < claimed.length; start += batchSize) {
    const keys = claimed.slice(start, start + batchSize);
    try {
      const answer = await ask(keys);
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
