import { chown, open, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writePrivateFile } from '../../../foundation/system/private-file.ts';

/** The file with the sealing keys that Crier generated: one per line, newest first. */
export const keyFileIn = (dataDir: string) => join(dataDir, 'secret.key');

export async function readKeys(file: string): Promise<string[]> {
  return (await readFile(file, 'utf8')).trim().split(/\s+/);
}

const linesOf = (keys: readonly string[]) => `${keys.join('\n')}\n`;

/**
 * A copy for a backup. It belongs to the user who creates it. Earlier backups may need the keys that the file already
 * has, which a rotation has removed from the data folder.
 */
export async function writeKeyCopy(file: string, keys: readonly string[]) {
  // A pipe or a device has none.
  const isFile = (await stat(file).catch(() => null))?.isFile() ?? false;
  const earlier = isFile ? (await readKeys(file)).filter(Boolean) : [];
  if (!earlier.every((key) => /^[\da-f]{64}$/i.test(key))) throw new Error('The file exists, and is not a key file.');
  const all = [...new Set([...keys, ...earlier])];
  await writePrivateFile(file, (path) => writeFile(path, linesOf(all), { flush: true }));
}

/**
 * Writes the file atomically, and syncs it to disk before anything is sealed with a new key, because a record without
 * its key is lost. The file keeps its owner, because root may rotate the keys of a Crier that runs as another user. A
 * new file gets the owner of its folder.
 */
export async function writeKeys(file: string, keys: readonly string[]) {
  const { uid, gid } = await stat(file).catch(() => stat(dirname(file)));
  await writePrivateFile(file, async (path) => {
    await writeFile(path, linesOf(keys), { flush: true });
    if (process.getuid?.() === 0) await chown(path, uid, gid);
  });
  const folder = await open(dirname(file));
  await folder.sync();
  await folder.close();
}
