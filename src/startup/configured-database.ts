import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { openDedicatedConnection } from '../db/dedicated-connection.ts';
import { openEmbedded } from '../db/embedded.ts';
import type { Cleanup } from './cleanup.ts';
import { StartError } from './start-error.ts';

/** The address of the database: the one configured, or our own server, found running or started. */
export async function openConfiguredDatabase(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  log: Logger,
  undo: Cleanup,
): Promise<string> {
  if (databaseUrl) {
    await tryOut(databaseUrl);
    return databaseUrl;
  }
  const embedded = await openEmbedded({ folder: join(dataDir, 'postgres'), log }).catch((error: Error) => {
    throw new StartError(error.message, { cause: error });
  });
  undo.push(() => embedded.release());
  return embedded.url;
}

async function tryOut(databaseUrl: string) {
  try {
    const connection = await openDedicatedConnection(databaseUrl, 'crier-start');
    await connection.end();
  } catch (error) {
    // The address holds a password: only what is of use to find it again.
    const { host, pathname } = new URL(databaseUrl);
    const reason = error instanceof Error && error.message ? error.message : 'no connection';
    throw new StartError(
      `The database ${host}${pathname} does not let us in: ${reason}. Check DATABASE_URL, and that the server runs.`,
      { cause: error },
    );
  }
}
