import sharp from 'sharp';
import { maxPixels } from './pixel-limits.ts';

export interface JpegOptions {
  maxSide?: number | undefined;
  maxBytes: number;
  /** Only full size and best quality. Otherwise size and quality are reduced until the image fits. */
  whole?: boolean;
}
/** A new file next to the original. */
export interface ConvertedImage {
  path: string;
  bytes: number;
  width: number;
  height: number;
}

/** The first quality is visually lossless. The others are tried until the file fits. */
const qualities = [90, 80, 70, 55];
const scales = [1, 0.75, 0.5, 0.25];

/** All frames together. */
const maxAnimationPixels = 2 * maxPixels;

/** Whether viewers must rotate or mirror the image, according to EXIF. */
export async function isTurned(path: string): Promise<boolean> {
  const { orientation = 1 } = await sharp(path)
    .metadata()
    .catch(() => ({}) as { orientation?: number });
  return orientation > 1;
}

/** The animation as a GIF. Null if it cannot be decoded or is too large. */
export async function toGif(path: string, maxBytes: number): Promise<ConvertedImage | null> {
  const to = `${path}.gif`;
  const made = await sharp(path, { animated: true, limitInputPixels: maxAnimationPixels })
    .gif()
    .toFile(to)
    .catch(() => null);
  if (!made || made.size > maxBytes) return null;
  return { path: to, bytes: made.size, width: made.width, height: made.pageHeight ?? made.height };
}

/**
 * An upright JPEG on white, without metadata but with its colour profile. Null if the image cannot be decoded here,
 * or does not fit even at the smallest size.
 */
export async function toJpeg(
  path: string,
  { maxSide, maxBytes, whole = false }: JpegOptions,
): Promise<ConvertedImage | null> {
  const to = `${path}.jpg`;
  const upright = () =>
    sharp(path, { limitInputPixels: maxPixels }).autoOrient().toColourspace('srgb').keepIccProfile();
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
        // mozjpeg would save a tenth of the bytes but is 20 times slower.
        .jpeg({ quality })
        .toFile(to)
        .catch(() => null);
      if (!made) return null;
      if (made.size <= maxBytes) return { path: to, bytes: made.size, width: made.width, height: made.height };
    }
  }
  return null;
}
