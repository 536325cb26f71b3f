import { stat } from 'node:fs/promises';
import sharp from 'sharp';
import { bombIn } from './pixel-limits.ts';

export const avatarSize = 128;

/**
 * sharp's names for the formats that networks use for avatars. SVG is excluded, because it contains drawing
 * instructions.
 */
const formats = new Set(['jpeg', 'png', 'gif', 'webp', 'heif']);
const maxPixels = 16_000_000;

/**
 * The center of the image as a small WebP without metadata. Null if it cannot be decoded, is a vector image or is too
 * large.
 */
export async function toAvatar(path: string): Promise<Uint8Array | null> {
  const metadata = await sharp(path, { limitInputPixels: false })
    .metadata()
    .catch(() => null);
  if (!metadata || !formats.has(metadata.format)) return null;
  const { width, height } = metadata;
  const { size: bytes } = await stat(path);
  if (width * height > maxPixels || bombIn({ width, height, bytes })) return null;
  return sharp(path, { limitInputPixels: maxPixels })
    .autoOrient()
    .resize(avatarSize, avatarSize, { fit: 'cover' })
    .toColourspace('srgb')
    .webp({ quality: 85 })
    .toBuffer()
    .catch(() => null);
}
