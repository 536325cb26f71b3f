import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { bitmap, fixture, stored } from '../../../../test/support/files/inspection.ts';
import { inspect } from './inspect.ts';
import { metadataOf } from './inspection.ts';

const image = (width = 60, height = 40) =>
  sharp({
    create: { width, height, channels: 3, background: 'teal', noise: { type: 'gaussian', mean: 128, sigma: 40 } },
  });

describe('type and size', () => {
  test.each([
    ['jpeg', () => image().jpeg().toBuffer()],
    ['jpeg', () => image().jpeg({ progressive: true }).toBuffer()],
    ['png', () => image().png().toBuffer()],
    ['png', () => image().png({ progressive: true }).toBuffer()],
    ['gif', () => image().gif().toBuffer()],
    ['webp', () => image().webp().toBuffer()],
    ['avif', () => image().avif({ effort: 0 }).toBuffer()],
    ['tiff', () => image().tiff().toBuffer()],
    ['bmp', async () => bitmap(60, 40)],
  ])('a %s is detected by its bytes', async (format, make) => {
    const bytes = await make();
    const found = await inspect(stored(bytes));
    const expected = { format, mimeType: `image/${format}`, size: bytes.length, width: 60, height: 40, frames: 1 };
    expect(found).toEqual({ kind: 'image', ...expected });
  });

  test('a HEIC has type and size although it cannot be decoded here', async () => {
    const found = await inspect(stored(fixture('small.heic')));
    expect(found).toMatchObject({ kind: 'image', mimeType: 'image/heic', width: 64, height: 48 });
  });

  test('all brands decide between image types that share the first brand', async () => {
    const asMif1 = (bytes: Buffer) => Buffer.concat([bytes.subarray(0, 8), Buffer.from('mif1'), bytes.subarray(12)]);
    const avif = asMif1(await image().avif({ effort: 0 }).toBuffer());
    expect(await inspect(stored(avif))).toMatchObject({ mimeType: 'image/avif' });
    expect(await inspect(stored(asMif1(fixture('small.heic'))))).toMatchObject({ mimeType: 'image/heic' });
  });

  test('a rotated photo has the size in which it is shown', async () => {
    const bytes = await image(60, 40).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const found = await inspect(stored(bytes));
    expect(found).toMatchObject({ width: 40, height: 60 });
    expect(metadataOf(found)).toMatchObject({ width: 40, height: 60, aspectRatio: 40 / 60 });
  });

  test.each(['gif', 'webp'] as const)('the frames of an animated %s are counted', async (format) => {
    const frames = await Promise.all(['red', 'green', 'blue'].map((background) => frame(background)));
    const bytes = await sharp(frames, { join: { animated: true } })
      [format]()
      .toBuffer();
    expect(await inspect(stored(bytes))).toMatchObject({ width: 20, height: 10, frames: 3 });
  });

  test('metadata of an image has the contract’s keys', async () => {
    const bytes = await image(60, 40).png().toBuffer();
    expect(metadataOf(await inspect(stored(bytes)))).toEqual({
      size: bytes.length,
      width: 60,
      height: 40,
      aspectRatio: 1.5,
      format: 'png',
      frameRate: null,
      codecName: null,
      bitRate: null,
      duration: null,
    });
  });
});

describe('refused', () => {
  const failed = (message: RegExp) => ({ code: 'PROBE_FAILED', message: expect.stringMatching(message) });

  test('a header that claims 60000 × 60000 pixels is refused before decoding', async () => {
    const bytes = await image(60, 1).png().toBuffer();
    bytes.writeUInt32BE(60_000, 16);
    bytes.writeUInt32BE(60_000, 20);
    await expect(inspect(stored(bytes))).rejects.toMatchObject({ code: 'PROBE_FAILED' });
    const whole = withPngSums(bytes);
    await expect(inspect(stored(whole))).rejects.toMatchObject(failed(/60000 × 60000 pixels; at most 60 megapixels/));
    await expect(inspect(stored(hugeBitmap()))).rejects.toMatchObject(failed(/60000 × 60000/));
  });

  test.each(['jpeg', 'png', 'gif', 'webp', 'avif', 'tiff'] as const)('half a %s is noticed', async (format) => {
    const bytes = await image(200, 200).toFormat(format).toBuffer();
    await expect(inspect(stored(bytes.subarray(0, bytes.length / 2)))).rejects.toMatchObject(failed(/incomplete/));
  });

  test('a truncated bitmap and a truncated HEIC are refused', async () => {
    for (const bytes of [bitmap(60, 40), fixture('small.heic')]) {
      await expect(inspect(stored(bytes.subarray(0, bytes.length - 50)))).rejects.toMatchObject(failed(/incomplete/));
    }
  });

  test('a JPEG without its last tenth is refused', async () => {
    const bytes = await image(400, 300).jpeg().toBuffer();
    await expect(inspect(stored(bytes.subarray(0, bytes.length * 0.9)))).rejects.toMatchObject(failed(/incomplete/));
  });

  test('an image over the byte limit is not read', async () => {
    const source = stored(await image(400, 300).png().toBuffer());
    await expect(inspect(source, { maxImageBytes: 100_000 })).rejects.toMatchObject(failed(/larger than/));
    expect(source.bytesRead).toBeLessThan(70_000);
  });
});

async function frame(background: string): Promise<Buffer> {
  return sharp({ create: { width: 20, height: 10, channels: 3, background } })
    .png()
    .toBuffer();
}

function hugeBitmap(): Buffer {
  const file = bitmap(60, 1);
  file.writeInt32LE(60_000, 18);
  file.writeInt32LE(60_000, 22);
  // Run-length encoding, so that the file can be small.
  file.writeUInt32LE(1, 30);
  file.writeUInt16LE(8, 28);
  return file;
}

/** With the correct checksum for the changed header, as an attacker would send it. */
function withPngSums(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt32BE(crc32(copy.subarray(12, 29)), 29);
  return copy;
}
