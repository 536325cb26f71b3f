import { mkdtempDisposable, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from './is-alive.ts';

/**
 * For copies of files that only this process reads. Disposing deletes it; if the process is killed, the next start
 * does.
 */
export const temporaryFolder = (purpose: Purpose) =>
  mkdtempDisposable(join(tmpdir(), `crier-${purpose}-${process.pid}-`));

type Purpose = (typeof purposes)[number];
const purposes = ['image', 'avatar', 'rendition', 'thumbnail', 'comment'] as const;
const owned = new RegExp(`^crier-(?:${purposes.join('|')})-(\\d+)-`);

/**
 * Deletes the folders of killed processes. Call it before this process creates any: a folder with this process's pid is
 * from an earlier process, as in a container, where pids repeat at each start.
 */
export async function removeAbandonedFolders(): Promise<void> {
  const names = (await readdir(tmpdir()).catch(() => [])).filter((name) => {
    const pid = Number(owned.exec(name)?.[1] ?? 0);
    return pid > 0 && (pid === process.pid || !isAlive(pid));
  });
  // Folders of other users stay.
  await Promise.allSettled(names.map((name) => rm(join(tmpdir(), name), { recursive: true, force: true })));
}
