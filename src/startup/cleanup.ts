import { StartError } from './start-error.ts';

/** What has to be taken down again, last brought up first. Every part gets its turn, whatever becomes of the others. */
export interface Cleanup {
  push(step: () => Promise<unknown>): void;
  run(): Promise<void>;
  /** From now on `push` still notes the step, and then stops whoever is bringing things up with an error. */
  cancelStart(): void;
}

export function cleanup(): Cleanup {
  const steps: (() => Promise<unknown>)[] = [];
  let running: Promise<void> | null = null;
  let enough = false;

  async function takeDown() {
    for (let step = steps.pop(); step; step = steps.pop()) {
      await step().catch((error: unknown) => console.error('While stopping:', error));
    }
  }

  return {
    push(step) {
      steps.push(step);
      if (enough) throw new StartError('Stopped while starting.');
    },
    run() {
      running ??= takeDown();
      return running;
    },
    cancelStart() {
      enough = true;
    },
  };
}
