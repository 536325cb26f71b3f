import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { StartError } from './start-error.ts';

/** Creates the folder if it is missing. Checks first that it is writable, because everything else depends on it. */
export async function ensureDataDir(dataDir: string) {
  try {
    await mkdir(dataDir, { recursive: true });
    await access(dataDir, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(
      `Cannot write to the data folder ${dataDir} (${code}). Set DATA_DIR to a folder that this user can write to.`,
      { cause: error },
    );
  }
}
