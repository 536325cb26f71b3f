import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** In a separate process: an ordinary user could not undo it. */
const program = `
  import { readdirSync, readFileSync } from 'node:fs';
  import { readFile } from 'node:fs/promises';
  import { getPriority } from 'node:os';
  import { lowerPoolPriority } from '${new URL('thread-priority.ts', import.meta.url)}';
  // The pool begins with the first file that is read.
  await readFile('/proc/self/comm');
  lowerPoolPriority();
  const threads = readdirSync('/proc/self/task').map((thread) => {
    const name = readFileSync('/proc/self/task/' + thread + '/comm', 'utf8').trim();
    return { name, priority: getPriority(Number(thread)) };
  });
  console.log(JSON.stringify(threads));
`;

test.runIf(process.platform === 'linux')(
  'the threads of the pool yield to the thread that answers requests',
  async () => {
    const args = ['--input-type=module', '--eval', program];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const threads: { name: string; priority: number }[] = JSON.parse(stdout);
    const ofPool = threads.filter(({ name }) => name === 'libuv-worker').map(({ priority }) => priority);
    expect(ofPool).toEqual([10, 10, 10, 10]);
    expect(threads.find(({ name }) => name === 'node-MainThread')?.priority).toBeLessThan(10);
  },
);
