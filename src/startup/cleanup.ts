/** What has to be taken down again, last brought up first. Every part gets its turn, whatever becomes of the others. */
export interface Cleanup {
  push(step: () => Promise<unknown>): void;
  run(): Promise<void>;
}

export function cleanup(): Cleanup {
  const steps: (() => Promise<unknown>)[] = [];
  let running: Promise<void> | null = null;

  async function takeDown() {
    for (let step = steps.pop(); step; step = steps.pop()) {
      await step().catch((error: unknown) => console.error('While stopping:', error));
    }
  }

  return {
    push: (step) => void steps.push(step),
    run: () => {
      running ??= takeDown();
      return running;
    },
  };
}
