import { join } from 'node:path';
import type { Logger } from 'pino';
import type { DatabaseAccess } from '../app.ts';
import type { Config } from '../config/config.ts';
import { DatabaseDownError, type Retrying } from '../foundation/db/database-down.ts';
import { openDedicatedConnection } from '../foundation/db/dedicated-connection.ts';
import { openEmbedded } from '../foundation/db/embedded/embedded.ts';
import { poolerKeepsStatements } from '../foundation/db/prepared-statements.ts';
import { parseDatabaseUrl } from '../foundation/lib/database-url.ts';
import { errorText } from '../foundation/lib/error-text.ts';
import type { Cleanup } from './cleanup.ts';
import { StartError } from './start-error.ts';

/** The database, with both URLs. */
export type ConfiguredDatabase = Required<DatabaseAccess>;

type Configured = Pick<Config, 'databaseUrl' | 'databaseListenUrl' | 'dataDir'>;

/** The database of DATABASE_URL, or the embedded server, which is started if it is not running. */
export async function openConfiguredDatabase(
  config: Configured,
  log: Logger,
  undo: Cleanup,
  retrying: Retrying = (step) => step(),
): Promise<ConfiguredDatabase> {
  const { databaseUrl, databaseListenUrl, dataDir } = config;
  if (databaseUrl) return openOwnServer(databaseUrl, databaseListenUrl, retrying);
  const embedded = await openEmbedded({ folder: join(dataDir, 'postgres'), log }).catch((error: Error) => {
    throw new StartError(error.message, { cause: error });
  });
  undo.push(() => embedded.release());
  return { databaseUrl: embedded.url, directUrl: embedded.url, keepsPreparedStatements: true };
}

/** A separate URL for LISTEN means that the other one leads to a pooler. */
async function openOwnServer(
  databaseUrl: string,
  listenUrl: string | null,
  retrying: Retrying,
): Promise<ConfiguredDatabase> {
  await checkConnection('DATABASE_URL', databaseUrl, retrying);
  if (listenUrl === null) return { databaseUrl, directUrl: databaseUrl, keepsPreparedStatements: true };
  await checkConnection('DATABASE_LISTEN_URL', listenUrl, retrying);
  await retrying(() => requireSameDatabase(databaseUrl, listenUrl));
  const keepsPreparedStatements = await retrying(() => poolerKeepsStatements(databaseUrl));
  return { databaseUrl, directUrl: listenUrl, keepsPreparedStatements };
}

async function checkConnection(variable: string, url: string, retrying: Retrying) {
  try {
    const connection = await retrying(() => openDedicatedConnection(url, 'crier-start'));
    await connection.end();
  } catch (failure) {
    const error = failure instanceof DatabaseDownError ? failure.cause : failure;
    // The URL contains a password, so only its hosts and database are shown.
    const address = parseDatabaseUrl(url);
    const shown = typeof address === 'string' ? '' : ` ${address.shown}`;
    const reason = error instanceof Error ? errorText(error) : 'no connection';
    throw new StartError(
      `Cannot connect to the database${shown}: ${reason}. Check ${variable}, and that the server is running.`,
      { cause: error },
    );
  }
}

/** With two different databases, everything would seem to work, but changes would not be noticed in time. */
async function requireSameDatabase(databaseUrl: string, listenUrl: string) {
  const [one, other] = await Promise.all([databaseUrl, listenUrl].map(databaseAt));
  if (one === other) return;
  throw new StartError(
    'DATABASE_URL and DATABASE_LISTEN_URL point to different databases. The second must reach the same server and ' +
      'database as the first, without the pooler.',
  );
}

/** The cluster's system identifier and the database name, which are the same on all servers of the cluster. */
async function databaseAt(url: string): Promise<string> {
  const connection = await openDedicatedConnection(url, 'crier-start');
  try {
    const [row] = await connection.query<{ id: string }>(
      "select system_identifier || ' ' || current_database() as id from pg_control_system()",
    );
    return row?.id ?? '';
  } catch {
    // Some hosts do not permit this query.
    return '';
  } finally {
    await connection.end();
  }
}
