import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Invalidates queries: the first immediately, those that arrive during the refetch as one batch afterwards. So a burst of events
 * neither refetches the same list a thousand times nor cancels each response before it arrives.
 */
export function createInvalidator(client: QueryClient, pauseMs = 250) {
  const waiting = new Map<string, QueryKey>();
  let isRunning = false;
  async function run() {
    isRunning = true;
    while (waiting.size > 0) {
      const keys = [...waiting.values()];
      waiting.clear();
      await Promise.allSettled(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    isRunning = false;
  }
  return (keys: readonly QueryKey[]) => {
    for (const key of keys) waiting.set(JSON.stringify(key), key);
    if (!isRunning) void run();
  };
}
