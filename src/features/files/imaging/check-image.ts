import { stat } from 'node:fs/promises';
import sharp, { type Metadata, type Sharp } from 'sharp';
import { bombIn } from './pixel-limits.ts';

export type CheckedImage = { width: number; height: number; frames: number } | { refused: string };

const damaged = { refused: 'The image is damaged or incomplete. Export or upload it again.' };

/** Reads the header of the image, and decodes the image if that needs little memory. */
export async function checkImage(path: string, format: string): Promise<CheckedImage> {
  const open = () => sharp(path, { limitInputPixels: false, sequentialRead: true, failOn: 'error' });
  const metadata = await open()
    .metadata()
    .catch(() => null);
  // sharp reports AVIF, HEIC and HEIF as `heif` and distinguishes them by the first brand only, so our own detection
  // is used.
  if (metadata?.format !== (/^(avif|heic|heif)$/.test(format) ? 'heif' : format)) return damaged;
  const { width, height } = metadata.autoOrient;
  if (!(width > 0 && height > 0)) return damaged;
  const { size: bytes } = await stat(path);
  const bomb = bombIn({ width, height, bytes });
  if (bomb) return { refused: bomb };
  const isWhole = !isDecodable(format, metadata) || (await decodes(open()));
  if (!isWhole) return damaged;
  return { width, height, frames: /^(gif|webp)$/.test(format) ? (metadata.pages ?? 1) : 1 };
}

/** Decodes the first frame at a small size: reads all bytes but keeps few pixels. */
const decodes = (image: Sharp) =>
  image
    .resize(32, 32, { fit: 'inside' })
    .raw()
    .toBuffer()
    .then(
      () => true,
      () => false,
    );

/**
 * Most formats are decoded row by row. Formats that are decoded in memory as a whole are decoded only up to this
 * size.
 */
const maxDecoderBytes = 268_435_456;

/**
 * Bytes per pixel, measured with sharp 0.35.5: AVIF 19, progressive JPEG and interlaced PNG 3, or 6 without chroma
 * subsampling. HEVC is not built in: for HEIC, only type and dimensions are read.
 */
function isDecodable(format: string, metadata: Metadata): boolean {
  if (format === 'heic' || format === 'heif') return false;
  const bytesPerPixel = format === 'avif' ? 20 : metadata.isProgressive ? 6 : 0;
  return metadata.width * metadata.height * bytesPerPixel <= maxDecoderBytes;
}
