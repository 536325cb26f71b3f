import type { StepStore } from '../platforms/kit/steps.ts';
import type { PublishingApp } from './journal.ts';
import { forgetStep } from './step-queries.ts';

/** A post and the token under which this run holds it. */
export interface Held {
  id: string;
  token: string;
}

/** Somebody else runs this post now, or nobody does any more: whatever we know, we must neither write nor send. */
export class ClaimLost extends Error {
  override name = 'ClaimLost';
}

/** Our own database failed us. No verdict on the post: it is taken up again when the database is back. */
export class StoreTrouble extends Error {
  override name = 'StoreTrouble';
  constructor(cause: unknown) {
    super('The database failed.', { cause });
  }
}

/** Steps in `publish_steps`, for as long as this run holds the post. */
export function stepStore({ db, clock, journal }: PublishingApp, held: Held): StepStore {
  const step = (name: string) => ({ ...held, name, now: clock.now() });
  return {
    begin: (name) => ifHeld(journal.begin(step(name))),
    finish: async (name, result, isReplayable) =>
      void (await ifHeld(journal.finish({ ...step(name), result, onlyIfHeld: isReplayable }))),
    forget: async (name) => void (await ifHeld(forgetStep(db, held, name))),
  };
}

async function ifHeld<T>(work: Promise<T | null | false>): Promise<T> {
  const answer = await work.catch((cause: unknown) => Promise.reject(new StoreTrouble(cause)));
  if (answer === null || answer === false) throw new ClaimLost();
  return answer;
}
