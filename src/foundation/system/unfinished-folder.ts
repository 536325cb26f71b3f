import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isAlive } from './is-alive.ts';

/**
 * A new, empty folder beside the final one, for its owner alone, which this process fills and then renames. What killed
 * processes left of the same folder is removed: nothing of it may get into the next one.
 */
export async function unfinishedFolder(folder: string): Promise<string> {
  const prefix = `${basename(folder)}.new-`;
  for (const name of await readdir(dirname(folder)).catch(() => [])) {
    if (!name.startsWith(prefix)) continue;
    const pid = Number.parseInt(name.slice(prefix.length), 10);
    if (!isAlive(pid)) await removeFolder(join(dirname(folder), name));
  }
  return mkdtemp(`${folder}.new-${process.pid}-`);
}

/** A folder that a child of a killed process is still writing to cannot be removed; the next one who makes it tries again. */
export async function removeFolder(folder: string) {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
}
