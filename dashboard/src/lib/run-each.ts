/** Runs the action for each item, at most two at a time, and starts no more once the signal is aborted. */
export async function runEach<T>(
  items: readonly T[],
  action: (item: T) => Promise<unknown>,
  { atOnce = 2, signal }: { atOnce?: number; signal?: AbortSignal } = {},
) {
  const waiting = items.values();
  const work = async () => {
    for (const item of waiting) {
      if (signal?.aborted) return;
      await action(item);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}
