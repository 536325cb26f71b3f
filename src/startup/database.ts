import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { openEmbedded } from '../db/embedded.ts';
import type { Cleanup } from './cleanup.ts';

/** The address of the database: the one configured, or our own server, found running or started. */
export async function openConfiguredDatabase(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  log: Logger,
  undo: Cleanup,
): Promise<string> {
  if (databaseUrl) return databaseUrl;
  const embedded = await openEmbedded({ folder: join(dataDir, 'postgres'), log });
  undo.push(() => embedded.release());
  return embedded.url;
}
