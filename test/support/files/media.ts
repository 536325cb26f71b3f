import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import type { Media } from '../../../src/platforms/kit/index.ts';
import { serve } from '../servers/local.ts';

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

/** Serves files as the engine does: as blobs, and at URLs that a network can fetch. */
export async function mediaHost() {
  const hosted = new Map<string, TestFile>();
  const server = await serve((request, response) => {
    const found = hosted.get((request.url ?? '').slice(1));
    if (!found) return void response.writeHead(404).end();
    const headers = { 'content-type': found.type, 'content-length': found.bytes.length };
    response.writeHead(200, headers).end(request.method === 'HEAD' ? undefined : found.bytes);
  });
  return {
    media({ bytes, sha256, ...facts }: TestFile): Media {
      hosted.set(sha256, { ...facts, bytes, sha256 });
      return {
        ...facts,
        blob: async () => new Blob([new Uint8Array(bytes)], { type: facts.type }),
        url: async () => new URL(`${server.url}/${sha256}`),
      };
    },
    close: server.close,
  };
}
