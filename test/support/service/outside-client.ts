import { once } from 'node:events';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';

export interface OutsideRequest {
  url: string;
  method: string;
  headers: Record<string, string>;
  body?: string;
}

/** A client in a separate thread, so that its work does not count as the service's work in this one. */
export function outsideClient() {
  const worker = new Worker(new URL(import.meta.url));
  return {
    /** The status of the response, which is read to its end. */
    async send(request: OutsideRequest): Promise<number> {
      worker.postMessage(request);
      const [status] = (await once(worker, 'message')) as [number];
      return status;
    },
    close: () => worker.terminate(),
  };
}

if (!isMainThread) {
  parentPort?.on('message', async ({ url, ...init }: OutsideRequest) => {
    const response = await fetch(url, init);
    await response.arrayBuffer();
    parentPort?.postMessage(response.status);
  });
}
