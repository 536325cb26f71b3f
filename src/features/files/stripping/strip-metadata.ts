import { type FileHandle, open } from 'node:fs/promises';
import { type Bytes, openBytes } from '../inspection/bytes.ts';
import { strippedGif } from './gif.ts';
import { strippedHeif } from './heif.ts';
import { strippedJpeg } from './jpeg.ts';
import { isRange, lengthOf, type Piece } from './pieces.ts';
import { strippedPng } from './png.ts';
import { strippedWebp } from './webp.ts';

/** Formats whose metadata is cut out without decoding the image, so that the pixels do not change. */
const strippers: Record<string, (file: Bytes) => Promise<Piece[] | null>> = {
  'image/jpeg': strippedJpeg,
  'image/png': strippedPng,
  'image/webp': strippedWebp,
  'image/gif': strippedGif,
  'image/heic': strippedHeif,
  'image/heif': strippedHeif,
  'image/avif': strippedHeif,
};

/** Formats in which metadata is overwritten, so that the size stays the same. */
const inPlace = new Set(['image/heic', 'image/heif', 'image/avif']);

export const isStrippable = (mimeType: string) => Object.hasOwn(strippers, mimeType);

export interface Stripped extends AsyncDisposable {
  readonly bytes: number;
  stream(): AsyncIterable<Uint8Array>;
}

/** Cutting takes milliseconds. Files that take longer than this are re-encoded. */
const timeoutMs = 30_000;

/**
 * The image at this path without EXIF, XMP, IPTC, comments and thumbnails. Its colour profile stays. Null if it has
 * none of these. Throws if its structure cannot be parsed, or takes too many steps.
 */
export async function stripMetadata(path: string, mimeType: string): Promise<Stripped | null> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const source = { size, read: (start: number, end: number) => read(file, start, end) };
    const pieces = await strippers[mimeType]!(openBytes(source, AbortSignal.timeout(timeoutMs)));
    const bytes = pieces?.reduce((sum, piece) => sum + lengthOf(piece), 0);
    if (pieces && bytes !== undefined && (bytes !== size || inPlace.has(mimeType)))
      return { bytes, stream: () => join(file, pieces), [Symbol.asyncDispose]: () => file.close() };
    await file.close();
    return null;
  } catch (error) {
    await file.close();
    throw error;
  }
}

const chunkBytes = 262_144;

async function* join(file: FileHandle, pieces: readonly Piece[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) {
    if (!isRange(piece)) yield piece;
    else
      for (let at = piece.start; at < piece.end; at += chunkBytes)
        yield await read(file, at, Math.min(piece.end, at + chunkBytes));
  }
}

async function read(file: FileHandle, start: number, end: number): Promise<Uint8Array> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(end - start), 0, end - start, start);
  return buffer.subarray(0, bytesRead);
}
