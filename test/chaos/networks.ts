import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** The networks share the workers' time, as in reality. */
export interface Times {
  clockBase: number;
  clockFactor: number;
}

/** Starts the sandbox of all networks on a separate thread, which it keeps busy. Returns its address. */
export async function openNetworks(workerData: Times, stack: AsyncDisposableStack): Promise<string> {
  const thread = new Worker(new URL('networks-thread.ts', import.meta.url), { workerData });
  stack.defer(async () => {
    await thread.terminate();
  });
  const [url] = await once(thread, 'message');
  return url;
}
