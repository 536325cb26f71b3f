import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TemporaryFolder, temporaryFolder } from '../../../../test/support/database/temporary-server.ts';
import { stored } from '../../../../test/support/files/inspection.ts';
import { type Bytes, openBytes } from '../inspection/bytes.ts';
import { toJpeg } from '../renditions/decode-image.ts';
import { strippedGif } from './gif.ts';
import { strippedHeif } from './heif.ts';
import { strippedJpeg } from './jpeg.ts';
import type { Piece } from './pieces.ts';
import { strippedPng } from './png.ts';
import { stripMetadata } from './strip-metadata.ts';
import { strippedWebp } from './webp.ts';

let folder: TemporaryFolder;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

const image = () => sharp({ create: { width: 64, height: 48, channels: 3, background: 'teal' } });
/** The file with a piece repeated at this offset. */
const filled = (file: Buffer, at: number, piece: Buffer, times: number) =>
  Buffer.concat([file.subarray(0, at), Buffer.alloc(piece.length * times, piece), file.subarray(at)]);

/** The offset of the first block after the colour table. */
const gifStart = (gif: Buffer) => 13 + (gif[10]! & 0x80 ? 3 * 2 ** ((gif[10]! & 7) + 1) : 0);

type Stripper = (file: Bytes) => Promise<Piece[] | null>;

async function walked(strip: Stripper, file: Buffer) {
  const bytes = openBytes(stored(file), new AbortController().signal);
  let reads = 0;
  let asked = 0;
  const read = (start: number, end: number) => {
    reads += 1;
    asked += end - start;
    return bytes.read(start, end);
  };
  const pieces = await strip({ ...bytes, read }).catch((error: Error) => error.message);
  return { reads, asked, pieces };
}

test('fill bytes of a JPEG are dropped, and read in large chunks', async () => {
  const plain = await image().jpeg().toBuffer();
  const file = filled(plain, 2, Buffer.from([0xff]), 3_000_000);
  const { reads, pieces } = await walked(strippedJpeg, file);
  expect(pieces).toHaveLength(2);
  expect(reads).toBeLessThan(200);
  const path = join(folder.path, 'fill.jpg');
  await writeFile(path, file);
  await using stripped = await stripMetadata(path, 'image/jpeg');
  expect((await buffer(stripped!.stream())).equals(plain)).toBe(true);
});

test.each([
  ['scans', [0xff, 0xda, 0, 2]],
  ['runs of fill bytes', [0xff, 0xff, 0xff, 0xff, 0xff, 0x01]],
])('thousands of short %s of a JPEG are read in small chunks', async (_, bytes) => {
  const file = filled(Buffer.from([0xff, 0xd8]), 2, Buffer.from(bytes), 200_000);
  const { asked, pieces } = await walked(strippedJpeg, file);
  expect(pieces).toMatch(/segments/);
  expect(asked).toBeLessThan(50_000_000);
});

test('the parts of a file that follow each other are kept as one', async () => {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  const files: [Stripper, Buffer][] = [
    [strippedJpeg, await image().jpeg({ progressive: true }).toBuffer()],
    [
      strippedPng,
      await sharp({ create: { width: 300, height: 300, channels: 3, background: 'red', noise } })
        .png()
        .toBuffer(),
    ],
    [strippedGif, await image().gif().toBuffer()],
  ];
  const counts = await Promise.all(files.map(async ([strip, file]) => (await walked(strip, file)).pieces?.length));
  expect(counts).toEqual([1, 1, 2]);
});

test('the data of a GIF in blocks of one byte are read in large chunks', async () => {
  const plain = await image().gif().toBuffer();
  const comment = Buffer.concat([
    Buffer.from([0x21, 0xfe]),
    Buffer.alloc(1_000_000, Buffer.from([1, 65])),
    Buffer.of(0),
  ]);
  const { reads, pieces } = await walked(strippedGif, filled(plain, gifStart(plain), comment, 1));
  expect(pieces).toHaveLength(3);
  expect(reads).toBeLessThan(1_000);
});

