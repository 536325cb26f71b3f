import { join } from 'node:path';
import type { App } from '../../app.ts';
import { diskStorage } from './disk.ts';
import { s3Storage } from './s3.ts';
import type { Storage } from './storage.ts';

/** The storage of the configuration. Nothing is read, created or loaded before it is used. */
export function openStorage(
  { storage, dataDir }: Pick<App['config'], 'storage' | 'dataDir'>,
  { publicUrl, sealingKeys, clock }: Pick<App, 'publicUrl' | 'sealingKeys' | 'clock'>,
): Storage {
  if (storage.kind === 'disk') return diskStorage({ folder: storage.folder, publicUrl, sealingKeys, clock });
  return s3Storage({ bucket: storage, publicUrl, copiesFolder: join(dataDir, 'media-copies'), clock });
}
