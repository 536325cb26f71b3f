import { setImmediate } from 'node:timers/promises';
import type { StepStore } from '../../../platforms/kit/steps.ts';
import type { EndedStep } from './step-queries.ts';

/**
 * A store whose last step can be stored together with the outcome of its post. Most posts end with the step that
 * publishes them, so one commit is enough for both. Call `settle` before anything is sent.
 */
export interface DeferredSteps extends StepStore {
  /** The finished step that is not stored yet. The caller must store it. */
  takeUnsaved(): Promise<EndedStep | null>;
  /** Stores a step that was taken and could not be stored with the outcome. */
  saveNow(step: EndedStep): Promise<void>;
  /** Waits until all finished steps are stored. */
  settle(): Promise<void>;
}

/**
 * Stores a finished step before anything else that the store does, and at the end of this turn of the event loop unless
 * it was taken: a process that dies later must not forget what a platform has answered.
 */
export function deferredSteps(
  store: StepStore,
  named: (name: string) => Omit<EndedStep, 'result' | 'onlyIfClaimed'>,
): DeferredSteps {
  let unsaved: EndedStep | null = null;
  let saving = Promise.resolve();

  async function takeUnsaved() {
    const step = unsaved;
    unsaved = null;
    if (!step) await saving;
    return step;
  }
  const saveNow = ({ name, result, onlyIfClaimed }: EndedStep) => {
    saving = store.finish(name, result, onlyIfClaimed);
    return saving;
  };
  async function settle() {
    const step = await takeUnsaved();
    if (step) await saveNow(step);
  }
  const settled =
    <A extends unknown[], R>(work: (...args: A) => Promise<R>) =>
    async (...args: A) => {
      await settle();
      return work(...args);
    };

  return {
    takeUnsaved,
    saveNow,
    settle,
    async finish(name, result, isReplayable) {
      do await settle();
      while (unsaved);
      const step = { ...named(name), result, onlyIfClaimed: isReplayable };
      unsaved = step;
      // A failure is reported by whatever the store does next.
      void setImmediate()
        .then(() => (unsaved === step ? settle() : undefined))
        .catch(() => {});
    },
    begin: settled(store.begin),
    markResent: settled(store.markResent),
    markArrived: settled(store.markArrived),
    discard: settled(store.discard),
    adopt: async (name, found, msInFlight) => {
      await settle();
      return store.adopt(name, found, msInFlight);
    },
  };
}