describe('an image in hundreds of thousands of segments is not followed, but can be encoded again:', () => {
  const times = 200_000;
  const chunk = (text: string) => Buffer.from(text, 'latin1');
  const cases: [string, Stripper, () => Promise<Buffer>][] = [
    ['jpeg', strippedJpeg, async () => filled(await image().jpeg().toBuffer(), 2, chunk('\xff\xfe\0\x02'), times)],
    ['jpeg', strippedJpeg, async () => filled(await image().jpeg().toBuffer(), 2, chunk('\xff\x01'), times)],
    [
      'png',
      strippedPng,
      async () => filled(await image().png().toBuffer(), 33, chunk('\0\0\0\0zzZz\xb6\x66\x1b\x09'), times),
    ],
    ['webp', strippedWebp, async () => webpWith(await image().webp().toBuffer(), chunk('ZZZZ\0\0\0\0'))],
    [
      'gif',
      strippedGif,
      async () => {
        const gif = await image().gif().toBuffer();
        return filled(gif, gifStart(gif), chunk('\x21\xfe\x01A\0'), times);
      },
    ],
    [
      'avif',
      strippedHeif,
      async () => {
        const avif = await image().avif().toBuffer();
        return filled(avif, avif.length, chunk('\0\0\0\x08free'), times);
      },
    ],
  ];
  test.each(cases)('%s', async (type, strip, make) => {
    const file = await make();
    const { reads, pieces } = await walked(strip, file);
    expect(pieces).toMatch(/more than 20000 segments/);
    expect(reads).toBeLessThan(100_000);
    const path = join(folder.path, `${process.hrtime.bigint()}.${type}`);
    await writeFile(path, file);
    await expect(stripMetadata(path, `image/${type}`)).rejects.toThrow('segments');
    const made = await toJpeg(path, { maxBytes: 1_000_000 });
    expect(made).toMatchObject({ width: 64, height: 48 });
  });

  function webpWith(webp: Buffer, piece: Buffer) {
    const file = filled(webp, webp.length, piece, times);
    file.writeUInt32LE(file.length - 8, 4);
    return file;
  }
});

describe('items of a HEIF are not followed', () => {
  const box = (type: string, content: Buffer) => {
    const header = Buffer.alloc(8);
    header.writeUInt32BE(content.length + 8);
    header.write(type, 4, 'latin1');
    return Buffer.concat([header, content]);
  };
  const u16 = (...values: number[]) => Buffer.concat(values.map((value) => Buffer.of(value >> 8, value & 255)));
  const heif = (places: Buffer) => {
    const entry = box('infe', Buffer.concat([Buffer.from([2, 0, 0, 0]), u16(1, 0), Buffer.from('Exif\0')]));
    const items = box('iinf', Buffer.concat([Buffer.alloc(4), u16(1), entry]));
    const meta = box('meta', Buffer.concat([Buffer.alloc(4), items, box('iloc', places)]));
    return Buffer.concat([box('ftyp', Buffer.from('heic')), meta, box('mdat', Buffer.alloc(100))]);
  };

  test('if an extent takes no bytes', async () => {
    // Version 0, all sizes 0, and 2,000 items with 65,535 extents each.
    const items = Buffer.alloc(2_000 * 6, u16(1, 0, 65_535));
    const { pieces } = await walked(strippedHeif, heif(Buffer.concat([Buffer.alloc(6), u16(2_000), items])));
    expect(pieces).toBe('an extent has no length');
  });

  test('if one of them is in more than 32 places', async () => {
    const item = (extents: number) => {
      const header = Buffer.concat([Buffer.from([0, 0, 0, 0, 0x04, 0]), u16(1), u16(1, 0, extents)]);
      return heif(Buffer.concat([header, Buffer.alloc(4 * extents)]));
    };
    expect((await walked(strippedHeif, item(32))).pieces).toHaveLength(65);
    expect((await walked(strippedHeif, item(33))).pieces).toBe('an item in 33 places');
  });
});
