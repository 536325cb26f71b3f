import { StartError } from './start-error.ts';

/** Steps that stop what was started, in reverse order. A step that fails does not prevent the others. */
export interface Cleanup {
  push(step: () => Promise<unknown>): void;
  run(): Promise<void>;
  /** From now on `push` adds its step and then throws, so that nothing more is started. */
  cancelStart(): void;
  throwIfCancelled(): void;
}

export function cleanup(): Cleanup {
  const steps: (() => Promise<unknown>)[] = [];
  let running: Promise<void> | null = null;
  let cancelled = false;

  async function runSteps() {
    for (let step = steps.pop(); step; step = steps.pop()) {
      await step().catch((error: unknown) => console.error('While stopping:', error));
    }
  }

  function throwIfCancelled() {
    if (cancelled) throw new StartError('Stopped while starting.');
  }

  return {
    push(step) {
      steps.push(step);
      throwIfCancelled();
    },
    run() {
      running ??= runSteps();
      return running;
    },
    cancelStart() {
      cancelled = true;
    },
    throwIfCancelled,
  };
}
