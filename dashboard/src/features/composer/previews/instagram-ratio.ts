import type { PreviewMedia } from './preview.ts';

/** In pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Instagram's ranges of width divided by height. */
const [tallest, tallestImage, widest] = [9 / 16, 4 / 5, 1.91];

/** The ratio in which Instagram shows the files: all have that of the first. Square until it is known. */
export function instagramRatio(
  [first]: readonly PreviewMedia[],
  { videoType }: Readonly<Record<string, unknown>>,
  size: Size | null,
): number {
  if (videoType === 'STORIES') return tallest;
  if (!first || !size || size.height === 0) return 1;
  return Math.min(widest, Math.max(first.kind === 'video' ? tallest : tallestImage, size.width / size.height));
}
