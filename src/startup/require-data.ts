import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { StartError } from './start-error.ts';

const installedSettings = '/etc/crier/crier.env';

/**
 * On a machine with an installed service (docs/install.md), a command without the service's settings would create a
 * separate database.
 */
export function requireOwnSettings(config: Pick<Config, 'databaseUrl' | 'dataDir'>, settings = installedSettings) {
  if (!existsSync(settings) || hasData(config)) return;
  throw new StartError(
    `There is no Crier data in ${config.dataDir}. The settings of the service on this machine are in ${settings}: use crier-admin.`,
  );
}

/** For commands that inspect existing data. If there is none, their settings most likely differ from the service's. */
export function requireData(config: Config): Config {
  if (hasData(config)) return config;
  throw new StartError(
    `There is no Crier data in ${config.dataDir}. Set DATA_DIR or DATABASE_URL to the values of the service, or start it once.`,
  );
}

const hasData = ({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>) =>
  databaseUrl !== null || existsSync(join(dataDir, 'postgres'));
