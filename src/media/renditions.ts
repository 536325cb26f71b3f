import { Readable } from 'node:stream';
import type { App } from '../app.ts';
import { wrapDatabaseErrors } from '../db/database-error.ts';
import type { ImageLimit } from '../platforms/kit/limits.ts';
import { decodeImage } from './decode-image.ts';
import { discardStagedFiles, findRendition, insertRendition, insertStagedFile, type MediaRecord } from './queries.ts';
import { storageKey } from './storage/storage-key.ts';

/** A stored file as it is sent to a platform. */
export interface OutgoingFile {
  key: string;
  mimeType: string;
  width: number;
  height: number;
  /** The version that it must still have when it is read. Null for renditions, which never change. */
  version: string | null;
}

type Needs = Pick<App, 'db' | 'clock' | 'storage' | 'log'>;
const orphanAfterMs = 3_600_000;

/** The file itself, or a rendition that the platform accepts. A rendition is made once and stored with the file. */
export async function renditionOf(app: Needs, record: MediaRecord, limit: ImageLimit | null): Promise<OutgoingFile> {
  const original: OutgoingFile = {
    key: record.storageKey!,
    mimeType: record.mimeType,
    width: record.metadata?.width ?? 0,
    height: record.metadata?.height ?? 0,
    version: record.objectVersion,
  };
  if (record.type !== 'image' || !limit?.rendition || fits(original, limit.rendition)) return original;
  const kind = `jpeg-${limit.rendition.maxSide ?? 'full'}-${limit.maxBytes}`;
  return (
    (await wrapDatabaseErrors(findRendition(app.db, record.id, kind))) ??
    (await make(app, record, limit, kind)) ??
    original
  );
}

const fits = ({ mimeType, width, height }: OutgoingFile, { types, maxSide }: NonNullable<ImageLimit['rendition']>) =>
  types.includes(mimeType) && Math.max(width, height) <= (maxSide ?? Number.POSITIVE_INFINITY);

/** Null for a file that cannot be decoded here (HEIC): the platform may accept it as it is. */
async function make(app: Needs, record: MediaRecord, limit: ImageLimit, kind: string): Promise<OutgoingFile | null> {
  const source = { key: record.storageKey!, version: record.objectVersion ?? undefined };
  const jpeg = await decodeImage(app.storage, source, { ...limit.rendition, maxBytes: limit.maxBytes });
  if (!jpeg) return null;
  const now = app.clock.now();
  const key = storageKey('image', record.sourceFileName.replace(/(\.\w+)?$/, '.jpg'), now, 0);
  await wrapDatabaseErrors(insertStagedFile(app.db, key, new Date(now.getTime() + orphanAfterMs)));
  await app.storage.write(key, Readable.from([jpeg.bytes]), { contentType: 'image/jpeg' });
  const { width, height } = jpeg;
  const made = { key, mimeType: 'image/jpeg', bytes: jpeg.bytes.length, width, height };
  const kept = await wrapDatabaseErrors(insertRendition(app.db, record.id, kind, made));
  // Another worker was faster: theirs is the one.
  if (kept) return { key, mimeType: 'image/jpeg', width, height, version: null };
  await wrapDatabaseErrors(discardStagedFiles(app.db, [key], now));
  return wrapDatabaseErrors(findRendition(app.db, record.id, kind));
}
