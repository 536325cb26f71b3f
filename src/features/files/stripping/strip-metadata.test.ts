import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TemporaryFolder, temporaryFolder } from '../../../../test/support/database/temporary-server.ts';
import { fixture } from '../../../../test/support/files/inspection.ts';
import { aTaggedImage, pixelsOf, type TaggedImage, tagsOf } from '../../../../test/support/files/tagged-image.ts';
import { stripMetadata } from './strip-metadata.ts';

let folder: TemporaryFolder;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

/** Null if there is nothing to remove. */
async function strip(bytes: Uint8Array, type: string): Promise<Buffer | null> {
  const path = join(folder.path, `${process.hrtime.bigint()}`);
  await writeFile(path, bytes);
  await using stripped = await stripMetadata(path, `image/${type}`);
  if (!stripped) return null;
  const found = await buffer(stripped.stream());
  expect(found.length).toBe(stripped.bytes);
  return found;
}

const clean = { exif: undefined, xmp: undefined, iptc: undefined, comments: undefined, hasProfile: true };

describe('metadata is removed, pixels and colour profile stay:', () => {
  test.each<[string, TaggedImage]>([
    ['JPEG', {}],
    ['progressive JPEG', { progressive: true, noise: true }],
    ['PNG', { format: 'png', noise: true }],
    ['WebP', { format: 'webp' }],
    ['animated WebP', { format: 'webp', frames: 3 }],
  ])('%s', async (_, options) => {
    const original = await aTaggedImage(options);
    expect(await tagsOf(original)).toMatchObject({ exif: expect.anything(), hasProfile: true });
    expect(original.includes('Ada Lovelace')).toBe(true);
    const stripped = (await strip(original, options.format ?? 'jpeg'))!;
    expect(await tagsOf(stripped)).toMatchObject(clean);
    // Shorter words occur in compressed noise by chance.
    for (const word of ['Ada Lovelace', 'xpacket', 'GPSLatitude']) expect(stripped.includes(word)).toBe(false);
    expect((await pixelsOf(stripped)).equals(await pixelsOf(original))).toBe(true);
    expect((await tagsOf(stripped)).pages).toBe((await tagsOf(original)).pages);
    expect(await strip(stripped, options.format ?? 'jpeg')).toBeNull();
  });

  test('animated GIF, whose frames and repetitions stay too', async () => {
    const frames = [1, 2, 3].map((n) => ({
      create: { width: 20, height: 10, channels: 3 as const, background: { r: n * 80, g: 0, b: 0 } },
    }));
    const pages = await Promise.all(frames.map((frame) => sharp(frame).png().toBuffer()));
    const original = await sharp(pages, { join: { animated: true } })
      .gif({ loop: 4, delay: [100, 200, 300] })
      .toBuffer();
    const afterHeader = 13 + (original[10]! & 0x80 ? 3 * 2 ** ((original[10]! & 7) + 1) : 0);
    const tagged = Buffer.concat([
      original.subarray(0, afterHeader),
      Buffer.concat([Buffer.from([0x21, 0xfe, 12]), Buffer.from('Ada Lovelace'), Buffer.from([0])]),
      Buffer.concat([Buffer.from([0x21, 0xff, 11]), Buffer.from('XMP DataXMP'), Buffer.from([3, 1, 2, 3, 0])]),
      original.subarray(afterHeader),
      Buffer.from('appended'),
    ]);
    expect(await tagsOf(tagged)).toMatchObject({ pages: 3 });
    const stripped = (await strip(tagged, 'gif'))!;
    expect(stripped.equals(original)).toBe(true);
    expect(await sharp(stripped).metadata()).toMatchObject({ pages: 3, loop: 4, delay: [100, 200, 300] });
    expect(await strip(original, 'gif')).toBeNull();
  });
});

test('EXIF and XMP of an AVIF are overwritten, and what a phone appends is removed; the rest stays in its place', async () => {
  const original = await sharp(await aTaggedImage())
    .keepMetadata()
    .avif()
    .toBuffer();
  expect([original.includes('Ada Lovelace'), original.includes('xpacket')]).toEqual([true, true]);
  const appended = Buffer.concat([original, Buffer.from([0, 0, 0, 12]), Buffer.from('mpvdGPS!')]);
  const stripped = (await strip(appended, 'avif'))!;
  expect(stripped.length).toBe(original.length);
  for (const word of ['Ada Lovelace', 'xpacket', 'GPS!']) expect(stripped.includes(word)).toBe(false);
  expect((await pixelsOf(stripped)).equals(await pixelsOf(original))).toBe(true);
  expect(await tagsOf(stripped)).toMatchObject({ hasProfile: true });
});

test('a HEIC without metadata is left as it is', async () => {
  expect(await strip(fixture('small.heic'), 'heic')).toBeNull();
});

test('what a phone appends to a JPEG is removed: images and videos with metadata of their own', async () => {
  const original = await aTaggedImage();
  const appended = Buffer.concat([
    original,
    await aTaggedImage({ width: 40, height: 30 }),
    Buffer.from('ftypmp42 GPS'),
  ]);
  expect((await strip(appended, 'jpeg'))!.equals((await strip(original, 'jpeg'))!)).toBe(true);
});

test('comments, IPTC and maker notes of a JPEG are removed; Adobe colour notes stay', async () => {
  const plain = await sharp({ create: { width: 30, height: 20, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer();
  const segment = (marker: number, text: string) => {
    const header = Buffer.from([0xff, marker, 0, 0]);
    header.writeUInt16BE(text.length + 2, 2);
    return Buffer.concat([header, Buffer.from(text, 'latin1')]);
  };
  const adobe = segment(0xee, 'Adobe\0d\0\0\0\0\x01');
  const secrets = [segment(0xfe, 'by Ada'), segment(0xed, 'Photoshop 3.0\0by Ada'), segment(0xe5, 'Samsung by Ada')];
  const tagged = Buffer.concat([plain.subarray(0, 2), adobe, ...secrets, plain.subarray(2)]);
  const stripped = (await strip(tagged, 'jpeg'))!;
  expect(stripped.equals(Buffer.concat([plain.subarray(0, 2), adobe, plain.subarray(2)]))).toBe(true);
});

test.each(['jpeg', 'gif', 'heic'])('a %s whose structure cannot be followed is refused', async (type) => {
  await expect(strip(Buffer.alloc(5000, 1), type)).rejects.toThrow();
});
