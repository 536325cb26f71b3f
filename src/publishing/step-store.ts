import { wrapDatabaseErrors } from '../db/database-error.ts';
import { retryTransient } from '../db/retry-transient.ts';
import type { StepRecord, StepStore } from '../platforms/kit/steps.ts';
import type { PublishingApp } from './batched-writes.ts';
import { forgetStep, type NotedStep, noteAgain, noteArrival } from './step-queries.ts';

/** A post and the token under which this run holds it. */
export interface Held {
  id: string;
  token: string;
}

/** Somebody else runs this post now, or nobody does any more: whatever we know, we must neither write nor send. */
export class ClaimLostError extends Error {
  override name = 'ClaimLost';
}

/** An answer that took longer is no proof any more that the post is ours: others go on without a worker that is silent. */
const proofMs = 3_000;

/** Steps in `publish_steps`, for as long as this run holds the post. */
export function stepStore({ db, clock, writes, platformAccess }: PublishingApp, held: Held): StepStore {
  const step = (name: string) => ({ ...held, name, now: clock.now() });

  async function begin(name: string) {
    const { noted, asked } = await ifHeld(writes.begin(step(name)));
    await prove(name, asked);
    return noted;
  }
  async function again(name: string) {
    const asked = performance.now();
    await ifHeld(noteAgain(db, held, name));
    await prove(name, asked);
  }
  /** This process stood still, or the database did. If the post is still ours, so is what was noted. */
  async function prove(name: string, asked: number) {
    if (performance.now() - asked > proofMs) await begin(name);
  }

  return {
    begin: async (name) => asRecord(await begin(name), platformAccess.timeoutMs),
    again,
    // What the network did, or refused, we alone know: that the database is away for a moment is no reason to forget it.
    finish: async (name, result, isReplayable) => {
      const ended = { ...step(name), result, onlyIfHeld: isReplayable };
      await ifHeld(retryTransient(() => writes.finish(ended)));
    },
    arrived: async (name) => void (await ifHeld(noteArrival(db, held, name))),
    forget: async (name) => void (await ifHeld(retryTransient(() => forgetStep(db, held, name)))),
  };
}

/** A network that has not taken a request half its time limit after nobody listens any more never will. */
const timeLimits = 1.5;

function asRecord(noted: NotedStep | 'new', timeoutMs: number): StepRecord | 'new' {
  if (noted === 'new' || noted.ended) return noted;
  const { startedAt, ageMs } = noted;
  return { startedAt, ended: false, msInFlight: Math.max(0, timeLimits * timeoutMs - ageMs) };
}

async function ifHeld<T>(work: Promise<T | null | false>): Promise<T> {
  const answer = await wrapDatabaseErrors(work);
  if (answer === null || answer === false) throw new ClaimLostError();
  return answer;
}
