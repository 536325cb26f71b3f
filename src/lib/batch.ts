import { setImmediate } from 'node:timers/promises';

export interface BatchOptions {
  /** Items in one go, at most. */
  max: number;
  /** Batches under way at once, of all kinds together. Few: what waits meanwhile makes the next batch larger. */
  atOnce: number;
  /**
   * After a failure that provably left nothing behind, each item gets a try of its own, for which nobody else waits: one
   * bad one spoils no others, and one that takes long holds none up.
   */
  leftNothing(error: unknown): boolean;
}

interface Waiting<I, O> {
  item: I;
  resolve(answer: O): void;
  reject(error: unknown): void;
}

/**
 * Makes many small calls into few large ones: what is asked for in the same turn, or while others are under way, goes
 * together. So the cost of a round trip and of a commit is shared under load, and a lone call does not wait. The work
 * answers for its items in their order; it should fail soon rather than wait, unless it works at one item `alone`.
 */
export function batching({ max, atOnce, leftNothing }: BatchOptions) {
  const turns: (() => void)[] = [];
  let free = atOnce;

  async function turn() {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => turns.push(resolve));
  }
  function done() {
    const next = turns.shift();
    if (next) next();
    else free += 1;
  }

  return function batched<I, O>(work: (items: I[], alone: boolean) => Promise<O[]>): (item: I) => Promise<O> {
    const queue: Waiting<I, O>[] = [];
    let isRunning = false;

    async function run(batch: Waiting<I, O>[], alone = false) {
      try {
        const answers = await work(
          batch.map(({ item }) => item),
          alone,
        );
        for (const [index, { resolve }] of batch.entries()) resolve(answers[index]!);
      } catch (error) {
        if (!alone && leftNothing(error)) for (const one of batch) void run([one], true);
        else for (const { reject } of batch) reject(error);
      }
    }

    async function drain() {
      isRunning = true;
      await setImmediate();
      while (queue.length > 0) {
        await turn();
        await run(queue.splice(0, max));
        done();
      }
      isRunning = false;
    }

    return (item) =>
      new Promise((resolve, reject) => {
        queue.push({ item, resolve, reject });
        if (!isRunning) void drain();
      });
  };
}
