import { chown, open, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The sealing keys that Crier made for itself: one per line, the newest first. */
export const keyFileIn = (dataDir: string) => join(dataDir, 'secret.key');

export async function readKeys(file: string): Promise<string[]> {
  return (await readFile(file, 'utf8')).trim().split(/\s+/);
}

/**
 * All or nothing, and on the disk before anything is sealed with what it says: a record that outlives its key is lost. The
 * file stays with its owner: root may rotate the keys of a Crier that runs as somebody else.
 */
export async function writeKeys(file: string, keys: readonly string[]) {
  const { uid, gid } = await stat(file);
  const unfinished = `${file}.new`;
  await writeFile(unfinished, `${keys.join('\n')}\n`, { mode: 0o600, flush: true });
  if (process.getuid?.() === 0) await chown(unfinished, uid, gid);
  await rename(unfinished, file);
  const folder = await open(dirname(file));
  await folder.sync();
  await folder.close();
}
