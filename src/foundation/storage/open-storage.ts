import { join } from 'node:path';
import type { SealingKeys } from '../lib/seal.ts';
import type { Clock } from '../time/clock.ts';
import { diskStorage } from './disk.ts';
import { s3Storage } from './s3.ts';
import type { Storage, StorageConfig } from './storage.ts';

/** The configured storage. Nothing is read, created or loaded before first use. */
export function openStorage(
  { storage, dataDir }: { storage: StorageConfig; dataDir: string },
  { publicUrl, sealingKeys, clock }: { publicUrl: string; sealingKeys: SealingKeys; clock: Clock },
): Storage {
  if (storage.kind === 'disk') return diskStorage({ folder: storage.folder, publicUrl, sealingKeys, clock });
  return s3Storage({ bucket: storage, publicUrl, copiesFolder: join(dataDir, 'media-copies'), clock });
}
