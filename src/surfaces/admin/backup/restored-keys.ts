import { resolve } from 'node:path';
import type { Config } from '../../../config/config.ts';
import { sealingKey } from '../../../foundation/lib/seal.ts';
import { AdminError } from '../error-message.ts';
import { keyFileIn, readKeys } from '../keys/key-file.ts';
import type { Manifest } from './layout.ts';

/**
 * The keys that the restored Crier will have. One of them must open each credential. If SECRET_KEY is set, Crier reads
 * no key file, so a key in a file does not count.
 */
export async function restoredKeys(
  { secretKeys, dataDir }: Pick<Config, 'secretKeys' | 'dataDir'>,
  { keyIds }: Pick<Manifest, 'keyIds'>,
  givenFile: string,
): Promise<string[]> {
  const file = resolve(givenFile);
  const saved = await keysIn(file);
  const keys =
    secretKeys.length > 0 ? [...secretKeys] : [...new Set([...saved, ...(await keysIn(keyFileIn(dataDir)))])];
  const missing = missingIn(keys, keyIds);
  if (missing.length === 0) return keys;
  const sealedWith = `The credentials in this backup are encrypted with the key ${missing.join(', ')}`;
  if (secretKeys.length === 0)
    throw new AdminError(
      `${sealedWith}, which is not here. ` +
        'Pass the file written by backup --key-to as --key, or set SECRET_KEY to the key used when the backup was taken.',
    );
  const wanted =
    missingIn(saved, keyIds).length > 0
      ? 'the key used when the backup was taken'
      : `the content of ${file}${saved.length > 1 ? ', with commas between its keys' : ''}`;
  throw new AdminError(
    `${sealedWith}. This Crier instance uses SECRET_KEY, which has the key ${secretKeys.map(idOf).join(', ')} instead, and with ` +
      `SECRET_KEY it does not read a key file. Set SECRET_KEY to ${wanted}, for all processes of this Crier instance, and restore again.`,
  );
}

/** Empty if the file cannot be read, or is not a key file. */
const keysIn = async (file: string) =>
  (await readKeys(file).catch(() => [])).filter((key) => /^[0-9a-f]{64}$/i.test(key));

const idOf = (key: string) => sealingKey(key).id;

const missingIn = (keys: readonly string[], ids: readonly string[]) =>
  ids.filter((id) => !keys.some((key) => idOf(key) === id));
