import { LRUCache } from 'lru-cache';
import type { App } from '../../../app.ts';
import { wrapDatabaseErrors } from '../../../foundation/db/database-error.ts';
import { storageKey } from '../../../foundation/storage/storage-key.ts';
import { type ImageLimit, PlatformError } from '../../../platforms/kit/index.ts';
import type { MediaRecord } from '../queries.ts';
import { discardStagedFiles, insertStagedFile } from '../storing/orphaned-file-queries.ts';
import { isStrippable, stripMetadata } from '../stripping/strip-metadata.ts';
import { contentOf, conversions, isTurned, localCopy, toGif, toJpeg } from './decode-image.ts';
import { findRendition, insertRendition, setClean } from './rendition-queries.ts';

/** A stored file in the form that is sent to a platform. */
export interface OutgoingFile {
  key: string;
  mimeType: string;
  width: number;
  height: number;
  /** The version that it must still have when it is read. Null for renditions, which never change. */
  version: string | null;
}

export type RenditionApp = Pick<App, 'db' | 'clock' | 'storage' | 'log'>;
const orphanAfterMs = 3_600_000;

/** Whether an image that is too large for a platform can be resized. An animation would become a still image. */
export function isShrinkable({ type, mimeType, metadata }: Pick<MediaRecord, 'type' | 'mimeType' | 'metadata'>) {
  return type === 'image' && decodable.has(mimeType) && (metadata?.frames ?? 1) === 1;
}
const decodable = new Set(['jpeg', 'png', 'webp', 'gif', 'tiff', 'avif'].map((format) => `image/${format}`));

/**
 * The file in the form that the platform may see. Images are sent upright, small enough for the platform and without
 * their metadata, which can reveal where and by whom they were taken. A modified file is created once and stored with
 * the original.
 */
export async function renditionOf(
  app: RenditionApp,
  record: MediaRecord,
  limit: ImageLimit | null,
): Promise<OutgoingFile> {
  const original: OutgoingFile = {
    key: record.storageKey!,
    mimeType: record.mimeType,
    width: record.metadata?.width ?? 0,
    height: record.metadata?.height ?? 0,
    version: record.objectVersion,
  };
  if (record.type !== 'image') return original;
  const form = formFor(record, limit);
  if (form === 'stripped' && record.metadata?.isClean) return original;
  const made = (kind: Form) =>
    wrapDatabaseErrors(findRendition(app.db, record.originalId, kindOf(kind, record, limit)));
  return (
    (await made(form)) ??
    (form === 'stripped' ? await made('upright') : null) ??
    (await make(app, record, limit, form)) ??
    original
  );
}

/**
 * `stripped` has exactly the pixels of the original. The others are new JPEGs, or GIFs of animations where these are
 * accepted.
 */
type Form = 'stripped' | 'upright' | 'jpeg';

const kindOf = (form: Form, record: MediaRecord, limit: ImageLimit | null) =>
  form === 'stripped' ? form : `${form}-${maxSideOf(record, limit) ?? 'full'}-${maxBytesOf(limit) ?? 'any'}`;

const maxBytesOf = (limit: ImageLimit | null) => limit?.rendition?.maxBytes ?? limit?.maxBytes;

/** The maximum length of the longer side that the platform accepts. */
function maxSideOf({ metadata }: MediaRecord, limit: ImageLimit | null): number | undefined {
  const { maxSides = Number.POSITIVE_INFINITY, rendition } = limit ?? {};
  const [width, height] = [metadata?.width ?? 0, metadata?.height ?? 0];
  if (width + height <= maxSides) return rendition?.maxSide;
  const side = Math.floor((Math.max(width, height) * maxSides) / (width + height));
  return Math.min(side, rendition?.maxSide ?? side);
}

function formFor(record: MediaRecord, limit: ImageLimit | null): Form {
  const { mimeType, metadata } = record;
  const { types = [mimeType] } = limit?.rendition ?? {};
  const maxSide = maxSideOf(record, limit) ?? Number.POSITIVE_INFINITY;
  const isTooLarge = isShrinkable(record) && (metadata?.size ?? 0) > (maxBytesOf(limit) ?? Number.POSITIVE_INFINITY);
  const isAccepted = types.includes(mimeType) && Math.max(metadata?.width ?? 0, metadata?.height ?? 0) <= maxSide;
  // Formats that cannot be decoded here (HEIC, BMP) stay unchanged: the platform may accept them.
  if (!decodable.has(mimeType)) return 'stripped';
  return isAccepted && isStrippable(mimeType) && !isTooLarge ? 'stripped' : 'jpeg';
}

