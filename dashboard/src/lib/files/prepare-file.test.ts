import { afterEach, describe, expect, test, vi } from 'vitest';
import { isHeic, isHevc, prepareFile, UnusableFileError } from './prepare-file.ts';

const box = (type: string, ...content: (string | Uint8Array<ArrayBuffer>)[]) => {
  const body = new Blob(
    content.map((part) => (typeof part === 'string' ? Uint8Array.from(Buffer.from(part, 'latin1')) : part)),
  );
  const size = new Uint8Array(4);
  new DataView(size.buffer).setUint32(0, body.size + 8);
  return new Blob([size, type, body]);
};
const still = (major: string, ...others: string[]) => box('ftyp', major, '\0\0\0\0', ...others);

describe('isHeic', () => {
  test.each([
    ['a photo of an iPhone', still('heic', 'mif1', 'heic'), true],
    ['a HEIF image', still('mif1', 'mif1', 'heic'), true],
    ['an AVIF image', still('avif', 'mif1', 'miaf'), false],
    ['an AVIF image with a general brand', still('mif1', 'avif', 'miaf'), false],
    ['a video', still('qt  ', 'qt  '), false],
    ['a short file', new Blob(['JFIF']), false],
  ])('%s: %#', async (_, file, expected) => {
    expect(await isHeic(file)).toBe(expected);
  });
});

describe('isHevc', () => {
  const video = async (codec: string, lead: Blob[] = []) => {
    const sample = Uint8Array.from(Buffer.from(`\0\0\0\0\0\0\0\x01\0\0\0\x80${codec}`, 'latin1'));
    const index = box('moov', 'mvhd', box2('stsd', sample));
    return new Blob([still('qt  '), ...lead, index]);
  };
  const box2 = (type: string, content: Uint8Array<ArrayBuffer>) =>
    Uint8Array.from(Buffer.concat([Buffer.from(`\0\0\0\x20${type}`, 'latin1'), content]));

  test.each([
    ['hvc1', true],
    ['hev1', true],
    ['avc1', false],
  ])('a video with the codec %s', async (codec, expected) => {
    expect(await isHevc(await video(codec))).toBe(expected);
  });

  test('an index after the pictures', async () => {
    expect(await isHevc(await video('hvc1', [box('mdat', 'x'.repeat(100_000))]))).toBe(true);
  });

  test('files that are no video', async () => {
    expect(await isHevc(new Blob(['\0\0\0\0']))).toBe(false);
    expect(await isHevc(new Blob(['\0\0\0\x02moov']))).toBe(false);
  });
});

test('files other than HEIC photos are uploaded unchanged', async () => {
  const file = new File(['JFIF'], 'a.jpg', { type: 'image/jpeg' });
  expect(await prepareFile(file)).toBe(file);
});

describe('a HEIC photo', () => {
  afterEach(() => void vi.unstubAllGlobals());
  const photo = () => new File([still('heic', 'mif1', 'heic')], 'IMG_1.HEIC', { type: 'image/heic' });

  test('becomes a JPEG of the same size, in a browser that can read it', async () => {
    const drawn: unknown[] = [];
    const picture = { width: 40, height: 30, close: vi.fn() };
    vi.stubGlobal('createImageBitmap', async () => picture);
    class Canvas {
      readonly size: unknown;
      constructor(width: number, height: number) {
        this.size = { width, height };
      }
      getContext() {
        return { drawImage: (...args: unknown[]) => drawn.push(this.size, ...args) };
      }
      async convertToBlob({ type }: { type: string }) {
        return new Blob(['JFIF'], { type });
      }
    }
    vi.stubGlobal('OffscreenCanvas', Canvas);
    const jpeg = await prepareFile(photo());
    expect([jpeg.name, jpeg.type, await jpeg.text()]).toEqual(['IMG_1.jpg', 'image/jpeg', 'JFIF']);
    expect(drawn).toEqual([{ width: 40, height: 30 }, picture, 0, 0]);
    expect(picture.close).toHaveBeenCalledOnce();
  });

  test('is refused with what to do, in a browser that can’t', async () => {
    vi.stubGlobal('createImageBitmap', () => Promise.reject(new Error('The source image could not be decoded.')));
    const refused = prepareFile(photo());
    await expect(refused).rejects.toThrow(UnusableFileError);
    await expect(refused).rejects.toThrow(/^IMG_1\.HEIC is a HEIC photo.*Most Compatible/);
  });
});
