import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { StartError } from './start-error.ts';

/** For commands that look at what is there. Without data, they were most likely given other settings than the service. */
export function requireData({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>) {
  if (databaseUrl !== null || existsSync(join(dataDir, 'postgres'))) return;
  throw new StartError(
    `There is no Crier in ${dataDir}. Set DATA_DIR or DATABASE_URL to what the service has, or start it once.`,
  );
}
