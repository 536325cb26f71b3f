import sharp from 'sharp';
import { lowerProcessPriority } from '../../../foundation/system/thread-priority.ts';
import { toAvatar } from './avatar.ts';
import { checkImage } from './check-image.ts';
import { isTurned, toGif, toJpeg } from './convert-image.ts';

/** The program of the processes that decode all images. Runs one job at a time. */
const jobs = { checkImage, isTurned, toAvatar, toGif, toJpeg };

export type Jobs = typeof jobs;
export interface JobRequest {
  name: keyof Jobs;
  args: unknown[];
  maxMemoryBytes: number;
}
export type JobAnswer = { result: unknown } | { error: string };

const memoryWatchMs = 25;

// The cache would keep pixels in memory and files open.
sharp.cache(false);
// One image uses one core, regardless of how many there are.
sharp.concurrency(1);
// Requests to the service take priority over images.
lowerProcessPriority();

// Ctrl-C reaches the whole process group, but the service lets running jobs finish first.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
// A normal exit would wait for the decoder.
const end = () => process.kill(process.pid, 'SIGKILL');
process.on('disconnect', end);

process.on('message', async ({ name, args, maxMemoryBytes }: JobRequest) => {
  // The decoder runs on other threads, so this loop is free to monitor it.
  const watch = setInterval(() => {
    if (process.memoryUsage.rss() > maxMemoryBytes) end();
  }, memoryWatchMs);
  const run = jobs[name] as (...args: unknown[]) => Promise<unknown>;
  const answer: JobAnswer = await run(...args).then(
    (result) => ({ result }),
    (error: Error) => ({ error: error.stack ?? error.message }),
  );
  clearInterval(watch);
  // If the service has died in the meantime, `disconnect` ends this process.
  process.send?.(answer, () => {});
});
