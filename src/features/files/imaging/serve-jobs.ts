import { Worker } from 'node:worker_threads';
import { lowerProcessPriority } from '../../../foundation/system/thread-priority.ts';

export interface JobRequest {
  name: string;
  args: unknown[];
  limits: WatchedLimits;
}
/** Beyond these, the process is killed. */
export interface WatchedLimits {
  maxMemoryBytes: number;
  maxCpuMs: number;
}
export type ToProcess = JobRequest | { id: number; bytes: Uint8Array };
export type FromProcess = { result: unknown } | { error: string } | { id: number; start: number; end: number };

const awaited = new Map<number, (bytes: Uint8Array) => void>();
let lastId = 0;

/** Runs the jobs that the service sends to this process, one at a time. */
export function serveJobs(jobs: Record<string, (...args: never[]) => Promise<unknown>>) {
  // Requests to the service take priority.
  lowerProcessPriority();
  // Ctrl-C reaches the whole process group, but the service lets running jobs finish first.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
  // A normal exit would wait for the job. If the service has died, this ends the process, too.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));

  const watch = new Worker(new URL('./watch-limits.js', import.meta.url));
  process.on('message', async (message: ToProcess) => {
    if ('bytes' in message) return awaited.get(message.id)?.(message.bytes);
    const { name, args, limits } = message;
    watch.postMessage(limits);
    const run = jobs[name] as unknown as (...args: unknown[]) => Promise<unknown>;
    const answer = await run(...args).then(
      (result) => ({ result }),
      (error: Error) => ({ error: error.stack ?? error.message }),
    );
    watch.postMessage(null);
    send(answer);
  });
}

/** Bytes of the job's file, which only the service can read. Never settles if the service cannot either. */
export function readBytes(start: number, end: number): Promise<Uint8Array> {
  const { promise, resolve } = Promise.withResolvers<Uint8Array>();
  const id = ++lastId;
  awaited.set(id, resolve);
  send({ id, start, end });
  return promise.finally(() => awaited.delete(id));
}

function send(message: FromProcess) {
  process.send?.(message, () => {});
}
