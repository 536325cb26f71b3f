import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anImage, aVideo } from '../../../../test/support/files/media.ts';
import { publishDue } from '../../../../test/support/publishing/publish-due.ts';
import { drivers, type MediaService, mediaService } from '../../../../test/support/service/media-service.ts';
import type { TestUser } from '../../../../test/support/service/service.ts';
import { collectOrphanedMedia } from '../../files/tasks.ts';
import { attachFromLibrary } from './attach-from-library.ts';

describe.each(drivers)('the library on %s', (driver) => {
  let ours: MediaService;
  let ada: TestUser;
  let eve: TestUser;
  let image: Buffer;
  beforeAll(async () => {
    ours = await mediaService(driver);
    [ada, eve] = [await ours.aUser(), await ours.aUser()];
    image = (await anImage({ type: 'jpeg' })).bytes;
  });
  afterAll(() => ours.close());

  const begin = (file: object = {}, by = ada) =>
    by.call('POST', '/media', { fileName: 'logo.jpg', contentType: 'image/jpeg', ...file });
  const attach = (postGroupId: string, mediaIds: unknown, by = ada) =>
    by.call('POST', `/post/${postGroupId}/media`, { mediaIds });
  const change = (mediaId: string, body: object, by = ada) => by.call('PATCH', `/media/${mediaId}`, body);
  const remove = (mediaId: string, by = ada) => by.call('DELETE', `/media/${mediaId}`);
  const list = async (query = '', by = ada) => (await by.call('GET', `/media?limit=100&${query}`)).body.media;
  const find = async (id: string) => (await list()).find((file: { _id: string }) => file._id === id);
  const mediaOf = (postGroupId: string) => ours.media(ada, postGroupId);
  const usedBytes = async (by = ada) => (await by.call('GET', '/account-context')).body.context.quotas.storage.used;
  const statusOf = async (url: string) => (await fetch(ours.reach(url))).status;
  const collect = async () => {
    await collectOrphanedMedia(ours.app);
    return ours.keptKeys();
  };

  async function aFile(file: object = {}, bytes: Uint8Array = image) {
    const { status, body } = await begin(file);
    expect(status).toBe(200);
    const type = (file as { contentType?: string }).contentType ?? 'image/jpeg';
    expect((await ours.put(body.uploadUrl, bytes, type)).status).toBe(200);
    expect((await ours.complete(ada, body.mediaId)).status).toBe(200);
    return { mediaId: body.mediaId as string, fileUrl: body.fileUrl as string };
  }

  test('many files are attached with few statements, however often the same one', async () => {
    const { app } = ours;
    const platform = await ada.aConnection();
    const aPost = async () => (await ada.call('POST', '/create-post', { content: 'x', platforms: [platform] })).body;
    const mine = { userId: ada.id, ownerId: ada.id, credential: null };
    const statementsFor = async (mediaIds: string[]) => {
      let statements = 0;
      const db = app.db.withPlugin({
        transformQuery: ({ node }) => {
          statements += 1;
          return node;
        },
        transformResult: async ({ result }) => result,
      });
      const { postGroupId } = await aPost();
      const { mediaIds: copies } = await attachFromLibrary({ ...app, db }, mine as never, postGroupId, mediaIds);
      expect(await mediaOf(postGroupId)).toHaveLength(mediaIds.length);
      expect(new Set(copies).size).toBe(mediaIds.length);
      return statements;
    };
    const [{ mediaId: one }, { mediaId: other }] = [await aFile(), await aFile()];
    const few = await statementsFor([one]);
    expect(await statementsFor(Array.from({ length: 100 }, (_, at) => (at % 2 ? one : other)))).toBe(few);

    const { postGroupId } = await aPost();
    const tooMany = await attach(postGroupId, Array(100).fill(one));
    expect(tooMany.status).toBe(200);
    expect(await attach(postGroupId, [one])).toMatchObject({ status: 400, body: { code: 'TOO_MANY_MEDIA_FILES' } });
  });

  test('[media-library.list] a search reads the first 300 characters of an alt text, and counts what it finds', async () => {
    const altText = `${'x'.repeat(290)}Nearby${'x'.repeat(300)}Faraway`;
    const { mediaId } = (await begin({ altText })).body;
    await begin({ altText: 'nearby' });
    const search = async (query: string) => (await ada.call('GET', `/media?${query}`)).body;
    const near = await search('q=NEARBY&limit=1&page=2');
    expect(near.pagination.totalItems).toBe(2);
    expect(near.media.map((file: { _id: string }) => file._id)).toEqual([mediaId]);
    expect((await search('q=faraway')).pagination.totalItems).toBe(0);
  });

  describe('uploading', () => {
    test('[media-library.upload] stores a file without a post, which counts towards the quota', async () => {
      const before = await usedBytes();
      const { mediaId, fileUrl } = await aFile({ altText: 'The logo', labels: ['brand', ' brand '] });
      expect(await usedBytes()).toBe(before + image.length);
      expect(await statusOf(fileUrl)).toBe(200);
      expect(await find(mediaId)).toMatchObject({
        fileName: 'logo.jpg',
        altText: 'The logo',
        labels: ['brand'],
        status: 'ready',
        inLibrary: true,
        postCount: 0,
        posts: [],
      });
    });

    test('[media-library.upload] inspects the bytes like those of a post', async () => {
      const { body } = await begin();
      await ours.put(body.uploadUrl, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/jpeg');
      expect(await ours.complete(ada, body.mediaId)).toMatchObject({
        status: 400,
        body: { code: 'MEDIA_FILE_INDETERMINATE_TYPE' },
      });
      expect(await find(body.mediaId)).toMatchObject({ status: 'failed' });
      expect(await remove(body.mediaId)).toMatchObject({ status: 200 });
    });

    test.for<[body: object, error: string]>([
      [{ fileName: '' }, 'fileName and contentType are required'],
      [{ contentType: 'text/html' }, 'Only video, image, and PDF files are allowed'],
      [{ labels: Array.from({ length: 11 }, (_, n) => `label ${n}`) }, 'A file can have at most 10 labels'],
    ])('rejects %j', async ([body, error]) => {
      expect(await begin(body)).toMatchObject({ status: 400, body: { error } });
    });

    test('an upload that never arrives leaves the library after a day', async () => {
      const { mediaId } = (await begin()).body;
      ours.advance(25 * 3600);
      await collect();
      ours.advance(25 * 3600);
      await collect();
      expect(await find(mediaId)).toBeUndefined();
    });
  });

  describe('attaching', () => {
    test('[media-library.attach] lets posts share one stored file, with separate alt texts', async () => {
      const { mediaId, fileUrl } = await aFile({ altText: 'The logo' });
      const [first, second] = [await ours.aDraft(ada), await ours.aDraft(ada)];
      const [keys, bytes] = [await ours.keptKeys(), await usedBytes()];
      const [{ body: a }, { body: b }] = [await attach(first, [mediaId]), await attach(second, [mediaId, mediaId])];
      expect([a.mediaIds.length, b.mediaIds.length]).toEqual([1, 2]);
      expect(await ours.keptKeys()).toEqual(keys);
      expect(await usedBytes()).toBe(bytes);
      await change(a.mediaIds[0], { altText: 'For the first post' });
      expect(await mediaOf(first)).toMatchObject([{ url: fileUrl, status: 'ready', altText: 'For the first post' }]);
      expect(await mediaOf(second)).toMatchObject([{ altText: 'The logo' }, { altText: 'The logo' }]);
      const file = await find(mediaId);
      expect(file).toMatchObject({
        altText: 'The logo',
        postCount: 2,
        posts: [{ postGroupId: second }, { postGroupId: first }],
      });
      expect((await list()).filter(({ url }: { url: string }) => url === fileUrl)).toHaveLength(1);
    });

    test('[media-library.attach] deleting the file from one post leaves it in the others', async () => {
      const { mediaId, fileUrl } = await aFile();
      const [first, second] = [await ours.aDraft(ada), await ours.aDraft(ada)];
      const { mediaIds } = (await attach(first, [mediaId])).body;
      await attach(second, [mediaId]);
      expect(await remove(mediaIds[0])).toEqual(expect.objectContaining({ status: 200, body: { success: true } }));
      await collect();
      expect([await mediaOf(first), (await mediaOf(second)).length]).toEqual([[], 1]);
      expect(await statusOf(fileUrl)).toBe(200);
      await ada.call('DELETE', `/delete-post/${second}`);
      await collect();
      expect(await statusOf(fileUrl)).toBe(200);
      expect(await find(mediaId)).toMatchObject({ postCount: 0 });
    });

    test('[media-library.attach] a file of another post moves to the library and outlives that post', async () => {
      const { mediaId, postGroupId, fileUrl } = await ours.aReadyFile(ada, image, { contentType: 'image/jpeg' });
      const next = await ours.aDraft(ada);
      const before = await usedBytes();
      const { body } = await attach(next, [mediaId]);
      expect(await usedBytes()).toBe(before);
      expect(await mediaOf(postGroupId)).toMatchObject([{ mediaId, url: fileUrl }]);
      await ada.call('DELETE', `/delete-post/${postGroupId}`);
      await collect();
      expect(await mediaOf(next)).toMatchObject([{ mediaId: body.mediaIds[0], url: fileUrl }]);
      expect(await statusOf(fileUrl)).toBe(200);
      expect((await list()).filter(({ url }: { url: string }) => url === fileUrl)).toMatchObject([
        { inLibrary: true, postCount: 1 },
      ]);
      expect(await attach(await ours.aDraft(ada), body.mediaIds)).toMatchObject({ status: 200 });
    });

    test('[media-library.attach] a scheduled post becomes a draft, and publishes the file', async () => {
      const { mediaId } = await aFile();
      const postGroupId = await ours.aDraft(ada);
      const scheduledTime = new Date(ours.clock.now().getTime() + 3_600_000).toISOString();
      await ada.call('PUT', `/update-post/${postGroupId}`, { status: 'scheduled', scheduledTime });
      expect((await attach(postGroupId, [mediaId])).body).toMatchObject({ success: true, postGroupDemoted: true });
      expect(await ada.call('PUT', `/update-post/${postGroupId}`, { publishNow: true })).toMatchObject({ status: 200 });
      await publishDue(ours.app);
      expect((await ada.call('GET', `/get-post/${postGroupId}`)).body).toMatchObject({
        status: 'published',
        media: [{ status: 'ready' }],
      });
    });

    test('needs an uploaded file of the user, a list, and a post that can be edited', async () => {
      const { mediaId } = await aFile();
      const postGroupId = await ours.aDraft(ada);
      const waiting = (await begin()).body.mediaId;
      expect(await attach(postGroupId, [waiting])).toMatchObject({ status: 400, body: { code: 'MEDIA_NOT_READY' } });
      expect(await attach(postGroupId, [])).toMatchObject({ status: 400 });
      expect(await attach(postGroupId, ['x'])).toMatchObject({ status: 400, body: { error: 'Invalid mediaId' } });
      expect(await attach(postGroupId, ['a'.repeat(24)])).toMatchObject({ status: 404 });
      expect(await attach(await ours.aDraft(eve), [mediaId], eve)).toMatchObject({ status: 404 });
      expect(await attach(postGroupId, [mediaId], eve)).toMatchObject({ status: 404 });
      expect(await attach(postGroupId, Array(101).fill(mediaId))).toMatchObject({ status: 400 });
      await remove(waiting);
    });
  });

  describe('deleting', () => {
    test('[media-library.delete] removes a file that no post uses from the storage', async () => {
      const keys = await ours.keptKeys();
      const { mediaId, fileUrl } = await aFile();
      expect(await remove(mediaId, eve)).toMatchObject({ status: 404 });
      expect(await remove(mediaId)).toMatchObject({ status: 200, body: { success: true } });
      expect(await statusOf(fileUrl)).toBe(404);
      expect(await ours.keptKeys()).toEqual(keys);
      expect(await remove(mediaId)).toMatchObject({ status: 404 });
    });

    test('[media-library.delete] posts keep the file, which is removed from the storage after the last of them', async () => {
      const { mediaId, fileUrl } = await aFile();
      const postGroupId = await ours.aDraft(ada);
      await attach(postGroupId, [mediaId]);
      const before = await usedBytes();
      expect(await remove(mediaId)).toMatchObject({ status: 200 });
      expect(await find(mediaId)).toBeUndefined();
      expect(await attach(await ours.aDraft(ada), [mediaId])).toMatchObject({ status: 404 });
      expect(await change(mediaId, { fileName: 'x' })).toMatchObject({ status: 404 });
      await collect();
      expect([await statusOf(fileUrl), await usedBytes()]).toEqual([200, before]);
      expect(await ada.call('PUT', `/update-post/${postGroupId}`, { publishNow: true })).toMatchObject({ status: 200 });
      await publishDue(ours.app);
      await ada.call('DELETE', `/delete-post/${postGroupId}`);
      await collect();
      expect([await statusOf(fileUrl), await usedBytes()]).toEqual([404, before - image.length]);
    });
  });

  describe('finding', () => {
    test('[media-library.list] searches file names, alt texts and labels, and filters by label', async () => {
      const menu = await aFile({ fileName: 'Menu 2026.jpg', altText: 'Soup of the day', labels: ['Spring'] });
      const clip = await aFile({ fileName: 'clip.mp4', contentType: 'video/mp4' }, aVideo().bytes);
      const idsIn = async (query: string) => (await list(query)).map((file: { _id: string }) => file._id);
      expect(await idsIn('q=menu_20')).toEqual([menu.mediaId]);
      expect(await idsIn('q=SOUP')).toEqual([menu.mediaId]);
      expect(await idsIn('q=spring')).toEqual([menu.mediaId]);
      expect(await idsIn('q=%25')).toEqual([]);
      expect(await idsIn('label=Spring')).toEqual([menu.mediaId]);
      expect(await idsIn('label=spring')).toEqual([]);
      expect(await idsIn('q=clip&type=video')).toEqual([clip.mediaId]);
      expect((await ada.call('GET', '/media?q=menu')).body.pagination).toMatchObject({ totalItems: 1 });
      expect(await ada.call('GET', `/media?q=${'x'.repeat(201)}`)).toMatchObject({ status: 400 });
    });

    test('[validation] checks a text with files of the library, before a post has them', async () => {
      const { mediaId } = await aFile();
      const platforms = [await ada.aConnection('instagram')];
      const check = async (query: string, by = ada) =>
        (await by.call('POST', `/validate-post?${query}`, { content: 'Bread', platforms })).body;
      const codesOf = async (query: string) =>
        (await check(query)).validation.errors.map(({ code }: { code: string }) => code);
      expect(await codesOf('')).toEqual(['MEDIA_REQUIRED']);
      expect(await codesOf(`mediaIds=${mediaId}`)).toEqual([]);
      const { postGroupId } = await ours.aReadyFile(ada, image, { contentType: 'image/jpeg' });
      expect(await codesOf(`postGroupId=${postGroupId}`)).toEqual([]);
      expect(await codesOf(`postGroupId=${postGroupId}&mediaIds=`)).toEqual(['MEDIA_REQUIRED']);
      expect(await check('mediaIds=x')).toMatchObject({ error: expect.stringContaining('mediaIds') });
      // Files of others don't exist.
      const own = { content: 'Bread', platforms: [await eve.aConnection('instagram')] };
      const theirs = await eve.call('POST', `/validate-post?mediaIds=${mediaId}`, own);
      expect(theirs.body.validation.valid).toBe(false);
    });

    test('[media-library.change] changes name, labels and alt text', async () => {
      const { mediaId } = await aFile({ labels: ['old'] });
      const answer = await change(mediaId, { fileName: 'new name.jpg', labels: ['new'], altText: 'A logo' });
      expect(answer).toMatchObject({
        status: 200,
        body: { media: { sourceFileName: 'new_name.jpg', altText: 'A logo' } },
      });
      expect(await find(mediaId)).toMatchObject({ fileName: 'new_name.jpg', labels: ['new'], altText: 'A logo' });
      expect(await change(mediaId, { labels: [] })).toMatchObject({ status: 200 });
      expect(await find(mediaId)).toMatchObject({ labels: [], altText: 'A logo' });
      expect(await change(mediaId, {})).toMatchObject({ status: 400 });
      expect(await change(mediaId, { fileName: ' ' })).toMatchObject({ status: 400 });
      expect(await change(mediaId, { labels: ['x'] }, eve)).toMatchObject({ status: 404 });
    });

    test('[media-library.change] a published post allows new labels for its file, and no new alt text', async () => {
      const { mediaId, postGroupId } = await ours.aReadyFile(ada, image, { contentType: 'image/jpeg' });
      await ada.call('PUT', `/update-post/${postGroupId}`, { publishNow: true });
      await publishDue(ours.app);
      expect(await change(mediaId, { labels: ['kept'] })).toMatchObject({ status: 200 });
      expect(await change(mediaId, { altText: 'x' })).toMatchObject({
        status: 400,
        body: { code: 'POST_NOT_EDITABLE' },
      });
      expect(await remove(mediaId)).toMatchObject({ status: 400, body: { code: 'POST_NOT_EDITABLE' } });
    });
  });
});
