import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { StartError } from './start-error.ts';

/** Made if missing. Without it nothing works: better to say so than to fail somewhere further on. */
export async function ensureDataDir(dataDir: string) {
  try {
    await mkdir(dataDir, { recursive: true });
    await access(dataDir, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(
      `Cannot write to the data folder ${dataDir} (${code}). Set DATA_DIR to a folder that this user may write to.`,
      { cause: error },
    );
  }
}
