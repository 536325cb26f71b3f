import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { App } from '../../../app.ts';
import { Problem, type ProblemKey } from '../../../foundation/errors/index.ts';
import { StorageError } from '../../../foundation/storage/storage.ts';
import { cleanFileName, storageKey } from '../../../foundation/storage/storage-key.ts';
import { temporaryFolder } from '../../../foundation/system/temporary-folder.ts';
import { attachedImages, type PlatformImage } from '../../../platforms/attached-images.ts';
import type { Who } from '../../auth/access/api-key.ts';
import { requireStillAllowed } from '../../auth/api-keys/live-credential.ts';
import { insertMedia } from '../../files/files.ts';
import { headBytes, typeOfHead } from '../../files/ingestion/peek-stream.ts';
import { inspect } from '../../files/inspection/inspect.ts';
import { type ImageInspection, InspectionError } from '../../files/inspection/inspection.ts';
import { storedMetadata } from '../../files/metadata.ts';
import { contentOf, conversions, toJpeg } from '../../files/renditions/decode-image.ts';
import { withoutMetadata } from '../../files/renditions/without-metadata.ts';
import { stageFile } from '../../files/storing/staged-file.ts';
import { withLockedGroup } from '../change-media.ts';
import type { FormFile } from './multipart.ts';

/** An image that can be uploaded for a video, with the errors of its upload. */
export interface ThumbnailKind extends PlatformImage {
  readonly problems: {
    readonly missing: ProblemKey;
    readonly typeRefused: ProblemKey;
    readonly tooLarge: ProblemKey;
    readonly tooSmall?: ProblemKey;
    readonly tooLargeAsJpeg?: ProblemKey;
    readonly notEditable: ProblemKey;
    readonly publishStarted: ProblemKey;
  };
}

const problems: Readonly<Record<PlatformImage['field'], ThumbnailKind['problems']>> = {
  thumbnail: {
    missing: 'thumbnail_missing',
    typeRefused: 'thumbnail_type_refused',
    tooLarge: 'thumbnail_too_large',
    tooSmall: 'thumbnail_too_small',
    notEditable: 'thumbnail_not_editable',
    publishStarted: 'thumbnail_publish_started',
  },
  cover: {
    missing: 'cover_missing',
    typeRefused: 'cover_type_refused',
    tooLarge: 'cover_too_large',
    tooLargeAsJpeg: 'cover_too_large_as_jpeg',
    notEditable: 'cover_not_editable',
    publishStarted: 'cover_publish_started',
  },
};

export const thumbnailKind = kindOf('thumbnail');
export const coverKind = kindOf('cover');

function kindOf(field: PlatformImage['field']): ThumbnailKind {
  const image = attachedImages.find((known) => known.field === field);
  if (!image) throw new Error(`No platform has a ${field}.`);
  return { ...image, problems: problems[field] };
}

/** A temporary file on the local disk. Disposing deletes it. */
export interface SpooledImage extends AsyncDisposable {
  readonly path: string;
  readonly name: string;
  /** The size that was sent. The file on disk ends at the limit. */
  readonly bytes: number;
}

/** An image that is slightly too large is read to its end, so that the first error of the form can be reported. */
export const slackBytes = 32 * 1_048_576;

/** Null for the empty file of a form in which none was chosen. */
export async function spoolImage({ name, bytes }: FormFile, { limit }: ThumbnailKind): Promise<SpooledImage | null> {
  const folder = await onDisk(temporaryFolder('thumbnail'));
  const discard = () => folder.remove();
  try {
    const path = join(folder.path, 'image');
    const size = await write(path, bytes, limit.maxBytes);
    if (size > 0 || name !== '') return { path, name, bytes: size, [Symbol.asyncDispose]: discard };
    await discard();
    return null;
  } catch (error) {
    await discard();
    throw error;
  }
}

/** Returns the size of the source. Bytes beyond `maxBytes` are counted but not written. */
async function write(path: string, source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<number> {
  await using file = await onDisk(open(path, 'wx'));
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes + slackBytes) throw new StorageError('too_large', 'The image is far too large.');
    if (bytes <= maxBytes) await onDisk(file.writeFile(chunk));
  }
  return bytes;
}

async function onDisk<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const full = ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');
    throw new StorageError(full ? 'full' : 'unavailable', `The folder for temporary files: ${error}`, error);
  }
}

