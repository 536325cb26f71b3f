import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anImage } from '../../../test/support/files/media.ts';
import { aTaggedImage, pixelsOf, tagsOf } from '../../../test/support/files/tagged-image.ts';
import { drivers, type MediaService, mediaService, type Upload } from '../../../test/support/service/media-service.ts';
import type { TestUser } from '../../../test/support/service/service.ts';

describe.each(drivers)('[media-record.url] on %s', (driver) => {
  let ours: MediaService;
  let ada: TestUser;
  beforeAll(async () => {
    ours = await mediaService(driver);
    ada = await ours.aUser();
  });
  afterAll(() => ours.close());

  async function served({ fileUrl }: Upload) {
    const { headers } = await fetch(ours.reach(fileUrl));
    return [headers.get('content-type'), headers.get('content-disposition')];
  }
  const script = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');

  test('an image is served with the type of its bytes and a name with its extension', async () => {
    const { bytes } = await anImage({ type: 'jpeg' });
    const upload = await ours.aReadyFile(ada, bytes, { fileName: 'page.html', contentType: 'image/png' });
    expect(await served(upload)).toEqual(['image/jpeg', 'inline; filename="page.jpg"']);
  });

  test.each(['image/svg+xml', 'image/x+xml', 'image/unheard-of'])('%s is accepted and is a download', async (type) => {
    const upload = await ours.anUpload(ada, script, { fileName: 'logo.svg', contentType: type });
    const download = ['application/octet-stream', 'attachment; filename="logo.bin"'];
    expect(await served(upload)).toEqual(download);
    expect((await ours.complete(ada, upload.mediaId)).status).toBe(400);
    expect(await served(upload)).toEqual(download);
  });

  test('a page that was uploaded as an image is served as an image, which runs nothing', async () => {
    const upload = await ours.anUpload(ada, script, { fileName: 'page.html', contentType: 'image/png' });
    expect(await served(upload)).toEqual(['image/png', 'inline; filename="page.png"']);
  });

  test.each([
    ['jpeg', 1, true],
    ['png', 1, true],
    ['webp', 1, true],
    ['jpeg', 6, false],
  ] as const)(
    'a %s of EXIF orientation %i is served upright and without metadata',
    async (format, orientation, same) => {
      const photo = await aTaggedImage({ format, orientation });
      const contentType = `image/${format}`;
      const upload = await ours.aReadyFile(ada, photo, { fileName: `photo.${format}`, contentType });
      const shown = async (address: string) => {
        const answer = await fetch(ours.reach(address));
        expect([answer.status, answer.headers.get('content-type')]).toEqual([200, contentType]);
        return Buffer.from(await answer.arrayBuffer());
      };
      const [seen, again, small] = [
        await shown(upload.fileUrl),
        await shown(upload.fileUrl),
        await shown(`${upload.fileUrl}?thumbnail`),
      ];
      for (const bytes of [seen, small]) {
        expect(await tagsOf(bytes)).toMatchObject({
          exif: undefined,
          xmp: undefined,
          orientation: undefined,
          hasProfile: true,
        });
        expect(bytes.toString('latin1')).not.toMatch(/Lovelace|xmpmeta/);
      }
      expect(again.equals(seen)).toBe(true);
      if (same) expect((await pixelsOf(seen)).equals(await pixelsOf(photo))).toBe(true);
      else expect(await sharp(seen).metadata()).toMatchObject({ width: 200, height: 300 });
      const head = await fetch(ours.reach(upload.fileUrl), { method: 'HEAD' });
      expect(head.headers.get('content-length')).toBe(String(seen.length));
    },
  );

  test('with ?thumbnail a large image is made small once, and a small one is served as it is', async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
    const photo = await sharp({ create: { width: 1600, height: 1200, channels: 3, background: '#000', noise } })
      .withExif({ IFD0: { Copyright: 'where-i-live' } })
      .jpeg()
      .toBuffer();
    const upload = await ours.aReadyFile(ada, photo, { fileName: 'photo.jpg', contentType: 'image/jpeg' });
    const thumbnail = async ({ fileUrl }: Upload) => {
      const answer = await fetch(ours.reach(`${fileUrl}?thumbnail`));
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
      return Buffer.from(await answer.arrayBuffer());
    };
    const made = await Promise.all([thumbnail(upload), thumbnail(upload), thumbnail(upload)]);
    expect(await sharp(made[0]).metadata()).toMatchObject({ width: 480, height: 360 });
    expect(made[0].length).toBeLessThan(100_000);
    expect(made[0].toString('latin1')).not.toContain('where-i-live');
    for (const again of made) expect(again.equals(made[0])).toBe(true);
    const { rows } = await ours.database.pool.query('select from renditions where media_id = $1', [upload.mediaId]);
    expect(rows).toHaveLength(1);

    const { bytes } = await anImage({ type: 'jpeg' });
    const small = await ours.aReadyFile(ada, bytes, { fileName: 'small.jpg', contentType: 'image/jpeg' });
    expect((await thumbnail(small)).equals(bytes)).toBe(true);
  });
});

describe('a stranger', () => {
  const unknown = '1-0-abcdef12-none.png';
  let ours: MediaService;
  /** A hundredth of the real limits: 3 refusals a minute. */
  beforeAll(async () => {
    ours = await mediaService('disk', { environment: { RATE_LIMITS: '0.01' } });
  });
  afterAll(() => ours.close());

  test.each([
    ['asks for files that do not exist', 'GET', `/media/images/${unknown}`, 404],
    ['uploads to addresses without a signature', 'PUT', `/media/upload/images/${unknown}`, 403],
  ] as const)(
    'who %s is counted by address, and files are served to the same address',
    async (_, method, url, status) => {
      ours.advance(60);
      const statuses: number[] = [];
      for (let count = 1; count <= 4; count += 1) {
        statuses.push((await ours.server.inject({ method, url })).statusCode);
      }
      expect(statuses).toEqual([status, status, status, 429]);
      const upload = await ours.anUpload(await ours.aUser(), (await anImage()).bytes);
      expect((await fetch(ours.reach(upload.fileUrl))).status).toBe(200);
    },
  );
});
