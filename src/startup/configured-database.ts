import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { openDedicatedConnection } from '../db/dedicated-connection.ts';
import { openEmbedded } from '../db/embedded.ts';
import type { Cleanup } from './cleanup.ts';
import { StartError } from './start-error.ts';

/** The URL of the database: DATABASE_URL, or that of the embedded server, which is started if it is not running. */
export async function openConfiguredDatabase(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  log: Logger,
  undo: Cleanup,
): Promise<string> {
  if (databaseUrl) {
    await checkConnection(databaseUrl);
    return databaseUrl;
  }
  const embedded = await openEmbedded({ folder: join(dataDir, 'postgres'), log }).catch((error: Error) => {
    throw new StartError(error.message, { cause: error });
  });
  undo.push(() => embedded.release());
  return embedded.url;
}

async function checkConnection(databaseUrl: string) {
  try {
    const connection = await openDedicatedConnection(databaseUrl, 'crier-start');
    await connection.end();
  } catch (error) {
    // The URL contains a password, so only its host and database are shown.
    const { host, pathname } = new URL(databaseUrl);
    const reason = error instanceof Error && error.message ? error.message : 'no connection';
    throw new StartError(
      `Cannot connect to the database ${host}${pathname}: ${reason}. Check DATABASE_URL, and that the server is running.`,
      { cause: error },
    );
  }
}
