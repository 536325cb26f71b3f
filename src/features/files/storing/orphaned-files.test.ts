import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anImage } from '../../../../test/support/files/media.ts';
import { type MediaWeb, mediaWeb } from '../../../../test/support/servers/media-web.ts';
import {
  anotherProcess,
  drivers,
  type MediaService,
  mediaService,
} from '../../../../test/support/service/media-service.ts';
import type { TestUser } from '../../../../test/support/service/service.ts';
import { StorageError } from '../../../foundation/storage/storage.ts';
import { ingestUrls } from '../files.ts';
import { collectOrphanedMedia } from '../tasks.ts';

let web: MediaWeb;
beforeAll(async () => {
  web = await mediaWeb();
});
afterAll(() => web[Symbol.asyncDispose]());

describe.each(drivers)('on %s', (driver) => {
  let ours: MediaService;
  let ada: TestUser;
  let png: Buffer;
  beforeAll(async () => {
    ours = await mediaService(driver, { environment: { EGRESS_ALLOW: web.place } });
    ada = await ours.aUser();
    png = (await anImage({ type: 'png' })).bytes;
  });
  afterAll(() => ours.close());

  /** Sends half of the announced bytes and closes the connection. */
  async function hangUp(uploadUrl: string) {
    const headers = { 'content-type': 'image/png', 'content-length': String(2 * png.length) };
    const request = httpRequest(ours.reach(uploadUrl), { method: 'PUT', headers, agent: false });
    request.on('error', () => {});
    await new Promise<void>((resolve) => request.write(png, () => resolve()));
    // Time for the server to read it: the sender cannot observe that.
    await new Promise((resolve) => setTimeout(resolve, 100));
    request.destroy();
  }

  test('an interrupted upload leaves nothing behind and can be repeated', async () => {
    const before = await ours.keptKeys();
    const { mediaId, uploadUrl, fileUrl } = await ours.anAddress(ada, await ours.aDraft(ada));
    await hangUp(uploadUrl);
    await expect.poll(() => ours.keptKeys()).toEqual(before);
    expect((await fetch(ours.reach(fileUrl))).status).toBe(404);
    expect((await ours.complete(ada, mediaId)).body.code).toBe('MEDIA_UPLOAD_PENDING');
    await ours.put(uploadUrl, png);
    expect((await ours.complete(ada, mediaId)).status).toBe(200);
  });

  test('an interrupted upload does not change the existing file', async () => {
    const { mediaId, uploadUrl, fileUrl } = await ours.aReadyFile(ada, png);
    const before = await ours.keptKeys();
    await hangUp(uploadUrl);
    await expect.poll(() => ours.keptKeys()).toEqual(before);
    const got = await fetch(ours.reach(fileUrl));
    expect(Buffer.from(await got.arrayBuffer()).equals(png)).toBe(true);
    expect((await ours.complete(ada, mediaId)).status).toBe(200);
  });

  test('when the storage is full, no post is created and no file is left', async () => {
    const before = await ours.keptKeys();
    const { write } = ours.app.storage;
    let written = 0;
    await using other = await anotherProcess(ours, {
      async write(key, source, options) {
        written += 1;
        if (written < 3) return write(key, source, options);
        for await (const _ of source) break;
        throw new StorageError('full', 'No room.');
      },
    });
    const platforms = [await ada.aConnection()];
    const mediaUrls = ['1', '2', '3', '4'].map((name) => `${web.url}/picture/${name}`);
    const answer = await other.call(ada, 'POST', '/create-post', { content: 'No room', platforms, mediaUrls });
    expect(answer).toMatchObject({ status: 507, body: { code: 'NO_ROOM' } });
    ours.clock.advance({ seconds: 3601 });
    expect(await ours.keptKeys()).toEqual(before);
    const { posts } = (await ada.call('GET', '/list-posts')).body;
    expect(posts.filter(({ content }: { content: string }) => content === 'No room')).toEqual([]);
  });

  test('files that a process fetched before it was killed are removed within an hour', async () => {
    const before = await ours.keptKeys();
    const { files } = await ingestUrls(ours.app, { userId: ada.id, ownerId: ada.id }, [
      { url: `${web.url}/picture/1` },
    ]);
    expect(await ours.keptKeys()).toEqual([...before, files[0]!.key].sort());
    ours.clock.advance({ seconds: 3601 });
    expect(await ours.keptKeys()).toEqual(before);
  });

  test('uploads that were not completed are verified nightly; missing ones fail the next night', async () => {
    const came = await ours.anUpload(ada, png);
    await ours.anAddress(ada, came.postGroupId);
    const broken = await ours.anUpload(ada, png);
    await ours.database.pool.query('update media set storage_key = null where id = $1', [broken.mediaId]);
    const statuses = async () => (await ours.media(ada, came.postGroupId)).map(({ status }) => status);

    await collectOrphanedMedia(ours.app);
    expect(await statuses()).toEqual(['uploading', 'uploading']);
    ours.clock.advance({ seconds: 25 * 3600 });
    await collectOrphanedMedia(ours.app);
    expect(await statuses()).toEqual(['ready', 'uploading']);
    ours.clock.advance({ seconds: 24 * 3600 });
    await collectOrphanedMedia(ours.app);
    expect(await statuses()).toEqual(['ready', 'failed']);
  });

  test.each([
    ['youtube_thumbnail', (id: string) => ({ youtube: { thumbnail: { mediaId: id } } })],
    ['instagram_cover', (_: string, url: string) => ({ instagram: { coverUrl: url } })],
  ])('a %s is removed the next night unless its post uses it', async (purpose, settings) => {
    const [used, unused, replaced] = await Promise.all([1, 2, 3].map(() => ours.aReadyFile(ada, png)));
    const { pool } = ours.database;
    for (const { mediaId } of [used!, unused!, replaced!]) {
      await pool.query('update media set purpose = $2 where id = $1', [mediaId, purpose]);
    }
    for (const [{ postGroupId }, { mediaId, fileUrl }] of [
      [used!, used!],
      [replaced!, used!],
    ] as const) {
      const named = settings(mediaId, fileUrl);
      await pool.query('update post_groups set platform_settings = $2 where id = $1', [postGroupId, named]);
    }
    ours.clock.advance({ seconds: 25 * 3600 });
    await collectOrphanedMedia(ours.app);
    const kept = await ours.keptKeys();
    expect([used, unused, replaced].map((upload) => kept.includes(upload!.key))).toEqual([true, false, false]);
  });
});