/** Pages request the images that they show repeatedly. Images that cannot be converted are not tried every time. */
const unconvertibles = new LRUCache<string, PlatformError>({ max: 10_000, ttl: 600_000 });

/** Null if the file is sent unchanged because it has no metadata. */
async function make(app: RenditionApp, record: MediaRecord, limit: ImageLimit | null, form: Form) {
  using _turn = await conversions.acquire(record.ownerId);
  const name = [record.originalId, record.objectVersion, form, kindOf('jpeg', record, limit)].join(' ');
  const known = unconvertibles.get(name);
  if (known) throw known;
  // Await here, so that the turn is held until the rendition is done.
  return await makeNow(app, record, limit, form).catch((error: unknown) => {
    if (error instanceof PlatformError) unconvertibles.set(name, error);
    throw error;
  });
}

async function makeNow(app: RenditionApp, record: MediaRecord, limit: ImageLimit | null, form: Form) {
  const source = { key: record.storageKey!, version: record.objectVersion ?? undefined };
  await using copy = await localCopy(app.storage, source);
  const isStill = (record.metadata?.frames ?? 1) === 1;
  // Await here, so that the copy is kept until it has been read.
  if (form === 'jpeg') return await makeJpeg(app, record, limit, form, copy.path);
  const canTurn = isStill && decodable.has(record.mimeType);
  if (canTurn && (await isTurned(copy.path))) return await makeJpeg(app, record, limit, 'upright', copy.path);
  return await makeStripped(app, record, limit, copy.path);
}

async function makeJpeg(app: RenditionApp, record: MediaRecord, limit: ImageLimit | null, form: Form, path: string) {
  const maxBytes = maxBytesOf(limit) ?? Number.POSITIVE_INFINITY;
  const canMove = (record.metadata?.frames ?? 1) > 1 && limit?.rendition?.types.includes('image/gif');
  const gif = canMove ? await toGif(path, maxBytes) : null;
  const made = gif ?? (await toJpeg(path, { maxSide: maxSideOf(record, limit), maxBytes }));
  if (!made) throw unconvertible(record);
  const { bytes, width, height } = made;
  const facts = { mimeType: gif ? 'image/gif' : 'image/jpeg', bytes, width, height };
  return keep(app, record, kindOf(form, record, limit), facts, contentOf(made.path));
}

/** The original is not sent instead, because it would include its metadata. */
function unconvertible({ sourceFileName }: MediaRecord): PlatformError {
  const message = `The image ${sourceFileName} cannot be converted. Save it as JPEG and upload it again.`;
  return new PlatformError('rejected', message, { reason: message });
}

async function makeStripped(app: RenditionApp, record: MediaRecord, limit: ImageLimit | null, path: string) {
  const { mimeType, metadata } = record;
  await using stripped = isStrippable(mimeType) ? await stripMetadata(path, mimeType).catch(() => undefined) : null;
  // Its structure cannot be parsed, but it may still be decodable.
  if (stripped === undefined) return await makeJpeg(app, record, limit, 'upright', path);
  if (!stripped) {
    await wrapDatabaseErrors(setClean(app.db, record.originalId));
    return null;
  }
  const facts = { mimeType, bytes: stripped.bytes, width: metadata?.width ?? 0, height: metadata?.height ?? 0 };
  return await keep(app, record, 'stripped', facts, stripped.stream());
}

type Facts = Pick<OutgoingFile, 'mimeType' | 'width' | 'height'> & { bytes: number };

async function keep(
  app: RenditionApp,
  record: MediaRecord,
  kind: string,
  facts: Facts,
  content: AsyncIterable<Uint8Array>,
): Promise<OutgoingFile | null> {
  const now = app.clock.now();
  const { mimeType, width, height } = facts;
  const isRenamed = mimeType !== record.mimeType;
  const extension = mimeType === 'image/gif' ? '.gif' : '.jpg';
  const name = isRenamed ? record.sourceFileName.replace(/(\.\w+)?$/, extension) : record.sourceFileName;
  const key = storageKey('image', name, now, 0);
  await wrapDatabaseErrors(insertStagedFile(app.db, key, new Date(now.getTime() + orphanAfterMs)));
  await app.storage.write(key, content, { contentType: mimeType });
  const kept = await wrapDatabaseErrors(insertRendition(app.db, record.originalId, kind, { key, ...facts }));
  // Another worker was faster, so its rendition is used.
  if (kept) return { key, mimeType, width, height, version: null };
  await wrapDatabaseErrors(discardStagedFiles(app.db, [key], now));
  return wrapDatabaseErrors(findRendition(app.db, record.originalId, kind));
}
