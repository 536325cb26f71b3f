import { execFileSync } from 'node:child_process';
import { mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '../database/temporary-server.ts';

const run = (command: string, ...args: string[]) => execFileSync(command, args, { stdio: 'ignore' });

/** A mount of two megabytes if mounting is allowed; otherwise an unusable folder. */
export async function poorDisk() {
  const parent = await temporaryFolder();
  const folder = join(parent.path, 'disk');
  await mkdir(folder);
  try {
    run('mount', '-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder);
  } catch {
    const file = join(parent.path, 'file');
    await writeFile(file, '');
    return {
      ...{
        folder: file,
        kind: 'unavailable',
        status: 503,
        words: 'The service cannot reach its file storage. Try again in a few seconds.',
      },
      [Symbol.asyncDispose]: () => parent.remove(),
    };
  }
  // The mount disappears when this process ends, at the latest.
  const opened = await open(folder);
  run('umount', '-l', folder);
  return {
    ...{
      folder: `/proc/self/fd/${opened.fd}`,
      kind: 'full',
      status: 507,
      words: 'The service has no storage space left for this file. Contact its operator.',
    },
    async [Symbol.asyncDispose]() {
      await opened.close();
      await parent.remove();
    },
  };
}
