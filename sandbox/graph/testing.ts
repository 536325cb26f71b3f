import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** Enough of a JPEG to be taken for one of that size. */
export function aJpeg(width = 1080, height = 1080, bytes = 0): Buffer {
  const frame = Buffer.from([0xff, 0xd8, 0xff, 0xc0, 0, 17, 8, 0, 0, 0, 0, 3, ...Array(9).fill(0)]);
  frame.writeUInt16BE(height, 7);
  frame.writeUInt16BE(width, 9);
  return Buffer.concat([frame, Buffer.alloc(bytes), Buffer.from([0xff, 0xd9])]);
}

/** Enough of an MP4 to be taken for one of that length. */
export function aFilm(seconds: number): Buffer {
  const header = Buffer.alloc(100);
  header.writeUInt32BE(1000, 12);
  header.writeUInt32BE(seconds * 1000, 16);
  return Buffer.concat([
    box('ftyp', Buffer.from('isom')),
    box('moov', box('mvhd', header)),
    box('mdat', Buffer.alloc(64)),
  ]);
}

/** Files at addresses of this machine, for as long as the test lasts. */
export async function aFileHost() {
  const files: Buffer[] = [];
  const server = createServer((request, response) => {
    const bytes = files[Number(request.url?.slice(1))];
    response.writeHead(bytes ? 200 : 404).end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return (bytes: Buffer): string => `http://127.0.0.1:${port}/${files.push(bytes) - 1}`;
}

function box(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.length);
  head.write(type, 4);
  return Buffer.concat([head, content]);
}
