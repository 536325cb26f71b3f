import { constants } from 'node:fs';
import { access, chmod, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { StartError } from './start-error.ts';

/** Crier's files in the folder, except the embedded database, which has a different owner. */
const ownEntries = ['media', 'media-copies', 'sandbox', 'secret.key', 'demo.json', 'ready.json'];

/**
 * Creates the folder if missing, and closes it to other users. First checks that it is writable, because everything
 * else depends on it.
 */
export async function ensureDataDir({ dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>) {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await access(dataDir, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(
      `Cannot write to the data folder ${dataDir} (${code}). Set DATA_DIR to a folder that this user can write to.`,
      { cause: error },
    );
  }
  const { mode, uid } = await stat(dataDir);
  if (mode & stickyBit) {
    throw new StartError(
      `Other users share the folder ${dataDir}. Set DATA_DIR to a folder used only by Crier, such as a new one inside it.`,
    );
  }
  // As root, the embedded server runs as another user, who has to enter its folder through this one.
  const isPassedThrough = uid === 0 && databaseUrl === null;
  await closeToOthers(dataDir, isPassedThrough ? 0o711 : 0o700);
  for (const name of ownEntries) await closeToOthers(join(dataDir, name));
}

const stickyBit = 0o1000;

/** If a folder belongs to another user, as with a mounted volume, only that user can change its mode. */
async function closeToOthers(path: string, folderMode = 0o700) {
  const found = await stat(path).catch(() => null);
  if (!found) return;
  await chmod(path, found.isDirectory() ? folderMode : 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPERM') throw error;
  });
}
