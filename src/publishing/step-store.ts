import type { StepStore } from '../platforms/kit/steps.ts';
import type { PublishingApp } from './journal.ts';
import { type EndedStep, forgetStep } from './step-queries.ts';

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

export interface RunSteps extends StepStore {
  /** The last result, if it has not been saved yet: for whoever saves it with what follows from it. */
  takeLast(): EndedStep | null;
  /** All other results have been saved. */
  saved(): Promise<unknown>;
}

/**
 * Steps in `publish_steps`, for as long as this run holds the post. A result is saved at the end of the turn in which it is
 * known, and before anything else begins. Most posts are out by then, so that one statement records both.
 */
export function stepStore({ db, clock, journal }: PublishingApp, held: Held): RunSteps {
  const step = (name: string) => ({ ...held, name, now: clock.now() });
  let last: EndedStep | null = null;
  let saving: Promise<unknown> = Promise.resolve();

  function takeLast() {
    const taken = last;
    last = null;
    return taken;
  }
  function saved() {
    const unsaved = takeLast();
    if (unsaved) {
      saving = ifHeld(journal.finish(unsaved));
      // Whoever waits for it hears of it.
      saving.catch(() => {});
    }
    return saving;
  }
  return {
    async begin(name) {
      await saved();
      return ifHeld(journal.begin(step(name)));
    },
    async finish(name, result, isReplayable) {
      const before = saved();
      last = { ...step(name), result, onlyIfHeld: isReplayable };
      setImmediate(saved);
      await before;
    },
    async forget(name) {
      await saved();
      await ifHeld(forgetStep(db, held, name));
    },
    takeLast,
    saved,
  };
}

async function ifHeld<T>(work: Promise<T | null | false>): Promise<T> {
  const answer = await work.catch((cause: unknown) => Promise.reject(new StoreTrouble(cause)));
  if (answer === null || answer === false) throw new ClaimLost();
  return answer;
}
