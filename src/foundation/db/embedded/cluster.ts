import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chown, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { removeFolder, unfinishedFolder } from '../../system/unfinished-folder.ts';
import type { Binaries } from './binaries.ts';
import { chooseLauncher, type Launcher } from './launcher.ts';
import type { OsUser } from './os-user.ts';

interface ClusterOptions {
  folder: string;
  binaries: Binaries;
  osUser: OsUser | null;
  /** False for temporary data that may be lost in a crash. */
  durable: boolean;
}

/** Creates the cluster on the first start. Returns its password. */
export async function ensureCluster(options: ClusterOptions): Promise<string> {
  const { folder } = options;
  const found = await readPassword(folder);
  if (found !== null) return found;
  await makeCluster(options);
  const made = await readPassword(folder);
  if (made === null)
    throw new Error(
      `${folder} contains files that are not Crier's database. Move them elsewhere, or set DATA_DIR to another folder.`,
    );
  return made;
}

async function readPassword(folder: string): Promise<string | null> {
  try {
    return await readFile(join(folder, 'password'), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new Error(
      `The embedded PostgreSQL in ${folder} cannot be opened: ${(error as Error).message}. ` +
        'If Crier was started with this DATA_DIR as another user, such as root, start it as that user.',
      { cause: error },
    );
  }
}

/**
 * Creates the cluster in a folder next to the final one and renames it. A killed process therefore leaves no incomplete
 * cluster, and if two first starts race, the slower one uses the cluster of the faster one.
 */
async function makeCluster({ folder, binaries, osUser, durable }: ClusterOptions) {
  await mkdir(dirname(folder), { recursive: true });
  const unfinished = await unfinishedFolder(folder);
  try {
    const passwordFile = join(unfinished, 'password');
    await writeFile(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600, flush: true });
    if (osUser) {
      await chown(passwordFile, osUser.uid, osUser.gid);
      await chown(unfinished, osUser.uid, osUser.gid);
    }
    await initialize(await chooseLauncher(osUser, binaries, unfinished), durable);
    await rename(unfinished, folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  } finally {
    await removeFolder(unfinished);
  }
}

async function initialize({ folder, binaries, spawn }: Launcher, durable: boolean) {
  const args = [
    `--pgdata=${join(folder, 'cluster')}`,
    '--username=postgres',
    `--pwfile=${join(folder, 'password')}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // Sort by code point, so the order is the same on every machine, whatever its libraries.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    ...(durable ? [] : ['--no-sync']),
  ];
  const child = spawn(binaries.initdb, args, 'pipe');
  const [closed, output, errors] = await Promise.all([once(child, 'close'), text(child.stdout!), text(child.stderr!)]);
  if (closed[0] !== 0) throw new Error(`The embedded PostgreSQL could not be created.\n${output}${errors}`.trimEnd());
}
