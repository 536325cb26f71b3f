import { Readable } from 'node:stream';
import type { App } from '../app.ts';
import { wrapDatabaseErrors } from '../db/database-error.ts';
import type { ImageLimit } from '../platforms/kit/limits.ts';
import { decodeImage } from './decode-image.ts';
import { announceFile, discardFiles, findRendition, insertRendition, type MediaRecord } from './queries.ts';
import { storageKey } from './storage/storage-key.ts';

/** A stored file as it goes to a network. */
export interface Outgoing {
  key: string;
  mimeType: string;
  width: number;
  height: number;
  /** What it must still be when it is read; null for what we made ourselves. */
  version: string | null;
}

type Needs = Pick<App, 'db' | 'clock' | 'storage' | 'log'>;
const orphanedAfterMs = 3_600_000;

/** The file itself, or the version of it that the network takes: made once, and kept with the file. */
export async function renditionOf(app: Needs, record: MediaRecord, limit: ImageLimit | null): Promise<Outgoing> {
  const original: Outgoing = {
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

const fits = ({ mimeType, width, height }: Outgoing, { types, maxSide }: NonNullable<ImageLimit['rendition']>) =>
  types.includes(mimeType) && Math.max(width, height) <= (maxSide ?? Number.POSITIVE_INFINITY);

/** Null for what cannot be decoded here (HEIC): the network may take it as it is. */
async function make(app: Needs, record: MediaRecord, limit: ImageLimit, kind: string): Promise<Outgoing | null> {
  const source = { key: record.storageKey!, version: record.objectVersion ?? undefined };
  const jpeg = await decodeImage(app.storage, source, { ...limit.rendition, maxBytes: limit.maxBytes });
  if (!jpeg) return null;
  const now = app.clock.now();
  const key = storageKey('image', record.sourceFileName.replace(/(\.\w+)?$/, '.jpg'), now, 0);
  await wrapDatabaseErrors(announceFile(app.db, key, new Date(now.getTime() + orphanedAfterMs)));
  await app.storage.write(key, Readable.from([jpeg.bytes]), { contentType: 'image/jpeg' });
  const { width, height } = jpeg;
  const made = { key, mimeType: 'image/jpeg', bytes: jpeg.bytes.length, width, height };
  const kept = await wrapDatabaseErrors(insertRendition(app.db, record.id, kind, made));
  // Another worker was faster: theirs is the one.
  if (kept) return { key, mimeType: 'image/jpeg', width, height, version: null };
  await wrapDatabaseErrors(discardFiles(app.db, [key], now));
  return wrapDatabaseErrors(findRendition(app.db, record.id, kind));
}
