import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isAlive } from './is-alive.ts';

/**
 * A new, empty folder next to the final one, readable only by its owner. This process fills and then renames it.
 * Leftovers of killed processes are removed first, so that none of them end up in the new folder.
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

/** A folder that a child of a killed process still writes to cannot be removed; the next attempt retries. */
export async function removeFolder(folder: string) {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
}
