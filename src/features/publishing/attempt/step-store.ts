import { type Db, inTransaction } from '../../../foundation/db/database.ts';
import { wrapDatabaseErrors } from '../../../foundation/db/database-error.ts';
import { retryTransient } from '../../../foundation/db/retry-transient.ts';
import type { Json } from '../../../foundation/lib/json.ts';
import { storable } from '../../../foundation/lib/storable.ts';
import type { Found } from '../../../platforms/kit/index.ts';
import type { Adopted, StepRecord, StepStore } from '../../../platforms/kit/steps.ts';
import { lockAdoption, readOwnership } from '../lanes/adopt-queries.ts';
import type { PublishingApp } from './batched-writes.ts';
import { type DeferredSteps, deferredSteps } from './deferred-steps.ts';
import {
  discardStep,
  finishSteps,
  markStepArrived,
  markStepResent,
  type NamedStep,
  type StoredStep,
} from './step-queries.ts';

/** A post and the token with which this run claimed it. */
export interface PostClaim {
  id: string;
  token: string;
}

/** Another worker has claimed the post, or it was deleted. This run must not write or send anything else. */
export class ClaimLostError extends Error {
  override name = 'ClaimLostError';
}

/** A slower database response proves nothing: other workers take over the posts of a silent worker. */
const proofMs = 3_000;

/** Stores steps in `publish_steps` while this run has the claim. */
export function stepStore({ db, clock, writes, platformAccess }: PublishingApp, claim: PostClaim): StepStore {
  const named = (name: string) => ({ ...claim, name, now: clock.now() });

  async function begin(name: string, makesVisible: boolean, fingerprint: string | null) {
    const { step, askedAt } = await unlessLost(writes.begin({ ...named(name), makesVisible, fingerprint }));
    // Any other step is sent only after `markResent`, if at all.
    if (step === 'new') await proveSending(name, askedAt);
    return step;
  }
  async function markResent(name: string) {
    const askedAt = performance.now();
    await unlessLost(markStepResent(db, claim, name));
    await proveSending(name, askedAt);
  }
  /**
   * The process or the database may have been suspended in the meantime, and the claim may be lost. If it is still
   * valid, the request leaves later than recorded, so others must measure their wait from now.
   */
  async function proveSending(name: string, askedAt: number) {
    if (performance.now() - askedAt > proofMs) await markResent(name);
  }

  return {
    begin: async (name, makesVisible, fingerprint) =>
      asRecord(await begin(name, makesVisible, fingerprint ?? null), platformAccess.timeoutMs),
    markResent,
    // Only this run knows what the platform did, so a brief database outage must not lose the result.
    finish: async (name, result, isReplayable) => {
      const ended = { ...named(name), result, onlyIfClaimed: isReplayable };
      await unlessLost(retryTransient(() => writes.finish(ended)));
    },
    markArrived: async (name) => void (await unlessLost(markStepArrived(db, claim, name))),
    discard: async (name) => void (await unlessLost(retryTransient(() => discardStep(db, claim, name)))),
    adopt: (name, found, ownMsInFlight) =>
      unlessLost(adopt(db, named(name), found, platformAccess.timeoutMs, ownMsInFlight)),
  };
}

/** The same, for a run that ends with the outcome of its post. */
export const deferredStepStore = (app: PublishingApp, claim: PostClaim): DeferredSteps =>
  deferredSteps(stepStore(app, claim), (name) => ({ ...claim, name, now: app.clock.now() }));

/** Null if the claim was lost. */
function adopt<T extends Json>(
  db: Db,
  step: NamedStep,
  { posts, doubtful, areAlike = false }: Found<T>,
  timeoutMs: number,
  ownMsInFlight: number,
) {
  return inTransaction(db, async (tx): Promise<Adopted<T> | null> => {
    await lockAdoption(tx, step.id);
    const ids = [...posts, ...doubtful].map(idOf).filter((id) => id !== null);
    const { owned, otherSentMsAgo } = await readOwnership(tx, step, ids);
    const isFree = (post: T) => !owned.has(idOf(post) ?? '');
    const [first = null, ...others] = posts.filter(isFree);
    const isUnclear = areAlike && others.length > 0;
    const result = isUnclear ? null : first;
    const isDoubtful = isUnclear || doubtful.some(isFree);
    // A result that no post owns yet may be one that another post is about to store. If it belongs to the other post
    // and this step's own request arrives later, one of the two would be published twice.
    const mayBeOthers = (isDoubtful || (result !== null && idOf(result) !== null)) && otherSentMsAgo !== null;
    const msInFlight = mayBeOthers ? Math.max(ownMsInFlight, msLeft(otherSentMsAgo, timeoutMs)) : 0;
    if (result === null || msInFlight > 0) return { result: null, isDoubtful, msInFlight };
    const [isClaimed] = await finishSteps(tx, [{ ...step, result, onlyIfClaimed: true }]);
    return isClaimed ? { result, isDoubtful, msInFlight } : null;
  });
}

/** Null for an effect requested under its own name, which cannot belong to another post. */
const idOf = (result: Json) =>
  typeof result === 'object' && result !== null && 'id' in result && typeof result.id === 'string'
    ? storable(result.id)
    : null;

/**
 * A request can be sent again this many timeouts after it was sent. If the platform has not accepted it by half a
 * timeout after the client gave up, it will not accept it later.
 */
const resendAfterTimeouts = 1.5;

function asRecord(step: StoredStep | 'new', timeoutMs: number): StepRecord | 'new' {
  if (step === 'new' || step.ended) return step;
  const { startedAt, ageMs } = step;
  return { startedAt, ended: false, msInFlight: msLeft(ageMs, timeoutMs) };
}

const msLeft = (sentMsAgo: number, timeoutMs: number) => Math.max(0, resendAfterTimeouts * timeoutMs - sentMsAgo);

async function unlessLost<T>(work: Promise<T | null | false>): Promise<T> {
  const answer = await wrapDatabaseErrors(work);
  if (answer === null || answer === false) throw new ClaimLostError();
  return answer;
}
