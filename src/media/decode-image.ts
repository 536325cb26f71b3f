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
export interface Jpeg {
  bytes: Buffer;
  width: number;
  height: number;
}

/** The first quality shows no visible difference; the others are tried until the file fits. */
const qualities = [90, 80, 70, 55];
const scales = [1, 0.75, 0.5, 0.25];

/** A stored image as an upright JPEG on white in sRGB. Null if it cannot be decoded here. */
export async function decodeImage(
  storage: Storage,
  { key, version }: { key: string; version?: string | undefined },
  options: JpegOptions,
): Promise<Jpeg | null> {
  // sharp would collect a stream in memory, so it gets a file on disk.
  await using folder = await mkdtempDisposable(join(tmpdir(), 'crier-rendition-'));
  const path = join(folder.path, 'image');
  await pipeline(await storage.read(key, { ...(version !== undefined && { version }) }), createWriteStream(path));
  return await toJpeg(path, options);
}

/** Null if the image cannot be decoded or does not fit even at the smallest size. */
export async function toJpeg(path: string, { maxSide, maxBytes, whole = false }: JpegOptions): Promise<Jpeg | null> {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  const upright = () => sharp(path, { limitInputPixels: 120_000_000 }).autoOrient().toColourspace('srgb');
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
