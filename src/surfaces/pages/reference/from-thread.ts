import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** A text that a module makes on a thread of its own, because it would block this one, and posts when it is done. */
export async function textFromThread(module: URL, workerData?: object): Promise<string> {
  const worker = new Worker(module, { workerData });
  const [text]: string[] = await once(worker, 'message');
  await worker.terminate();
  return text ?? '';
}
