import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import type { HttpResponse } from '../http/http-response.ts';

/** A coloured square with a pattern derived from the name, so that accounts look different. */
export function avatarImage(name: string): HttpResponse {
  return {
    status: 200,
    headers: {
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'max-age=3600',
    },
    body: patternOf(createHash('sha256').update(name).digest()),
  };
}

const size = 96;
const blockSize = 16;
const margin = 8;
const white = [255, 255, 255];

/** 5 × 5 blocks, mirrored left to right. */
function patternOf(digest: Buffer): Buffer {
  const blockAt = (place: number) => Math.floor((place - margin) / blockSize);
  const isWhite = (x: number, y: number) => {
    const [column, row] = [blockAt(x), blockAt(y)];
    const isInside = column >= 0 && column < 5 && row >= 0 && row < 5;
    return isInside && digest[row * 3 + Math.min(column, 4 - column)]! % 2 === 1;
  };
  const rows = Array.from({ length: size }, (_, y) => [0, ...Array.from({ length: size }, (_, x) => +isWhite(x, y))]);
  return png([colourOf(digest.readUInt16BE(30) % 360), white], rows);
}

/** The CSS colour hsl(hue 50% 40%). */
function colourOf(hue: number): number[] {
  return [0, 8, 4].map((offset) => {
    const k = (offset + hue / 30) % 12;
    return Math.round(255 * (0.4 - 0.2 * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  });
}

/** Each row starts with its filter type, 0 for none, followed by a palette index for each pixel. */
function png(palette: number[][], rows: number[][]): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 3], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flat())),
    chunk('IDAT', deflateSync(Buffer.from(rows.flat()))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
