import { Readable } from 'node:stream';
import type { Files, StoredFile } from '../store/files.ts';

const timeoutMs = 10_000;

class TooLarge extends Error {}

/** Downloads a file of at most `maxBytes`, as a platform does when a post refers to a file by URL. */
export async function fetchFile(
  files: Files,
  address: string,
  maxBytes: number,
  redirect: 'follow' | 'error' = 'follow',
): Promise<StoredFile | 'unreachable' | 'too_large'> {
  try {
    const response = await fetch(address, { redirect, signal: AbortSignal.timeout(timeoutMs) });
    if (!response.ok || !response.body) return 'unreachable';
    return await files.saveStream(Readable.from(upTo(maxBytes, response.body)));
  } catch (error) {
    return error instanceof TooLarge ? 'too_large' : 'unreachable';
  }
}

async function* upTo(maxBytes: number, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw new TooLarge();
    yield chunk;
  }
}
