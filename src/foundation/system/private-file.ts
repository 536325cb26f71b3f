import { open, realpath, rename, rm, stat } from 'node:fs/promises';

/**
 * Replaces a file with one that only its owner can read, whatever the permissions of the old file. `writeFile` applies
 * its mode only to new files, and a process that has the old one open must not see the new content. `write` fills an
 * empty file.
 */
export async function writePrivateFile(file: string, write: (path: string) => Promise<unknown>) {
  const found = await stat(file).catch(() => null);
  // A pipe or a device stores nothing, and cannot be replaced.
  if (found && !found.isFile()) return void (await write(file));
  const target = found ? await realpath(file) : file;
  const unfinished = `${target}.new-${process.pid}`;
  await rm(unfinished, { force: true });
  const made = await open(unfinished, 'wx', 0o600);
  await made.close();
  try {
    await write(unfinished);
    await rename(unfinished, target);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}
