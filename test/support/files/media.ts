import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import type { Media } from '../../../src/platforms/kit/index.ts';

/** A real file and its properties. */
export interface TestFile extends Omit<Media, 'blob' | 'url'> {
  bytes: Buffer;
  sha256: string;
}

let images = 0;

/** Every image is different. */
export async function anImage({ width = 640, height = 480, type = 'jpeg' as 'jpeg' | 'png' | 'webp' | 'gif' } = {}) {
  images += 1;
  const background = { r: images % 256, g: (images >> 8) % 256, b: 120 };
  const bytes = await sharp({ create: { width, height, channels: 3, background } })
    .toFormat(type)
    .toBuffer();
  return file({ kind: 'image', type: `image/${type}`, width, height, seconds: null }, bytes);
}

/** H.264 and AAC, four seconds. */
export function aVideo(): TestFile {
  const bytes = readFileSync(new URL('../../../src/surfaces/admin/prove/sample.mp4', import.meta.url));
  return file({ kind: 'video', type: 'video/mp4', width: 320, height: 180, seconds: 4 }, bytes);
}

function file(facts: Pick<Media, 'kind' | 'type' | 'width' | 'height' | 'seconds'>, bytes: Buffer): TestFile {
  return { ...facts, altText: '', bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
}
