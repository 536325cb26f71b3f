import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anImage } from '../../../test/support/files/media.ts';
import { publishDue } from '../../../test/support/publishing/publish-due.ts';
import { drivers, type MediaService, mediaService, signedIn } from '../../../test/support/service/media-service.ts';
import type { TestUser } from '../../../test/support/service/service.ts';

const demoted = {
  postGroupDemoted: true,
  message: 'Post was returned to draft because its media changed. Schedule it again with update-post.',
};
const started = {
  status: 409,
  body: {
    error: 'Publishing has already started; media cannot be changed. Duplicate the post to recover its content.',
    code: 'POST_PUBLISH_IN_PROGRESS',
  },
};
const unknown = 'a'.repeat(24);

describe.each(drivers)('on %s', (driver) => {
  let ours: MediaService;
  let ada: TestUser;
  let eve: TestUser;
  let image: Buffer;
  let session: Record<string, string>;
  beforeAll(async () => {
    ours = await mediaService(driver);
    [ada, eve] = [await ours.aUser(), await ours.aUser()];
    image = (await anImage({ type: 'png' })).bytes;
    session = await signedIn(ours, ada);
  });
  afterAll(() => ours.close());

  const remove = (mediaId: string, by = ada) => by.call('DELETE', `/media/${mediaId}`);
  const prune = (postGroupId: string, mediaId: string, by = ada) =>
    by.call('DELETE', `/post/${postGroupId}/media/${mediaId}`);
  const reorder = (postGroupId: string, mediaIds: unknown, headers = session) =>
    ada.call('PUT', `/post/${postGroupId}/media-order`, { mediaIds }, headers);
  const read = async (postGroupId: string) => (await ada.call('GET', `/get-post/${postGroupId}`)).body;
  const query = (text: string, ...values: unknown[]) => ours.database.pool.query(text, values);

  async function schedule(postGroupId: string) {
    const scheduledTime = new Date(ours.clock.now().getTime() + 3_600_000).toISOString();
    const answer = await ada.call('PUT', `/update-post/${postGroupId}`, { status: 'scheduled', scheduledTime });
    expect(answer).toMatchObject({ status: 200 });
  }

  async function aPostWith(files: number) {
    const postGroupId = await ours.aDraft(ada);
    const uploads = [];
    for (let n = 0; n < files; n += 1) uploads.push(await ours.aReadyFile(ada, image, { postGroupId }));
    return { postGroupId, uploads, mediaIds: uploads.map(({ mediaId }) => mediaId) };
  }

  /** A post that refers to a file without a record. */
  async function aStaleReference() {
    const { postGroupId, mediaIds } = await aPostWith(2);
    await query('delete from media where id = $1', mediaIds[0]);
    return { postGroupId, stale: mediaIds[0]!, left: mediaIds[1]! };
  }

  async function aPublishedPost() {
    const { postGroupId, mediaIds } = await aPostWith(1);
    expect(await ada.call('PUT', `/update-post/${postGroupId}`, { publishNow: true })).toMatchObject({ status: 200 });
    await publishDue(ours.app);
    expect((await read(postGroupId)).status).toBe('published');
    return { postGroupId, mediaId: mediaIds[0]! };
  }

  describe('deleting a file', () => {
    test('removes it from the post, the database and the storage', async () => {
      const { postGroupId, uploads, mediaIds } = await aPostWith(2);
      expect(await remove(mediaIds[0]!)).toMatchObject({ status: 200, body: { success: true } });
      expect((await remove(mediaIds[1]!)).body).toEqual({ success: true });
      expect((await read(postGroupId)).media).toEqual([]);
      const kept = await ours.keptKeys();
      for (const { key } of uploads) expect(kept).not.toContain(key);
      expect((await fetch(ours.reach(uploads[0]!.fileUrl))).status).toBe(404);
      expect(await ours.demotions(postGroupId)).toEqual([]);
    });

    test('returns a scheduled post to draft, and the answer says so', async () => {
      const { postGroupId, mediaIds } = await aPostWith(2);
      await schedule(postGroupId);
      expect((await remove(mediaIds[0]!)).body).toEqual({ success: true, ...demoted });
      expect(await read(postGroupId)).toMatchObject({ status: 'draft', media: [{ mediaId: mediaIds[1] }] });
      expect(await ours.demotions(postGroupId)).toEqual([
        { postGroupId, reason: 'media_changed', changeType: 'detach', mediaFileId: mediaIds[0] },
      ]);
    });

    test('that the post does not list is reported as an orphan, and the post stays scheduled', async () => {
      const { postGroupId, mediaIds } = await aPostWith(2);
      await schedule(postGroupId);
      await query('update post_groups set media_ids = array[$2] where id = $1', postGroupId, mediaIds[1]);
      expect((await remove(mediaIds[0]!)).body).toEqual({ success: true, mediaWasOrphan: true });
      expect((await read(postGroupId)).status).toBe('scheduled');
    });

    test.each([
      ['youtube_thumbnail', 'thumbnailCleared'],
      ['instagram_cover', 'coverCleared'],
    ])('that is the %s of a post clears that setting', async (purpose, key) => {
      const { postGroupId, uploads } = await aPostWith(2);
      const [picked, other] = uploads as [(typeof uploads)[0], (typeof uploads)[0]];
      const settings = {
        youtube: { privacy: 'private', thumbnail: { mediaId: picked.mediaId, url: picked.fileUrl } },
        instagram: { videoType: 'REELS', coverUrl: picked.fileUrl },
      };
      await query(`update media set purpose = $2 where id = $1`, picked.mediaId, purpose);
      await query('update post_groups set media_ids = array[$2] where id = $1', postGroupId, other.mediaId);
      await query('update post_groups set platform_settings = $2 where id = $1', postGroupId, settings);
      await schedule(postGroupId);
      expect((await remove(picked.mediaId)).body).toEqual({ success: true, ...demoted, [key]: true });
      const { platformSettings } = await read(postGroupId);
      const { thumbnail } = platformSettings.youtube;
      const { coverUrl } = platformSettings.instagram;
      expect([platformSettings.youtube.privacy, platformSettings.instagram.videoType]).toEqual(['private', 'REELS']);
      expect(purpose === 'instagram_cover' ? coverUrl : thumbnail).toBeUndefined();
      expect(purpose === 'instagram_cover' ? thumbnail : coverUrl).toBeDefined();
    });

    test('that was a thumbnail and is no longer used is reported as an orphan', async () => {
      const { postGroupId, mediaIds } = await aPostWith(1);
      await query(`update media set purpose = 'youtube_thumbnail' where id = $1`, mediaIds[0]);
      await query(`update post_groups set media_ids = '{}' where id = $1`, postGroupId);
      expect((await remove(mediaIds[0]!)).body).toEqual({ success: true, mediaWasOrphan: true });
    });

    test('with a malformed id, an unknown id or an id of another user is refused', async () => {
      const { mediaIds } = await aPostWith(1);
      expect(await remove('x')).toMatchObject({ status: 400, body: { error: 'Invalid mediaId' } });
      expect(await remove(unknown)).toMatchObject({ status: 404, body: { error: 'Media file not found' } });
      expect(await remove(mediaIds[0]!, eve)).toMatchObject({ status: 404, body: { error: 'Media file not found' } });
      expect(await remove(mediaIds[0]!.toUpperCase())).toMatchObject({ status: 200 });
      expect(await remove(mediaIds[0]!)).toMatchObject({ status: 404 });
    });

    test('of a post that is published or being published is refused', async () => {
      const { postGroupId, mediaId } = await aPublishedPost();
      const error = 'Cannot delete media: post is currently in published status';
      expect(await remove(mediaId)).toMatchObject({ status: 400, body: { error, code: 'POST_NOT_EDITABLE' } });
      const [on] = (await aPostWith(1)).uploads;
      await schedule(on!.postGroupId);
      await query(`update post_groups set processing_status = 'processing' where id = $1`, on!.postGroupId);
      expect(await remove(on!.mediaId)).toMatchObject(started);
      expect((await read(postGroupId)).media).toMatchObject([{ mediaId, status: 'ready' }]);
    });

    test('twenty concurrent calls delete it once', async () => {
      const { postGroupId, mediaIds } = await aPostWith(1);
      await schedule(postGroupId);
      const answers = await Promise.all(Array.from({ length: 20 }, () => remove(mediaIds[0]!)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(404)]);
      expect(await ours.demotions(postGroupId)).toHaveLength(1);
    });
  });

  describe('a reference to a file that does not exist', () => {
    test('is shown as failed, and the post cannot be scheduled', async () => {
      const { postGroupId, stale, left } = await aStaleReference();
      const nothing = { sourceFileName: null, fileName: null, type: null, altText: null, mimeType: null, url: null };
      expect((await read(postGroupId)).media).toEqual([
        { mediaId: stale, ...nothing, shared: true, status: 'failed', failureReason: 'The file no longer exists.' },
        expect.objectContaining({ mediaId: left, status: 'ready' }),
      ]);
      const { posts } = (await ada.call('GET', '/list-posts')).body;
      expect(posts[0]).toMatchObject({ postGroupId, mediaUrls: [expect.any(String)] });
      expect(await ada.call('PUT', `/update-post/${postGroupId}`, { status: 'scheduled' })).toMatchObject({
        status: 400,
        body: { code: 'MEDIA_REFERENCE_MISSING', mediaFileId: stale },
      });
    });

    test('is pruned', async () => {
      const { postGroupId, stale, left } = await aStaleReference();
      expect(await prune(postGroupId, stale)).toMatchObject({ status: 200, body: { success: true } });
      expect((await read(postGroupId)).media).toMatchObject([{ mediaId: left }]);
      await schedule(postGroupId);
      expect(await ours.demotions(postGroupId)).toEqual([]);
    });

    test('when pruned from a scheduled post, returns it to draft', async () => {
      const { postGroupId, mediaIds } = await aPostWith(1);
      await schedule(postGroupId);
      await query('delete from media where id = $1', mediaIds[0]);
      expect((await prune(postGroupId, mediaIds[0]!)).body).toEqual({ success: true, ...demoted });
      expect(await ours.demotions(postGroupId)).toEqual([
        { postGroupId, reason: 'media_changed', changeType: 'prune_reference', mediaFileId: mediaIds[0] },
      ]);
    });

    test.each([
      ['a malformed post id', 400, { error: 'Invalid post group ID' }, () => prune('x', unknown)],
      ['a malformed id', 400, { error: 'Invalid mediaId' }, () => prune(unknown, 'x')],
      ['an unknown post', 404, { error: 'Post group not found' }, () => prune(unknown, unknown)],
      [
        "somebody else's post",
        404,
        { error: 'Post group not found' },
        async () => prune((await aPostWith(0)).postGroupId, unknown, eve),
      ],
      [
        'a file that the post does not list',
        404,
        { error: 'Media reference not found', code: 'MEDIA_REFERENCE_NOT_FOUND' },
        async () => prune((await aPostWith(0)).postGroupId, unknown),
      ],
      [
        'a file that is there',
        409,
        { code: 'MEDIA_REFERENCE_VALID', error: expect.stringContaining('DELETE /media/') },
        async () => {
          const { postGroupId, mediaIds } = await aPostWith(1);
          return prune(postGroupId, mediaIds[0]!);
        },
      ],
      [
        'a post that is out',
        400,
        { code: 'POST_NOT_EDITABLE' },
        async () => {
          const { postGroupId, mediaId } = await aPublishedPost();
          return prune(postGroupId, mediaId);
        },
      ],
      [
        'a post on its way',
        started.status,
        started.body,
        async () => {
          const { postGroupId, mediaIds } = await aPostWith(1);
          await schedule(postGroupId);
          await query(`update post_groups set processing_status = 'processing' where id = $1`, postGroupId);
          return prune(postGroupId, mediaIds[0]!);
        },
      ],
    ])('is not pruned from or as %s', async (_, status, body, act) => {
      expect(await act()).toMatchObject({ status, body });
    });
  });

  describe('the order of files', () => {
    test('can be changed in a session', async () => {
      const { postGroupId, mediaIds } = await aPostWith(3);
      const other = [mediaIds[2]!, mediaIds[0]!, mediaIds[1]!];
      expect((await reorder(postGroupId, other)).body).toEqual({ success: true, mediaIds: other });
      expect((await read(postGroupId)).media.map(({ mediaId }: { mediaId: string }) => mediaId)).toEqual(other);
    });

    test('of a scheduled post turns it into a draft unless the order is the same', async () => {
      const { postGroupId, mediaIds } = await aPostWith(2);
      await schedule(postGroupId);
      expect((await reorder(postGroupId, mediaIds)).body).toEqual({ success: true, mediaIds });
      expect(await ours.demotions(postGroupId)).toEqual([]);
      const other = [...mediaIds].reverse();
      expect((await reorder(postGroupId, other)).body).toEqual({ success: true, mediaIds: other, ...demoted });
      expect(await ours.demotions(postGroupId)).toEqual([
        { postGroupId, reason: 'media_changed', changeType: 'reorder', mediaFileId: null },
      ]);
    });

    test('must list every file once, for a post of the signed-in user', async () => {
      const { postGroupId, mediaIds } = await aPostWith(2);
      const [first, second] = mediaIds as [string, string];
      for (const wrong of [[first], [first, first], [first, second, unknown], 'x']) {
        expect(await reorder(postGroupId, wrong)).toMatchObject({
          status: 400,
          body: { error: 'mediaIds must list every media file of the post once' },
        });
      }
      expect(await reorder('x', mediaIds)).toMatchObject({ status: 400, body: { error: 'Invalid post group ID' } });
      expect((await reorder(postGroupId, mediaIds, {})).status).toBe(401);
      expect((await reorder(postGroupId, mediaIds, await signedIn(ours, eve))).status).toBe(404);
    });
  });
});
