import { mkdtempDisposable, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** For copies of files that only this process reads. Disposing deletes it; if the process is killed, the next start does. */
export const temporaryFolder = (purpose: Purpose) =>
  mkdtempDisposable(join(tmpdir(), `crier-${purpose}-${process.pid}-`));

type Purpose = (typeof purposes)[number];
const purposes = ['image', 'avatar', 'rendition', 'thumbnail', 'comment'] as const;
const owned = new RegExp(`^crier-(?:${purposes.join('|')})-(\\d+)-`);

/**
 * Deletes the folders of processes that were killed. Called before this process has made any: one with its own number is from
 * an earlier process, as in a container, where the numbers are the same at each start.
 */
export async function removeAbandonedFolders(): Promise<void> {
  const names = (await readdir(tmpdir()).catch(() => [])).filter((name) => {
    const pid = Number(owned.exec(name)?.[1] ?? 0);
    return pid > 0 && (pid === process.pid || !isRunning(pid));
  });
  // What belongs to another user stays.
  await Promise.allSettled(names.map((name) => rm(join(tmpdir(), name), { recursive: true, force: true })));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It runs as another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
