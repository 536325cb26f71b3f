import { createWriteStream } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Storage } from './storage/storage.ts';

export interface JpegOptions {
  maxSide?: number | undefined;
  maxBytes: number;
  /** Full size and best quality only; otherwise size and quality are reduced until it fits. */
  whole?: boolean;
}
export interface EncodedImage {
  bytes: Buffer;
  width: number;
  height: number;
}

/** The first quality shows no visible difference; the others are tried until the file fits. */
const qualities = [90, 80, 70, 55];
const scales = [1, 0.75, 0.5, 0.25];

/** A copy of a stored file on this machine's disk, because sharp would collect a stream in memory. Disposing deletes it. */
export async function localCopy(
  storage: Storage,
  { key, version }: { key: string; version?: string | undefined },
): Promise<AsyncDisposable & { path: string }> {
  const folder = await mkdtempDisposable(join(tmpdir(), 'crier-rendition-'));
  const path = join(folder.path, 'image');
  try {
    await pipeline(await storage.read(key, { ...(version !== undefined && { version }) }), createWriteStream(path));
    return { path, [Symbol.asyncDispose]: folder.remove };
  } catch (error) {
    await folder.remove();
    throw error;
  }
}

/** Whether viewers must turn or mirror the image, as EXIF says. */
export async function isTurned(path: string): Promise<boolean> {
  const { default: sharp } = await import('sharp');
  const { orientation = 1 } = await sharp(path)
    .metadata()
    .catch(() => ({}) as { orientation?: number });
  return orientation > 1;
}

/** The animation as a GIF. Null if it cannot be decoded, or is too large. */
export async function toGif(path: string, maxBytes: number): Promise<EncodedImage | null> {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  const made = await sharp(path, { animated: true, limitInputPixels: 120_000_000 })
    .gif()
    .toBuffer({ resolveWithObject: true })
    .catch(() => null);
  if (!made || made.data.length > maxBytes) return null;
  const { width, pageHeight, height } = made.info;
  return { bytes: made.data, width, height: pageHeight ?? height };
}

/**
 * An upright JPEG on white, without metadata but with its colour profile. Null if the image cannot be decoded here, or does
 * not fit even at the smallest size.
 */
export async function toJpeg(
  path: string,
  { maxSide, maxBytes, whole = false }: JpegOptions,
): Promise<EncodedImage | null> {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  const upright = () =>
    sharp(path, { limitInputPixels: 120_000_000 }).autoOrient().toColourspace('srgb').keepIccProfile();
  const { width, height } = await sharp(path)
    .metadata()
    .then(({ autoOrient }) => autoOrient)
    .catch(() => ({ width: 0, height: 0 }));
  const side = Math.min(maxSide ?? Number.POSITIVE_INFINITY, Math.max(width, height));
  if (side === 0) return null;
  for (const scale of whole ? scales.slice(0, 1) : scales) {
    const size = Math.max(1, Math.round(side * scale));
    for (const quality of whole ? qualities.slice(0, 1) : qualities) {
      const made = await upright()
        .resize({ width: size, height: size, fit: 'inside', withoutEnlargement: true })
        .flatten({ background: '#ffffff' })
        // mozjpeg takes 20 times as long, which is too long while a client waits.
        .jpeg({ quality, mozjpeg: !whole })
        .toBuffer({ resolveWithObject: true })
        .catch(() => null);
      if (!made) return null;
      if (made.data.length <= maxBytes) return { bytes: made.data, width: made.info.width, height: made.info.height };
    }
  }
  return null;
}
