import type { Media } from '../../../src/platforms/kit/index.ts';
import type { TestFile } from '../files/media.ts';
import { serve } from './local.ts';

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
