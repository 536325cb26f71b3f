import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { StartError } from './start-error.ts';

const installedSettings = '/etc/crier/crier.env';

/** Where a service is installed (docs/install.md), a command without its settings would make a database beside it. */
export function requireOwnSettings(config: Pick<Config, 'databaseUrl' | 'dataDir'>, settings = installedSettings) {
  if (!existsSync(settings) || hasData(config)) return;
  throw new StartError(
    `There is no Crier data in ${config.dataDir}. The settings of the service on this machine are in ${settings}: use crier-admin.`,
  );
}

/** For commands that look at what is there. Without data, they were most likely given other settings than the service. */
export function requireData(config: Config): Config {
  if (hasData(config)) return config;
  throw new StartError(
    `There is no Crier data in ${config.dataDir}. Set DATA_DIR or DATABASE_URL to the values of the service, or start it once.`,
  );
}

const hasData = ({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>) =>
  databaseUrl !== null || existsSync(join(dataDir, 'postgres'));
