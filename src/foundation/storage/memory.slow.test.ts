import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/database/temporary-server.ts';
import { startArguments } from '../../../test/support/processes/crier.ts';

const megabyte = 1024 ** 2;
const size = 256 * megabyte;
/** How much memory the service may use for a file of any size. */
const allowedMegabytes = 64;

test('a large file is uploaded and downloaded without being held in memory', async () => {
  const folder = await temporaryFolder();
  const child = inChild('disk', folder.path);
  try {
    const [{ first, large }] = await once(child, 'message');
    const ask = async (message: string) => {
      child.send(message);
      return (await once(child, 'message'))[0];
    };
    // The first requests allocate memory that later ones reuse.
    await upload(first.uploadUrl, 16 * megabyte);
    expect(await download(first.publicUrl)).toBe(16 * megabyte);
    await ask('watch');
    await upload(large.uploadUrl, size);
    expect(await download(large.publicUrl)).toBe(size);
    expect(await ask('report')).toBeLessThan(allowedMegabytes);
  } finally {
    child.kill();
    await folder.remove();
  }
});

test('a large file is written to a bucket without being held in memory', async () => {
  const folder = await temporaryFolder();
  let received = 0;
  const server = createServer(async (request, response) => {
    for await (const chunk of request) received += chunk.length;
    const what = new URL(request.url!, 'http://s3').searchParams.has('uploads') ? 'Initiate' : 'Complete';
    const result = `${what}MultipartUploadResult`;
    response.setHeader('etag', '"part"').end(`<${result}><UploadId>1</UploadId><ETag>"all"</ETag></${result}>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const child = inChild('s3', `http://127.0.0.1:${(server.address() as AddressInfo).port}`, folder.path);
  try {
    const [grownMegabytes] = await once(child, 'message');
    expect(received).toBeGreaterThan(size);
    expect(grownMegabytes).toBeLessThan(allowedMegabytes);
  } finally {
    child.kill();
    server.closeAllConnections();
    server.close();
    await folder.remove();
  }
});

/** With the flags of `npm start`. */
function inChild(...args: string[]) {
  return fork(new URL('../../../test/support/processes/memory-child.ts', import.meta.url), args, {
    execArgv: [...startArguments.slice(0, -1), '--expose-gc'],
  });
}

async function upload(url: string, length: number) {
  const headers = { 'content-type': 'video/mp4', 'content-length': length };
  const request = httpRequest(url, { method: 'PUT', headers });
  const answered = once(request, 'response') as Promise<[IncomingMessage]>;
  await pipeline(Readable.from(megabytes(length)), request);
  const [answer] = await answered;
  expect(answer.resume().statusCode).toBe(200);
}

function* megabytes(length: number) {
  const piece = Buffer.alloc(megabyte);
  for (let sent = 0; sent < length; sent += megabyte) yield piece;
}

/** Slower than the disk, so that missing backpressure would use memory. */
async function download(url: string): Promise<number> {
  const request = httpRequest(url).end();
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  let bytes = 0;
  for await (const chunk of answer) {
    bytes += chunk.length;
    if (bytes % megabyte < chunk.length) await new Promise((resolve) => setTimeout(resolve, 2));
  }
  return bytes;
}
