export interface BatchOptions {
  /** Items in one go, at most. */
  max: number;
  /** After a failure that provably left nothing behind, each item gets a try of its own: one bad one spoils no others. */
  leftNothing(error: unknown): boolean;
}

interface Waiting<I, O> {
  item: I;
  resolve(answer: O): void;
  reject(error: unknown): void;
}

/**
 * Joins the calls that come while one is under way into the next. A lone call goes at once; under load the cost of a
 * round trip and of a commit is shared. `work` answers for its items in their order.
 */
export function batched<I, O>(work: (items: I[]) => Promise<O[]>, { max, leftNothing }: BatchOptions) {
  const queue: Waiting<I, O>[] = [];
  let isRunning = false;

  async function run(batch: Waiting<I, O>[]) {
    try {
      const answers = await work(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index]!);
    } catch (error) {
      if (batch.length > 1 && leftNothing(error)) for (const alone of batch) await run([alone]);
      else for (const { reject } of batch) reject(error);
    }
  }

  async function drain() {
    isRunning = true;
    while (queue.length > 0) await run(queue.splice(0, max));
    isRunning = false;
  }

  return (item: I): Promise<O> =>
    new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject });
      if (!isRunning) void drain();
    });
}
