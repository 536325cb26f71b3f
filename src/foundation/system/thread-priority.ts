import { readdirSync, readFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/** A larger number would starve these threads on a busy machine. */
const low = 10;

/**
 * The threads of Node's pool hash passwords, compress, and read and write files. When all CPUs are busy, they yield to
 * the thread that serves requests.
 */
export const lowerPoolPriority = () => lowerThreads((thread) => nameOf(thread) === 'libuv-worker');

/** Applies to all threads of this process, and therefore to those they start later. */
export function lowerProcessPriority() {
  setPriority(low);
  lowerThreads(() => true);
}

/** Only Linux has a priority per thread. There, a process's priority is that of its first thread. */
function lowerThreads(isMeant: (thread: string) => boolean) {
  if (process.platform !== 'linux') return;
  try {
    for (const thread of readdirSync('/proc/self/task')) if (isMeant(thread)) setPriority(Number(thread), low);
  } catch {
    // A container may hide the threads, and a thread may have ended in the meantime. Everything works without this.
  }
}

const nameOf = (thread: string) => readFileSync(`/proc/self/task/${thread}/comm`, 'utf8').trim();
