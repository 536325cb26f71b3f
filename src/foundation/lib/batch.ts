import { setImmediate } from 'node:timers/promises';

export interface BatchOptions {
  /** Maximum number of items in a batch. */
  max: number;
  /** Maximum number of concurrent batches, over all kinds of work. A low number makes the batches larger. */
  maxRunning: number;
  /**
   * Whether a failed batch provably changed nothing. If so, each of its items is retried alone, so that a bad item does
   * not fail the others and a slow item does not delay them.
   */
  isRolledBack(error: unknown): boolean;
}

interface Waiting<I, O> {
  item: I;
  resolve(answer: O): void;
  reject(error: unknown): void;
}

/**
 * Turns many small calls into few large ones: calls made in the same turn of the event loop, or while batches run, are
 * flushed together. Under load they share the cost of a round trip and a commit; a single call does not wait. `work`
 * returns one result per item, in order. It should fail fast rather than wait, except for an item that runs `alone`.
 */
export function batching({ max, maxRunning, isRolledBack }: BatchOptions) {
  const turns: (() => void)[] = [];
  let free = maxRunning;

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
        if (!alone && isRolledBack(error)) for (const one of batch) void run([one], true);
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
