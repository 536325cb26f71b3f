/** Phones take images of 48 or 50 megapixels. Lower platform limits are checked when a post is validated. */
export const maxPixels = 60_000_000;

/** Up to this size, any image is cheap to decode. A flat WebP of 1200 × 1200 pixels has 38 bytes and is legitimate. */
const harmlessPixels = 16_000_000;

/** A flat PNG with 8 bits per pixel at deflate's best compression has 1,032 pixels per byte. */
const maxPixelsPerByte = 2_000;

/** Why an image of this size is rejected before decoding, or null. */
export function bombIn({ width, height, bytes }: { width: number; height: number; bytes: number }): string | null {
  const pixels = width * height;
  const size = `The image has ${width} × ${height} pixels`;
  if (pixels > maxPixels) return `${size}; at most ${maxPixels / 1_000_000} megapixels are accepted.`;
  if (pixels <= harmlessPixels || pixels / bytes <= maxPixelsPerByte) return null;
  return `${size} in only ${bytes} bytes. Make it smaller and upload it again.`;
}
