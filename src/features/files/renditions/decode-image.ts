import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createFairTurns } from '../../../foundation/lib/fair-turns.ts';
import type { Storage } from '../../../foundation/storage/storage.ts';
import { temporaryFolder } from '../../../foundation/system/temporary-folder.ts';
import type { ConvertedImage, JpegOptions } from '../imaging/convert-image.ts';
import type { ImageJobs } from '../imaging/image-process.ts';
import { type ImageJobResult, JobProcessEnded, runImageJob } from '../imaging/run-job.ts';

/** A copy of a stored file on the local disk, because sharp would buffer a stream in memory. Disposing deletes it. */
export async function localCopy(
  storage: Storage,
  { key, version }: { key: string; version?: string | undefined },
): Promise<AsyncDisposable & { path: string }> {
  const folder = await temporaryFolder('rendition');
  const path = join(folder.path, 'image');
  try {
    await pipeline(await storage.read(key, { ...(version !== undefined && { version }) }), createWriteStream(path));
    return { path, [Symbol.asyncDispose]: folder.remove };
  } catch (error) {
    await folder.remove();
    throw error;
  }
}

/** Opens the file when the first bytes are requested. */
export async function* contentOf(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path);
}

/** Two at a time, for different users. */
export const conversions = createFairTurns({ places: 2, perOwner: 1 });

/** Whether viewers must rotate or mirror the image, according to EXIF. */
export const isTurned = async (path: string): Promise<boolean> => (await convert('isTurned', [path])) ?? false;

/** The animation as a GIF. Null if it cannot be decoded, is too large, or takes too much time or memory. */
export const toGif = (path: string, maxBytes: number): Promise<ConvertedImage | null> =>
  convert('toGif', [path, maxBytes]);

/**
 * An upright JPEG on white, without metadata but with its colour profile. Null for the same reasons, or if it does
 * not fit.
 */
export const toJpeg = (path: string, options: JpegOptions): Promise<ConvertedImage | null> =>
  convert('toJpeg', [path, options]);

/** 60 megapixels took 25 s and 800 MB as WebP on a slow core (measured with sharp 0.35.5). */
const limits = { timeoutMs: 120_000, maxMemoryBytes: 1_073_741_824 };

async function convert<Name extends keyof ImageJobs>(
  name: Name,
  args: Parameters<ImageJobs[Name]>,
): Promise<ImageJobResult<Name> | null> {
  const signal = AbortSignal.timeout(limits.timeoutMs);
  try {
    return await runImageJob(name, args, { signal, maxMemoryBytes: limits.maxMemoryBytes });
  } catch (error) {
    if (signal.aborted || error instanceof JobProcessEnded) return null;
    throw error;
  }
}
