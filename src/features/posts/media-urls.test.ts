import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storedPost } from '../../../test/support/database/stored-post.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { type MediaWeb, mediaWeb } from '../../../test/support/servers/media-web.ts';
import { drivers, type MediaService, mediaService } from '../../../test/support/service/media-service.ts';
import type { Answer, TestUser } from '../../../test/support/service/service.ts';

const failed = 'Media ingestion failed';
let web: MediaWeb;
beforeAll(async () => {
  web = await mediaWeb();
});
afterAll(() => web[Symbol.asyncDispose]());

describe.each(drivers)('on %s, mediaUrls', (driver) => {
  let ours: MediaService;
  let ada: TestUser;
  let platform: string;
  beforeAll(async () => {
    ours = await mediaService(driver, { environment: { EGRESS_ALLOW: web.place } });
    await renew();
  });
  afterAll(() => ours.close());

  /** Creates a user who has not fetched any URL yet. */
  async function renew() {
    ada = await ours.aUser();
    platform = await ada.aConnection();
  }
  const at = (...paths: string[]) => paths.map((path) => `${web.url}${path}`);
  const create = (mediaUrls: unknown, more: object = {}, headers = {}): Promise<Answer> =>
    ada.call('POST', '/create-post', { content: 'Look', platforms: [platform], mediaUrls, ...more }, headers);
  const update = (id: string, body: object, headers = {}) => ada.call('PUT', `/update-post/${id}`, body, headers);
  const read = async (id: string) => (await ada.call('GET', `/get-post/${id}`)).body;
  const inAnHour = () => new Date(ours.clock.now().getTime() + 3_600_000).toISOString();
  const codes = ({ body }: Answer) => body.mediaResults?.map(({ code }: { code: string }) => code);

  test('are fetched, inspected and attached in order', async () => {
    const [first, second] = at('/picture/my%20photo.png?size=1', '/video/clip') as [string, string];
    const { status, body } = await create([first, ` ${second} `]);
    expect(status).toBe(200);
    const { media } = await read(body.postGroupId);
    expect(body.media).toEqual([
      { url: first, ok: true, mediaId: media[0].mediaId },
      { url: second, ok: true, mediaId: media[1].mediaId },
    ]);
    expect(media).toMatchObject([
      { sourceFileName: 'my_photo.png', type: 'image', mimeType: 'image/png', status: 'ready', failureReason: null },
      { sourceFileName: 'clip.mp4', type: 'video', mimeType: 'video/mp4', status: 'ready' },
    ]);
    const got = await fetch(ours.reach(media[0].url));
    expect(Buffer.from(await got.arrayBuffer()).equals(web.image)).toBe(true);
    expect(await ours.keptKeys()).toEqual(expect.arrayContaining([media[0].fileName, media[1].fileName]));
  });

  test('[create-post.content] do not replace the text: only a draft may have files alone', async () => {
    // On a busy machine, files of the previous test may still be under inspection.
    const { postGroupId } = await eventually(async () => {
      const { body } = await create(at('/picture/1'));
      expect(body.media).toMatchObject([{ ok: true }]);
      return body;
    });
    const schedule = { status: 'scheduled', scheduledTime: inAnHour() };
    expect((await update(postGroupId, { content: ' ' })).status).toBe(200);
    expect(await update(postGroupId, schedule)).toMatchObject({
      status: 400,
      body: { error: 'Validation failed', validation: { errors: [{ code: 'CONTENT_TOO_SHORT', field: 'content' }] } },
    });
    expect((await update(postGroupId, { ...schedule, content: 'Look' })).status).toBe(200);
    expect(await update(postGroupId, { content: '' })).toMatchObject({
      status: 400,
      body: { error: 'Validation failed' },
    });
  });

  test('are all stored or none', async () => {
    const before = await ours.keptKeys();
    const answered = await create(
      at('/picture/1', '/picture/2', '/status/404', '/picture/3', '/picture/4', '/picture/5'),
    );
    expect(answered).toMatchObject({ status: 400, body: { error: failed } });
    const results: { url: string; ok: boolean; code: string; error: string }[] = answered.body.mediaResults;
    expect(results.map(({ url }) => url.replace(web.url, ''))).toEqual([
      '/picture/1',
      '/picture/2',
      '/status/404',
      '/picture/3',
      '/picture/4',
      '/picture/5',
    ]);
    expect(results[2]).toEqual({
      url: `${web.url}/status/404`,
      ok: false,
      code: 'MEDIA_URL_HTTP_ERROR',
      error: `Fetching ${web.url}/status/404 returned HTTP 404`,
    });
    const others = results.filter((_, index) => index !== 2);
    for (const { ok, code } of others) {
      expect([ok, code]).toEqual([false, expect.stringMatching(/^MEDIA_URL_(SKIPPED|ROLLED_BACK)$/)]);
    }
    expect(results[5]?.code).toBe('MEDIA_URL_SKIPPED');
    expect(await ours.keptKeys()).toEqual(before);
    const rows = await ours.database.pool.query('select 1 from media where user_id = $1 and post_group_id is null', [
      ada.id,
    ]);
    expect(rows.rows).toEqual([]);
  });

  test('that were fetched before another one failed are removed', async () => {
    const before = await ours.keptKeys();
    const slow = at('/picture/1', '/picture/2', '/picture/3', '/picture/4', '/picture/5', '/status/500');
    const result = await create(slow);
    expect(codes(result).slice(0, 2)).toEqual(['MEDIA_URL_ROLLED_BACK', 'MEDIA_URL_ROLLED_BACK']);
    expect(codes(result).at(-1)).toBe('MEDIA_URL_HTTP_ERROR');
    expect(await ours.keptKeys()).toEqual(before);
  });

  test('of an invalid post are removed, and no post is stored', async () => {
    const before = await ours.keptKeys();
    const five = at('/picture/1', '/picture/2', '/picture/3', '/picture/4', '/picture/5');
    const answered = await create(five, { scheduledTime: inAnHour() });
    expect(answered.body.validation.errors).toMatchObject([{ code: 'MEDIA_COUNT_EXCEEDED' }]);
    expect(await ours.keptKeys()).toEqual(before);
    // Drafts are not validated.
    expect((await create(five)).status).toBe(200);
  });

  test('are appended by update-post, which keeps a scheduled post scheduled', async () => {
    const { body } = await create(at('/picture/1'), { scheduledTime: inAnHour() });
    const answered = await update(body.postGroupId, { mediaUrls: at('/picture/2', '/picture/3') });
    expect(answered).toMatchObject({ status: 200, body: { postGroup: { status: 'scheduled' } } });
    const post = await read(body.postGroupId);
    expect(post.status).toBe('scheduled');
    expect(post.media.map(({ sourceFileName }: { sourceFileName: string }) => sourceFileName)).toEqual([
      '1.png',
      '2.png',
      '3.png',
    ]);
    expect(await ours.demotions(body.postGroupId)).toEqual([]);
  });

  test('that would make a scheduled post invalid change nothing', async () => {
    await renew();
    const { body } = await create(at('/picture/1', '/picture/2', '/picture/3'), { scheduledTime: inAnHour() });
    const [before, kept] = [await storedPost(ours, body.postGroupId), await ours.keptKeys()];
    for (const mediaUrls of [at('/picture/4', '/picture/5'), at('/picture/4', '/status/500')]) {
      expect((await update(body.postGroupId, { mediaUrls })).status).toBe(400);
      expect(await storedPost(ours, body.postGroupId)).toEqual(before);
      expect(await ours.keptKeys()).toEqual(kept);
    }
  });

  test('are fetched once for an Idempotency-Key, and again after a failure', async () => {
    const key = { 'idempotency-key': `once ${driver}` };
    const urls = at(`/picture/once-${driver}`);
    const first = await create(urls, {}, key);
    expect((await create(urls, {}, key)).body).toEqual(first.body);
    expect(web.asked.filter((url) => url === `/picture/once-${driver}`)).toHaveLength(1);
    expect((await create(at('/picture/other'), {}, key)).status).toBe(422);

    const second = { 'idempotency-key': `again ${driver}` };
    expect((await create(at('/status/500'), {}, second)).status).toBe(400);
    expect((await create(at('/picture/1'), {}, second)).status).toBe(200);

    const { postGroupId } = first.body;
    const third = { 'idempotency-key': `update ${driver}` };
    const mediaUrls = at('/picture/more');
    const updated = await update(postGroupId, { mediaUrls }, third);
    expect((await update(postGroupId, { mediaUrls }, third)).body).toEqual(updated.body);
    expect((await read(postGroupId)).media).toHaveLength(2);
  });

  test('are deleted with their post', async () => {
    const { body } = await create(at('/picture/1'));
    const [{ fileName }] = (await read(body.postGroupId)).media;
    expect(await ours.keptKeys()).toContain(fileName);
    await ada.call('DELETE', `/delete-post/${body.postGroupId}`);
    expect(await ours.keptKeys()).not.toContain(fileName);
  });

  test('of a post to the playground are fetched and removed', async () => {
    const before = await ours.keptKeys();
    const playground = { platforms: ['service-playground'] };
    const good = await create(at('/picture/1'), playground);
    expect(good).toMatchObject({ status: 200, body: { media: [{ ok: true, url: at('/picture/1')[0] }] } });
    expect(codes(await create(at('/text'), playground))).toEqual(['MEDIA_URL_UNSUPPORTED_FORMAT']);
    expect(await ours.keptKeys()).toEqual(before);
  });
});
