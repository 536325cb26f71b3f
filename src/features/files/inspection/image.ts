import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createFairTurns } from '../../../foundation/lib/fair-turns.ts';
import { temporaryFolder } from '../../../foundation/system/temporary-folder.ts';
import { bombIn } from '../imaging/pixel-limits.ts';
import { JobProcessEnded, runImageJob } from '../imaging/run-job.ts';
import { readBitmap } from './bitmap.ts';
import { type Bytes, wrapInternalErrors } from './bytes.ts';
import { busy, type FileType, type ImageInspection, InspectionError } from './inspection.ts';
import { refuseTruncated } from './truncation.ts';

/** The largest image of 50 MB took 300 MB (measured with sharp 0.35.5). */
const maxMemoryBytes = 536_870_912;

/**
 * One image per user at a time, followed by a pause as long as the work, so that bombs leave most of the machine to
 * others.
 */
const decodings = createFairTurns({ places: 4, perOwner: 1 });

export interface ImageLimits {
  /** The image's owner, and how long checks of that user's other images may take before PROBE_BUSY. */
  readonly owner: string;
  readonly waitMs: number;
  readonly maxImageBytes: number;
}

export async function inspectImage(
  bytes: Bytes,
  type: FileType,
  { owner, waitMs, maxImageBytes }: ImageLimits,
  signal: AbortSignal,
): Promise<ImageInspection> {
  if (bytes.size > maxImageBytes) {
    refuse(`The image is larger than ${Math.floor(maxImageBytes / 1_048_576)} MB, which no platform accepts.`);
  }
  const found =
    type.format === 'bmp' ? await checkBitmap(bytes) : await checkOnDisk(bytes, type, { owner, waitMs }, signal);
  if ('refused' in found) return refuse(found.refused);
  return { ...type, kind: 'image', size: bytes.size, ...found };
}

async function checkBitmap(bytes: Bytes) {
  const { width, height } = await readBitmap(bytes);
  const bomb = bombIn({ width, height, bytes: bytes.size });
  return bomb ? { refused: bomb } : { width, height, frames: 1 };
}

/** sharp would buffer a stream in memory, so it gets a file on disk. */
async function checkOnDisk(
  bytes: Bytes,
  { format }: FileType,
  { owner, waitMs }: Pick<ImageLimits, 'owner' | 'waitMs'>,
  signal: AbortSignal,
) {
  if (/^(avif|heic|heif)$/.test(format)) await refuseTruncated(bytes, format);
  await using folder = await wrapInternalErrors(() => temporaryFolder('image'));
  const path = join(folder.path, 'image');
  await wrapInternalErrors(() => pipeline(bytes.chunks(), createWriteStream(path)));
  using turn = await decodings.acquire(owner, waitMs);
  if (!turn) throw busy();
  const began = performance.now();
  const found = await wrapInternalErrors(() =>
    runImageJob('checkImage', [path, format], { signal, maxMemoryBytes }).catch(tooDear),
  );
  turn.restMs = performance.now() - began;
  return found;
}

function tooDear(error: unknown): { refused: string } {
  if (!(error instanceof JobProcessEnded)) throw error;
  return { refused: 'The image needs too much memory to be checked. Save it as a plain JPEG or PNG.' };
}

function refuse(message: string): never {
  throw new InspectionError('PROBE_FAILED', message);
}