/** Stores the image for the post, so that a setting can refer to it. It is not part of the post's media. */
export async function storeThumbnail(
  app: Pick<App, 'db' | 'clock' | 'newId' | 'storage'>,
  who: Who,
  postGroupId: string,
  kind: ThumbnailKind,
  image: SpooledImage,
): Promise<{ mediaId: string; url: string }> {
  const checked = await checkThumbnail(image, who, kind);
  const { source, inspection } = kind.asJpeg ? await jpegOf(image, who, checked, kind) : asItIs(image, checked);
  const name = nameFor(image, inspection, kind);
  const now = app.clock.now();
  const key = storageKey('image', name, now, 0);
  const { maxBytes } = kind.limit;
  const { mimeType } = inspection;
  await using file = await stageFile(app, key, source, { contentType: mimeType, maxBytes });
  const mediaId = app.newId();
  await withLockedGroup(app, who, postGroupId, 'upload an image', async (tx) => {
    await requireStillAllowed(app, tx, who);
    await file.commit(tx);
    await insertMedia(tx, {
      id: mediaId,
      userId: who.userId,
      postGroupId,
      purpose: kind.purpose,
      type: 'image',
      mimeType,
      sourceFileName: name,
      storageKey: key,
      status: 'ready',
      metadata: storedMetadata(inspection),
      objectVersion: file.stored.version,
      now,
    });
  }).catch((error) => {
    throw inTermsOf(kind, error);
  });
  return { mediaId, url: app.storage.publicUrl(key) };
}

/** Checks in the order in which the contract lists the errors. */
async function checkThumbnail(
  image: SpooledImage,
  { ownerId: owner }: { ownerId: string },
  { limit, problems }: ThumbnailKind,
): Promise<ImageInspection> {
  await using file = await open(image.path);
  const { mimeType } = await typeOfHead(await bytesOf(file, 0, headBytes)).catch(refusal(problems.typeRefused));
  if (!limit.types.includes(mimeType)) throw new Problem(problems.typeRefused);
  if (image.bytes > limit.maxBytes) throw new Problem(problems.tooLarge);
  const source = { owner, size: image.bytes, read: (start: number, end: number) => bytesOf(file, start, end) };
  const inspection = await inspect(source).catch(refusal(problems.typeRefused));
  if (inspection.kind !== 'image') throw new Problem(problems.typeRefused);
  const { width, height } = inspection;
  const tooSmall = width < (limit.minWidth ?? 0) || height < (limit.minHeight ?? 0);
  if (problems.tooSmall && tooSmall) throw new Problem(problems.tooSmall);
  return inspection;
}

async function bytesOf(file: FileHandle, start: number, end: number): Promise<Uint8Array> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(end - start), 0, end - start, start);
  return buffer.subarray(0, bytesRead);
}

const busy: Record<string, ProblemKey> = { PROBE_BUSY: 'probe_busy', PROBE_TIMEOUT: 'probe_timeout' };

/** For `.catch()`: a damaged file counts as a file of the wrong type. */
const refusal = (key: ProblemKey) => (error: unknown) => {
  throw error instanceof InspectionError ? new Problem(busy[error.code] ?? key) : error;
};

const asItIs = ({ path }: SpooledImage, inspection: ImageInspection) => ({
  source: contentOf(path),
  inspection,
});

const turnMs = 10_000;

/**
 * The network fetches the file from its public URL, so it is stored in publishable form: upright and without
 * metadata. A JPEG keeps its pixels, because re-encoding would reduce its quality.
 */
async function jpegOf(
  image: SpooledImage,
  { ownerId }: { ownerId: string },
  inspection: ImageInspection,
  { limit, problems }: ThumbnailKind,
) {
  using turn = await conversions.acquire(ownerId, turnMs);
  if (!turn) throw new Problem('probe_busy');
  const { mimeType } = inspection;
  const jpeg =
    (mimeType === 'image/jpeg' ? await withoutMetadata(image.path, mimeType) : null) ??
    (await toJpeg(image.path, { maxBytes: limit.maxBytes, whole: true }));
  if (!jpeg) throw new Problem(problems.tooLargeAsJpeg ?? problems.tooLarge);
  const type = { mimeType: 'image/jpeg', format: 'jpeg' };
  return { source: contentOf(jpeg.path), inspection: { ...inspection, ...type, size: jpeg.bytes } };
}

function nameFor({ name }: SpooledImage, { format }: ImageInspection, { field }: ThumbnailKind): string {
  const stem = cleanFileName(name).replace(/\.\w{1,10}$/, '');
  return `${stem || field}.${format === 'jpeg' ? 'jpg' : format}`;
}

function inTermsOf({ problems }: ThumbnailKind, error: unknown): unknown {
  if (!(error instanceof Problem)) return error;
  if (error.key === 'media_not_editable') return new Problem(problems.notEditable);
  return error.key === 'media_publish_started' ? new Problem(problems.publishStarted) : error;
}
