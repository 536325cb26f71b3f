import { randomBytes } from 'node:crypto';
import { chownSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type SealingKey, type SealingKeys, sealingKey } from '../foundation/lib/seal.ts';

/**
 * The keys that encrypt credentials: those of SECRET_KEY, or one that is generated once and stored in the data folder.
 */
export function sealingKeys(dataDir: string, configured: readonly string[]): SealingKeys {
  return configured.length > 0 ? ring(configured.map(sealingKey)) : keyFile(join(dataDir, 'secret.key'));
}

/** The keys in a file, newest first. The file is reread when it changes, so that a running Crier notices a rotation. */
function keyFile(file: string): SealingKeys {
  create(file);
  let readAt = Number.NaN;
  let keys: SealingKeys;
  const fresh = () => {
    const { mtimeMs } = statSync(file);
    if (mtimeMs !== readAt) {
      keys = ring(readFileSync(file, 'utf8').trim().split(/\s+/).map(sealingKey));
      readAt = mtimeMs;
    }
    return keys;
  };
  return {
    get current() {
      return fresh().current;
    },
    get previous() {
      return fresh().previous;
    },
  };
}

function ring([current, ...previous]: SealingKey[]): SealingKeys {
  if (!current) throw new Error('There is no key to encrypt credentials with. Set SECRET_KEY.');
  return { current, previous };
}

function create(file: string) {
  try {
    writeFileSync(file, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
    // If root runs an admin command, a Crier that runs as another user must still be able to read the file.
    const { uid, gid } = statSync(dirname(file));
    if (process.getuid?.() === 0) chownSync(file, uid, gid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
