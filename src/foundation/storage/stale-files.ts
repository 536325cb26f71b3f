import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../time/clock.ts';

/** Removes files left by killed processes: those not written to for this long, and not in use. Returns how many. */
export async function removeStaleFiles(
  folder: string,
  olderThanMs: number,
  inUse: ReadonlySet<string> = new Set(),
): Promise<number> {
  const before = systemClock.now().getTime() - olderThanMs;
  let removed = 0;
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    if (inUse.has(file)) continue;
    const found = await stat(file).catch(() => null);
    if (!found?.isFile() || found.mtimeMs > before) continue;
    await rm(file, { force: true });
    removed += 1;
  }
  return removed;
}
