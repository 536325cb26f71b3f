import { readFileSync, rmSync } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '../foundation/system/is-alive.ts';

const pollMs = 200;
const beatMs = 1_000;
/**
 * The process that holds the lock appends to the file every second. A longer silence means that it was killed and its
 * pid was reused.
 */
const silentMs = 30_000;

interface BuildLock extends AsyncDisposable {}

/**
 * Takes the lock, or waits for its holder and returns null if the work is done by then. The lock of a killed process is
 * taken over. If two processes hold it nevertheless, because one was suspended, both do the work; that must be safe.
 */
export async function lockOrWait(file: string, isDone: () => boolean, onWait: () => void): Promise<BuildLock | null> {
  await mkdir(dirname(file), { recursive: true });
  let [seen, seenAt] = ['', performance.now()];
  for (let polls = 0; !isDone(); polls += 1) {
    const made = await create(file);
    if (made) return hold(file, made);
    if (polls === 0) onWait();
    const found = contentOf(file);
    if (found !== seen) [seen, seenAt] = [found, performance.now()];
    // It may be empty for a moment, until its owner writes its pid.
    const isDead = found !== '' && !isAlive(ownerIn(found));
    // Synchronous: between reading and removing, another waiting process must not put its own lock there.
    if (isDead || performance.now() - seenAt > silentMs) rmSync(file, { force: true });
    else await sleep(pollMs);
  }
  return null;
}

const ownerIn = (content: string) => Number.parseInt(content, 10);

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Null if the file exists. */
const create = (file: string): Promise<FileHandle | null> =>
  open(file, 'wx').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') return null;
    throw error;
  });

async function hold(file: string, handle: FileHandle): Promise<BuildLock> {
  await handle.write(`${process.pid} `);
  const beat = setInterval(() => handle.write('.').catch(() => {}), beatMs).unref();
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(beat);
      await handle.close();
      if (ownerIn(contentOf(file)) === process.pid) rmSync(file, { force: true });
    },
  };
}
