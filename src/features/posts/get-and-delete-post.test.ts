import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestService, type TestUser, testService } from '../../../test/support/service/service.ts';

let service: TestService;
let ada: TestUser;
let ben: TestUser;

beforeAll(async () => {
  service = await testService();
  [ada, ben] = [await service.aUser(), await service.aUser()];
});
afterAll(() => service.close());

async function aDraft() {
  const platforms = [await ada.aConnection(), await ada.aConnection()];
  const { body } = await ada.call('POST', '/create-post', { content: 'Hello', platforms });
  return { id: body.postGroupId as string, platforms };
}

describe('[get-post] reading a post', () => {
  test('[post-group] has every key of the post group and its targets, and no other', async () => {
    const { id, platforms } = await aDraft();
    const { status, body } = await ada.call('GET', `/get-post/${id}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      postGroupId: id,
      status: 'draft',
      scheduledTime: null,
      platforms,
      platformSettings: {
        instagram: { videoType: 'REELS' },
        linkedin: { repostEnabled: false, repostParentUrn: '', repostVisibility: '' },
        telegram: { disableNotification: false, disableWebPagePreview: false, protectContent: false },
        threads: { replyControl: '' },
        tiktok: {
          viewerSetting: 'PUBLIC_TO_EVERYONE',
          allowComments: true,
          allowDuet: false,
          allowStitch: false,
          commercialContent: false,
          brandOrganic: false,
          brandedContent: false,
        },
        youtube: { privacy: 'public', title: '', madeForKids: false, playlist: { id: '', platformId: '' } },
      },
      firstComment: null,
      firstComments: [],
      posts: platforms.map((platformId) => ({
        _id: expect.stringMatching(/^[0-9a-f]{24}$/),
        platform: 'mastodon',
        platformId: platformId.slice('mastodon-'.length),
        content: 'Hello',
        status: 'draft',
        postedId: null,
        permalink: null,
        isThread: false,
        threadParts: [],
        firstCommentResult: null,
        firstCommentResults: [],
      })),
      media: [],
    });
  });

  test('answers 404 for an unknown id and for a post of another user', async () => {
    const { id } = await aDraft();
    const unknown = await ada.call('GET', '/get-post/ffffffffffffffffffffffff');
    const foreign = await ben.call('GET', `/get-post/${id}`);
    for (const { status, body } of [unknown, foreign]) {
      expect([status, body]).toEqual([404, { error: 'Post group not found' }]);
    }
  });

  test('answers a malformed id with 500, as the contract says', async () => {
    const { status, body } = await ada.call('GET', '/get-post/nonsense');
    expect([status, body]).toEqual([500, { error: 'Failed to fetch post group' }]);
  });
});

describe('[delete-post] deleting a post', () => {
  test('removes group, targets and logs', async () => {
    const { id } = await aDraft();
    const { status, body } = await ada.call('DELETE', `/delete-post/${id}`);
    expect([status, body]).toEqual([200, { success: true }]);
    expect((await ada.call('GET', `/get-post/${id}`)).status).toBe(404);
    const left = await service.database.pool.query('select from platform_posts where post_group_id = $1', [id]);
    expect(left.rowCount).toBe(0);
  });

  test('answers 404 for an unknown id and for a post of another user, which is not deleted', async () => {
    const { id } = await aDraft();
    const unknown = await ada.call('DELETE', '/delete-post/ffffffffffffffffffffffff');
    const foreign = await ben.call('DELETE', `/delete-post/${id}`);
    for (const { status, body } of [unknown, foreign]) {
      expect([status, body]).toEqual([404, { error: 'Post group not found' }]);
    }
    expect((await ada.call('GET', `/get-post/${id}`)).status).toBe(200);
  });

  test('answers 400 for a malformed id', async () => {
    const { status, body } = await ada.call('DELETE', '/delete-post/nonsense');
    expect([status, body]).toEqual([400, { error: 'Invalid post group ID' }]);
  });
});
