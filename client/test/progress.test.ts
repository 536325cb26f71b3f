import { writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support/database/temporary-server.ts';
import { serve } from '../../test/support/servers/local.ts';
import { Crier } from '../src/index.ts';

/** Far more than the connection can buffer. */
const bytes = new Uint8Array(64 * 1024 * 1024);

/** A storage server that reads nothing of the body until the test lets it. */
async function aStorage() {
  const uploads: IncomingMessage[] = [];
  const received: number[] = [];
  const server = await serve(async (request, response) => {
    const url = `http://${request.headers.host}/put`;
    response.setHeader('content-type', 'application/json');
    if (request.url !== '/put')
      return void response.end(JSON.stringify({ uploadUrl: url, mediaId: '1', mediaFile: {} }));
    request.pause();
    uploads.push(request);
    let count = 0;
    request.on('data', (chunk: Buffer) => {
      count += chunk.length;
    });
    request.pause();
    request.on('end', () => {
      received.push(count);
      response.end();
    });
  });
  return { ...server, uploads, received };
}

test.each(['a path', 'a File', 'a Blob', 'bytes'])(
  '%s shows no more progress than the connection has taken',
  async (kind) => {
    const folder = await temporaryFolder();
    await using storage = await aStorage();
    const path = `${folder.path}/a.mp4`;
    if (kind === 'a path') await writeFile(path, bytes);
    const sources = { 'a path': path, 'a File': new File([bytes], 'a.mp4'), 'a Blob': new Blob([bytes]), bytes };
    const shown: number[] = [];
    const upload = new Crier({ baseUrl: storage.url, apiKey: 'sk_x' }).uploadMedia(
      sources[kind as keyof typeof sources],
      { postGroupId: '1', onProgress: ({ loaded }) => void shown.push(loaded) },
    );
    await expect.poll(() => storage.uploads.length).toBe(1);
    // Wait until the buffers are full.
    for (let before = -1; before !== shown.length; await sleep(200)) before = shown.length;
    expect(shown.at(-1)).toBeLessThan(bytes.length / 2);
    storage.uploads[0]!.resume();
    await upload;
    expect([shown.at(-1), storage.received]).toEqual([bytes.length, [bytes.length]]);
    expect(shown).toEqual(shown.toSorted((a, b) => a - b));
    // Steps small enough for a progress bar.
    expect(shown.length).toBeGreaterThan(100);
    await folder.remove();
  },
);
