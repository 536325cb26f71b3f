import { createWriteStream } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Metadata, Sharp } from 'sharp';
import { readBitmap } from './bitmap.ts';
import { type Bytes, wrapInternalErrors } from './bytes.ts';
import type { Limits } from './inspect.ts';
import { type FileType, type ImageInspection, InspectionError } from './inspection.ts';
import { raceAbort } from './race-abort.ts';
import { createSemaphore } from './semaphore.ts';
import { refuseTruncated } from './truncation.ts';

/** One image at a time, because nothing needs more memory than its pixels. */
const turns = createSemaphore();

export async function inspectImage(
  bytes: Bytes,
  type: FileType,
  limits: Limits,
  signal: AbortSignal,
): Promise<ImageInspection> {
  if (bytes.size > limits.maxImageBytes) {
    refuse(`The image is larger than ${Math.floor(limits.maxImageBytes / 1_048_576)} MB, which no platform accepts.`);
  }
  if (type.format === 'bmp') {
    const { width, height } = await readBitmap(bytes);
    refuseBomb(width, height, limits);
    return { ...type, kind: 'image', size: bytes.size, width, height, frames: 1 };
  }
  if (isHeif(type)) await refuseTruncated(bytes, type.format);
  const turn = await turns.acquire(1, signal);
  if (!turn) throw new InspectionError('PROBE_BUSY', 'Too many images are being checked. Try again in a few seconds.');
  // The turn ends when the work does, not at the timeout: a slow decoder still holds its memory.
  const work = readImage(bytes, type, limits).finally(() => turn[Symbol.dispose]());
  return raceAbort(signal, () => work);
}

async function readImage(bytes: Bytes, type: FileType, limits: Limits): Promise<ImageInspection> {
  const { default: sharp } = await wrapInternalErrors(() => import('sharp'));
  // The cache would keep the pixels in memory and the temporary file open.
  sharp.cache(false);
  // sharp would collect a stream in memory, so it gets a file on disk.
  await using folder = await wrapInternalErrors(() => mkdtempDisposable(join(tmpdir(), 'crier-image-')));
  const path = join(folder.path, 'image');
  await wrapInternalErrors(() => pipeline(bytes.chunks(), createWriteStream(path)));
  const open = (limitInputPixels: number | false) =>
    sharp(path, { limitInputPixels, sequentialRead: true, failOn: 'error' });
  const metadata = await orDamaged(() => open(false).metadata());
  if (metadata.format !== (isHeif(type) ? 'heif' : type.format)) damaged();
  const { width, height } = metadata.autoOrient;
  refuseBomb(width, height, limits);
  if (isDecodable(type, metadata)) await orDamaged(() => decode(open(limits.maxPixels), limits));
  const frames = /^(gif|webp)$/.test(type.format) ? (metadata.pages ?? 1) : 1;
  return { ...type, kind: 'image', size: bytes.size, width, height, frames };
}

/** sharp calls all three types `heif` and distinguishes them by the first brand only, so our own detection is used. */
function isHeif({ format }: FileType): boolean {
  return /^(avif|heic|heif)$/.test(format);
}

/** Decodes the first frame at a small size: all its bytes are read, but few pixels are kept. */
async function decode(image: Sharp, limits: Limits): Promise<void> {
  const seconds = Math.ceil(limits.timeoutMs / 1_000);
  await image.timeout({ seconds }).resize(32, 32, { fit: 'inside' }).raw().toBuffer();
}

/** Most formats are decoded row by row. Those that are held in memory are decoded only up to this size. */
const maxDecoderBytes = 268_435_456;

/**
 * Bytes per pixel as measured with sharp 0.35.5: AVIF 19, progressive JPEG and interlaced PNG 3, or 6 where colours
 * are not subsampled. HEVC is not built in: a HEIC is typed and measured only.
 */
function isDecodable({ format }: FileType, metadata: Metadata): boolean {
  if (format === 'heic' || format === 'heif') return false;
  const bytesPerPixel = format === 'avif' ? 20 : metadata.isProgressive ? 6 : 0;
  return metadata.width * metadata.height * bytesPerPixel <= maxDecoderBytes;
}

function refuseBomb(width: number, height: number, limits: Limits): void {
  if (!(width > 0 && height > 0)) damaged();
  if (width * height <= limits.maxPixels) return;
  const most = Math.floor(limits.maxPixels / 1_000_000);
  refuse(`The image has ${width} × ${height} pixels; at most ${most} megapixels are accepted.`);
}

async function orDamaged<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    return damaged(error);
  }
}

function damaged(cause?: unknown): never {
  throw new InspectionError('PROBE_FAILED', 'The image is damaged or incomplete. Export or upload it again.', {
    cause,
  });
}

function refuse(message: string): never {
  throw new InspectionError('PROBE_FAILED', message);
}
