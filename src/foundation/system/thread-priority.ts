import { readdirSync, readFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/** A larger number would starve the work of these threads on a busy machine. */
const low = 10;

/**
 * The threads of Node's pool hash passwords, compress, and read and write files. When all processors are busy, they leave
 * them to the thread that answers requests.
 */
export const lowerPoolPriority = () => lowerThreads((thread) => nameOf(thread) === 'libuv-worker');

/** Of all threads of this process, and so of those that they start later. */
export function lowerProcessPriority() {
  setPriority(low);
  lowerThreads(() => true);
}

/** Only Linux has a priority for each thread. There, that of a process is the one of its first thread. */
function lowerThreads(isMeant: (thread: string) => boolean) {
  if (process.platform !== 'linux') return;
  try {
    for (const thread of readdirSync('/proc/self/task')) if (isMeant(thread)) setPriority(Number(thread), low);
  } catch {
    // A container may hide the threads, and one may have ended meanwhile. Everything works without it.
  }
}

const nameOf = (thread: string) => readFileSync(`/proc/self/task/${thread}/comm`, 'utf8').trim();
