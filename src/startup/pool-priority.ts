import { readdirSync, readFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/** As of the process that decodes images. */
const low = 10;

/**
 * The threads of Node's pool hash passwords, compress, and read and write files. When all processors are busy, they leave
 * them to the thread that answers requests. Only Linux has a priority for each thread; elsewhere nothing changes.
 */
export function lowerPoolPriority() {
  if (process.platform !== 'linux') return;
  try {
    for (const thread of readdirSync('/proc/self/task')) {
      const name = readFileSync(`/proc/self/task/${thread}/comm`, 'utf8').trim();
      if (name === 'libuv-worker') setPriority(Number(thread), low);
    }
  } catch {
    // A container may hide the threads, and one may have ended meanwhile. Everything works without it.
  }
}
