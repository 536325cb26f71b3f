import { StartError } from './start-error.ts';

/** Stops everything that was started, in reverse order. A failure to stop one thing does not prevent the rest. */
export interface Cleanup {
  push(stop: () => Promise<unknown>): void;
  run(): Promise<void>;
  /** From now on, `push` adds its function and then throws, so that nothing more is started. */
  cancelStart(): void;
  throwIfCancelled(): void;
}

export function cleanup(): Cleanup {
  const stops: (() => Promise<unknown>)[] = [];
  let running: Promise<void> | null = null;
  let cancelled = false;

  async function stopAll() {
    for (let stop = stops.pop(); stop; stop = stops.pop()) {
      await stop().catch((error: unknown) => console.error('While stopping:', error));
    }
  }

  function throwIfCancelled() {
    if (cancelled) throw new StartError('Stopped during startup.');
  }

  return {
    push(stop) {
      stops.push(stop);
      throwIfCancelled();
    },
    run() {
      running ??= stopAll();
      return running;
    },
    cancelStart() {
      cancelled = true;
    },
    throwIfCancelled,
  };
}
