import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fixture } from '../../../../test/support/files/inspection.ts';
import { anImage } from '../../../../test/support/files/media.ts';
import { aTaggedImage, pixelsOf, tagsOf } from '../../../../test/support/files/tagged-image.ts';
import {
  anotherProcess,
  drivers,
  type MediaService,
  mediaService,
  type Upload,
} from '../../../../test/support/service/media-service.ts';
import type { TestUser } from '../../../../test/support/service/service.ts';
import { descriptionOf } from '../../../platforms/descriptions.ts';
import type { Limits, Media } from '../../../platforms/kit/index.ts';
import { findMedia } from '../queries.ts';
import { outgoingMedia } from './outgoing-media.ts';

describe.each(drivers)('on %s, an image', (driver) => {
  let ours: MediaService;
  let ada: TestUser;
  beforeAll(async () => {
    ours = await mediaService(driver);
    ada = await ours.aUser();
  });
  afterAll(() => ours.close());

  const limitsOf = (platform: string) => descriptionOf(platform)!.limits;
  const recordsOf = async ({ mediaId }: Upload) => [(await findMedia(ours.app.db, ada.id, mediaId))!];
  const rowsOf = async ({ mediaId }: Upload) =>
    (await ours.database.pool.query('select * from renditions where media_id = $1', [mediaId])).rows;

  /** The input of the platform's adapter, and the bytes that it would send. */
  async function goingTo(platform: string | Pick<Limits, 'images'>, upload: Upload, app = ours.app) {
    const limits = typeof platform === 'string' ? limitsOf(platform) : platform;
    await using outgoing = await outgoingMedia(app, await recordsOf(upload), limits);
    const [media] = outgoing.media as [Media];
    const blob = await media.blob();
    return { ...media, bytes: Buffer.from(await blob.arrayBuffer()), url: (await media.url()).href };
  }

  const transparent = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0 } } })
      .png()
      .toBuffer();

  test('with transparency is sent to Instagram as JPEG on white', async () => {
    const upload = await ours.aReadyFile(ada, await transparent(300, 200));
    const { type, width, height, bytes, url } = await goingTo('instagram', upload);
    expect([type, width, height]).toEqual(['image/jpeg', 300, 200]);
    const { dominant } = await sharp(bytes).stats();
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 300, height: 200, hasAlpha: false });
    expect(Math.min(dominant.r, dominant.g, dominant.b)).toBeGreaterThan(240);
    const fetched = await fetch(ours.reach(url));
    expect(fetched.headers.get('content-type')).toBe('image/jpeg');
    expect(Buffer.from(await fetched.arrayBuffer()).equals(bytes)).toBe(true);
  });

  test('is sent unchanged to platforms that accept it', async () => {
    const { bytes } = await anImage({ type: 'png' });
    const upload = await ours.aReadyFile(ada, bytes);
    for (const platform of ['mastodon', 'linkedin', 'threads', 'twitter']) {
      const sent = await goingTo(platform, upload);
      expect([sent.type, sent.bytes.equals(bytes)]).toEqual(['image/png', true]);
    }
    expect(await rowsOf(upload)).toEqual([]);
  });

  test('in WebP is sent to LinkedIn as upright JPEG', async () => {
    const lying = await sharp((await anImage({ width: 300, height: 200 })).bytes)
      .withMetadata({ orientation: 6 })
      .webp()
      .toBuffer();
    const upload = await ours.aReadyFile(ada, lying, { contentType: 'image/webp' });
    const { type, bytes, width, height } = await goingTo('linkedin', upload);
    expect([type, width, height]).toEqual(['image/jpeg', 200, 300]);
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 200, height: 300 });
  });

  test('leaves without EXIF, XMP and IPTC, and with its pixels and colour profile', async () => {
    const photo = await aTaggedImage();
    const upload = await ours.aReadyFile(ada, photo, { contentType: 'image/jpeg' });
    for (const platform of ['mastodon', 'linkedin', 'bluesky', 'instagram']) {
      const sent = await goingTo(platform, upload);
      expect([sent.type, sent.width, sent.height]).toEqual(['image/jpeg', 300, 200]);
      expect(await tagsOf(sent.bytes)).toMatchObject({ exif: undefined, xmp: undefined, hasProfile: true });
      expect((await pixelsOf(sent.bytes)).equals(await pixelsOf(photo))).toBe(true);
      const fetched = Buffer.from(await (await fetch(ours.reach(sent.url))).arrayBuffer());
      expect(fetched.equals(sent.bytes)).toBe(true);
    }
    expect(await rowsOf(upload)).toMatchObject([{ kind: 'stripped' }]);
  });

  test('without metadata is inspected once and sent as it is', async () => {
    const { bytes } = await anImage();
    const upload = await ours.aReadyFile(ada, bytes, { contentType: 'image/jpeg' });
    for (const _ of [1, 2]) expect((await goingTo('mastodon', upload)).bytes.equals(bytes)).toBe(true);
    expect(await recordsOf(upload)).toMatchObject([{ metadata: { isClean: true } }]);
    const { body } = await ours.complete(ada, upload.mediaId);
    expect(Object.keys(body.mediaFile.metadata)).not.toContain('isClean');
  });

  test('that EXIF turns is sent upright', async () => {
    const lying = await aTaggedImage({ orientation: 6 });
    const upload = await ours.aReadyFile(ada, lying, { contentType: 'image/jpeg' });
    for (const _ of [1, 2]) {
      const sent = await goingTo('mastodon', upload);
      expect([sent.width, sent.height]).toEqual([200, 300]);
      expect(await sharp(sent.bytes).metadata()).toMatchObject({ width: 200, height: 300 });
      expect(await tagsOf(sent.bytes)).toMatchObject({ exif: undefined, orientation: undefined, hasProfile: true });
    }
    expect(await rowsOf(upload)).toHaveLength(1);
  });

  test('that is animated stays animated', async () => {
    const animated = await aTaggedImage({ format: 'webp', frames: 3 });
    const upload = await ours.aReadyFile(ada, animated, { contentType: 'image/webp' });
    const sent = await goingTo('mastodon', upload);
    const { pages } = await tagsOf(animated);
    expect(pages).toBeGreaterThan(1);
    expect(await tagsOf(sent.bytes)).toMatchObject({ exif: undefined, pages });
    const gif = await goingTo('linkedin', upload);
    expect([gif.type, gif.width, gif.height]).toEqual(['image/gif', 300, 200]);
    expect(await tagsOf(gif.bytes)).toMatchObject({ exif: undefined, pages });
  });

  test('in AVIF is sent to Mastodon without metadata', async () => {
    const avif = await sharp(await aTaggedImage())
      .keepMetadata()
      .avif()
      .toBuffer();
    const upload = await ours.aReadyFile(ada, avif, { contentType: 'image/avif' });
    const sent = await goingTo('mastodon', upload);
    expect([avif.includes('Ada Lovelace'), sent.bytes.includes('Ada Lovelace')]).toEqual([true, false]);
    expect([sent.type, sent.bytes.length]).toEqual(['image/avif', avif.length]);
    expect((await pixelsOf(sent.bytes)).equals(await pixelsOf(avif))).toBe(true);
  });

  test('is converted once and stored', async () => {
    const upload = await ours.aReadyFile(ada, await transparent(30, 20));
    const first = await goingTo('instagram', upload);
    const kept = await ours.keptKeys();
    const second = await goingTo('instagram', upload);
    expect(second.bytes.equals(first.bytes)).toBe(true);
    expect(new URL(second.url).pathname).toBe(new URL(first.url).pathname);
    ours.clock.advance({ seconds: 7200 });
    expect(await ours.keptKeys()).toEqual(kept);
    expect(await rowsOf(upload)).toHaveLength(1);
  });

  test('that cannot be converted is not tried each time that it is asked for', async () => {
    const upload = await ours.aReadyFile(ada, await transparent(300, 200));
    let read = 0;
    const storage: typeof ours.app.storage = Object.create(ours.app.storage, {
      read: {
        value: (...args: Parameters<typeof ours.app.storage.read>) => {
          read += 1;
          return ours.app.storage.read(...args);
        },
      },
    });
    const tooSmall = { images: { max: 1, types: ['image/png'], maxBytes: 10 } };
    const convert = () => goingTo(tooSmall, upload, { ...ours.app, storage });
    for (const _ of [1, 2]) await expect(convert()).rejects.toThrow('cannot be converted');
    await expect(Promise.all([convert(), convert()])).rejects.toThrow('cannot be converted');
    expect(read).toBe(1);
  });

  test('that several workers convert at the same time is stored once', async () => {
    const upload = await ours.aReadyFile(ada, await transparent(900, 600));
    const before = await ours.keptKeys();
    await using other = await anotherProcess(ours);
    const sent = await Promise.all(
      [ours.app, other.app, ours.app, other.app].map((app) => goingTo('instagram', upload, app)),
    );
    expect(new Set(sent.map(({ url }) => new URL(url).pathname)).size).toBe(1);
    expect(await rowsOf(upload)).toHaveLength(1);
    expect((await ours.keptKeys()).length).toBe(before.length + 1);
  });

  test('that is larger than TikTok accepts is scaled to 1080 pixels', async () => {
    const large = await ours.aReadyFile(ada, (await anImage({ width: 2160, height: 1000 })).bytes);
    const sent = await goingTo('tiktok', large);
    expect([sent.type, sent.width, sent.height]).toEqual(['image/jpeg', 1080, 500]);
    const small = await ours.aReadyFile(ada, (await anImage({ width: 1080, height: 500 })).bytes);
    expect(await goingTo('tiktok', small)).toMatchObject({ width: 1080 });
    expect(await rowsOf(small)).toEqual([]);
  });

  test('of several megabytes is made small enough for Bluesky', async () => {
    const large = await aTaggedImage({ width: 1800, height: 1300, noise: true, quality: 100 });
    expect(large.length).toBeGreaterThan(2_000_000);
    const upload = await ours.aReadyFile(ada, large, { contentType: 'image/jpeg' });
    const sent = await goingTo('bluesky', upload);
    expect(sent.bytes.length).toBeLessThanOrEqual(2_000_000);
    expect(await sharp(sent.bytes).metadata()).toMatchObject({ width: sent.width, height: sent.height });
  });

  test('of more than 4 MB is made small enough for Facebook, which says that it takes no larger ones', async () => {
    const large = await aTaggedImage({ width: 2600, height: 1900, noise: true, quality: 100 });
    expect(large.length).toBeGreaterThan(4_194_304);
    const upload = await ours.aReadyFile(ada, large, { contentType: 'image/jpeg' });
    expect((await goingTo('facebook', upload)).bytes.length).toBeLessThanOrEqual(4_000_000);
  });

  test('whose width and height together are too much for Telegram is made smaller, and keeps its shape', async () => {
    const create = { width: 9000, height: 3000, channels: 3 as const, background: 'white' };
    const upload = await ours.aReadyFile(ada, await sharp({ create }).jpeg().toBuffer());
    const sent = await goingTo('telegram', upload);
    expect([sent.width, sent.height]).toEqual([7500, 2500]);
    const fits = await ours.aReadyFile(
      ada,
      await sharp({ create: { ...create, height: 1000 } })
        .jpeg()
        .toBuffer(),
    );
    expect(await goingTo('telegram', fits)).toMatchObject({ width: 9000, height: 1000 });
  });

  test('is compressed to the size limit of the platform', async () => {
    const noise = { type: 'gaussian' as const, mean: 128, sigma: 60 };
    const bytes = await sharp({ create: { width: 900, height: 900, channels: 3, background: 'white', noise } })
      .png()
      .toBuffer();
    const upload = await ours.aReadyFile(ada, bytes);
    const maxBytes = 60_000;
    const images = { max: 1, types: ['image/png'], maxBytes, rendition: { types: ['image/jpeg'] } };
    const sent = await goingTo({ images }, upload);
    expect(sent.bytes.length).toBeLessThanOrEqual(maxBytes);
    expect(await sharp(sent.bytes).metadata()).toMatchObject({ width: sent.width, height: sent.height });
  });

  test('that cannot be decoded here is sent unchanged', async () => {
    const upload = await ours.aReadyFile(ada, fixture('small.heic'));
    const sent = await goingTo('facebook', upload);
    expect([sent.type, sent.bytes.equals(fixture('small.heic'))]).toEqual(['image/heic', true]);
  });

  test('is deleted with its renditions when its post is deleted', async () => {
    const upload = await ours.aReadyFile(ada, await transparent(30, 20));
    await goingTo('instagram', upload);
    const [{ storage_key }] = await rowsOf(upload);
    expect(await ours.keptKeys()).toEqual(expect.arrayContaining([upload.key, storage_key]));
    await ada.call('DELETE', `/delete-post/${upload.postGroupId}`);
    const kept = await ours.keptKeys();
    expect([kept.includes(upload.key), kept.includes(storage_key)]).toEqual([false, false]);
  });

  const replaced = {
    name: 'MediaGoneError',
    kind: 'rejected',
    message: expect.stringContaining('replaced or removed'),
  };

  test.each(['mastodon', 'instagram'])('replaced after it was checked does not go to %s', async (platform) => {
    const upload = await ours.aReadyFile(ada, await transparent(30, 20));
    await ours.replace(upload.key, await transparent(31, 20));
    await expect(goingTo(platform, upload)).rejects.toMatchObject(replaced);
    expect(await rowsOf(upload)).toEqual([]);
  });

  test.each(['mastodon', 'instagram'])('that vanished from storage does not go to %s', async (platform) => {
    const upload = await ours.aReadyFile(ada, await transparent(30, 20));
    await ours.app.storage.remove([upload.key]);
    await expect(goingTo(platform, upload)).rejects.toMatchObject(replaced);
  });
});
