import { describe, expect, test } from 'vitest';
import { updatePostStage } from '../../../../test/support/stages/update-post.ts';
import { postLimits } from '../../../foundation/errors/posts.ts';

/** One day after the start of the clock. */
const soon = '2027-03-05T05:06:07.000Z';
const { service, ada, first, second, update, stored, aPost, aScheduledPost, refused } = updatePostStage();

describe('[update-post] errors, which change nothing', () => {
  const nothing =
    'At least one of status, scheduledTime, content, platforms, platformSettings, or mediaUrls must be provided';
  const conflict = 'publishNow cannot be combined with a future scheduledTime or with status draft';
  const platforms = (error: string) => ({ error, code: 'INVALID_PLATFORMS', field: 'platforms' });
  const platformId = (error: string) => ({ error, code: 'INVALID_PLATFORM_ID', field: 'platforms' });
  const time = { error: 'Invalid scheduled time format' };
  const refusals: [title: string, edit: () => unknown, body: object][] = [
    ['nothing', () => ({}), { error: nothing }],
    ['nothing known', () => ({ text: 'x', _id: 1 }), { error: nothing }],
    ['a list', () => ['content'], { error: nothing }],
    ['null', () => 'null', { error: nothing }],
    ['nothing but a falsy status', () => ({ status: '' }), { error: nothing }],
    ['nothing but a falsy status and time', () => ({ status: 0, scheduledTime: null }), { error: nothing }],
    [
      'content that is no text',
      () => ({ content: 7 }),
      { error: 'Content must be a string', code: 'INVALID_CONTENT', field: 'content' },
    ],
    [
      'content null',
      () => ({ content: null }),
      { error: 'Content must be a string', code: 'INVALID_CONTENT', field: 'content' },
    ],
    ['platforms null', () => ({ platforms: null }), platforms('Platforms must be an array')],
    ['platforms that are no list', () => ({ platforms: { a: 1 } }), platforms('Platforms must be an array')],
    ['platforms as JSON of no list', () => ({ platforms: '"x"' }), platforms('Platforms must be an array')],
    ['platforms as broken JSON', () => ({ platforms: '[oops' }), platforms('Invalid platforms JSON format')],
    [
      'a platform id without a dash',
      () => ({ platforms: ['mastodon'] }),
      platformId('Invalid platform ID format: mastodon'),
    ],
    ['a platform id that is no text', () => ({ platforms: [null] }), platformId('Invalid platform ID format: null')],
    [
      'a platform twice',
      () => ({ platforms: [second(), second()] }),
      platforms('Platforms must not contain duplicates'),
    ],
    ['an unknown status', () => ({ status: 'published' }), { error: "Status must be either 'draft' or 'scheduled'" }],
    ['a status that is no text', () => ({ status: 1 }), { error: "Status must be either 'draft' or 'scheduled'" }],
    ['a date alone', () => ({ scheduledTime: '2027-05-01' }), time],
    ['a time without a zone', () => ({ scheduledTime: '2027-05-01T10:00:00' }), time],
    ['a time with a blank', () => ({ scheduledTime: '2027-05-01 10:00:00Z' }), time],
    ['a time as people write it', () => ({ scheduledTime: '5/1/2027, 10:00:00 AM' }), time],
    ['a day that does not exist', () => ({ scheduledTime: '2027-02-30T10:00:00Z' }), time],
    ['a time that is no text', () => ({ scheduledTime: 1_800_000_000 }), time],
    [
      'publishNow that is no boolean',
      () => ({ publishNow: 'true' }),
      { error: 'publishNow must be true or false', code: 'INVALID_PUBLISH_NOW' },
    ],
    [
      'publishNow with a future time',
      () => ({ publishNow: true, scheduledTime: soon }),
      { error: conflict, code: 'PUBLISH_NOW_CONFLICT' },
    ],
    [
      'publishNow with status draft',
      () => ({ publishNow: true, status: 'draft' }),
      { error: conflict, code: 'PUBLISH_NOW_CONFLICT' },
    ],
    [
      'settings of an unknown platform',
      () => ({ platformSettings: { myspace: {} } }),
      {
        error: expect.stringMatching(/^Unknown platformSettings path: .*myspace$/),
        code: 'PLATFORM_SETTING_UNKNOWN',
        field: 'myspace',
      },
    ],
    ['settings of X', () => ({ platformSettings: { twitter: { a: 1 } } }), { code: 'PLATFORM_SETTING_UNKNOWN' }],
    [
      'an unknown setting',
      () => ({ content: 'y', platformSettings: { telegram: { loud: true } } }),
      {
        error: expect.stringMatching(/^Unknown platformSettings path: .*telegram\.loud$/),
        code: 'PLATFORM_SETTING_UNKNOWN',
        field: 'telegram.loud',
      },
    ],
    [
      'a wrong value of a setting',
      () => ({ platformSettings: { telegram: { protectContent: 7 } } }),
      { error: 'platformSettings.telegram.protectContent must be a boolean' },
    ],
    ['settings null', () => ({ platformSettings: null }), { error: 'platformSettings must be an object' }],
    ['settings as broken JSON', () => ({ platformSettings: '{' }), { error: 'Invalid platformSettings JSON' }],
    [
      'half a playlist',
      () => ({ platformSettings: { youtube: { playlist: { id: 'p' } } } }),
      { error: 'YouTube playlist requires both playlist.id and playlist.platformId.' },
    ],
    [
      'a playlist without a channel',
      () => ({ platformSettings: { youtube: { playlist: { id: 'p', platformId: 'youtube-1' } } } }),
      { error: 'YouTube playlist can only be set when exactly one YouTube channel is selected.' },
    ],
    [
      'both forms of first comments',
      () => ({ firstComment: { text: 'x' }, firstComments: [] }),
      { code: 'FIRST_COMMENT_INVALID', field: 'firstComments' },
    ],
    [
      'four first comments',
      () => ({ firstComments: Array(4).fill({ text: 'x' }) }),
      { error: 'firstComments supports at most 3 comments', code: 'FIRST_COMMENT_INVALID' },
    ],
    [
      'a first comment that is text',
      () => ({ firstComment: 'x' }),
      { error: 'firstComment must be an object { text, platforms? }', code: 'FIRST_COMMENT_INVALID' },
    ],
    [
      'a first comment that is too long',
      () => ({ firstComment: { text: 'x'.repeat(501) } }),
      {
        error: 'First comment is too long for mastodon: 501 characters, limit 500',
        code: 'FIRST_COMMENT_TOO_LONG',
        field: 'firstComment.text',
      },
    ],
    ['a body that is not JSON', () => '{ "content": ', { error: 'The body is not valid JSON' }],
    [
      'text that cannot be stored',
      () => ({ content: 'a\0b' }),
      { error: 'Text must be valid Unicode without null characters' },
    ],
  ];
  test.each(refusals)('%s', async (_title, edit, body) => {
    await refused(await aScheduledPost(), edit(), { status: 400, body });
  });

  test('settings that are too long with those that the post has', async () => {
    const half = 'x'.repeat(postLimits.settingsLength / 2);
    const id = await aPost({ platformSettings: { youtube: { title: half } } });
    const error = 'platformSettings must have at most 32768 characters';
    await refused(id, { platformSettings: { youtube: { categoryId: half } } }, { status: 400, body: { error } });
    const body = { content: 'x', platforms: [first()], platformSettings: { youtube: { title: half + half } } };
    expect(await ada().call('POST', '/create-post', body)).toMatchObject({ status: 400, body: { error } });
  });

  test('an account that is not connected or belongs to another user', async () => {
    const theirs = await (await service().aUser()).aConnection();
    const id = await aPost();
    await refused(
      id,
      { platforms: [first(), 'mastodon-1@nowhere.example', theirs] },
      {
        status: 400,
        body: {
          error: `Invalid platform connection(s): mastodon-1@nowhere.example, ${theirs}. Check connected accounts or call GET /platform-connections.`,
          code: 'INVALID_PLATFORM_CONNECTION',
          invalidPlatforms: ['mastodon-1@nowhere.example', theirs],
        },
      },
    );
    await refused(id, { platforms: ['service-playground'] }, invalidConnection('service-playground'));
  });

  test('a post that does not exist or belongs to another user', async () => {
    const id = await aPost();
    const before = await stored(id);
    const ben = await service().aUser();
    const unknown = await update('f'.repeat(24), { content: 'x' });
    const foreign = await ben.call('PUT', `/update-post/${id}`, { content: 'x' });
    for (const { status, body } of [unknown, foreign]) {
      expect([status, body]).toEqual([404, { error: 'Post group not found' }]);
    }
    expect(await stored(id)).toEqual(before);
  });

  test.each(['nonsense', 'f'.repeat(23), `${'f'.repeat(23)}g`])('the malformed id %s', async (id) => {
    const { status, body } = await update(id, { content: 'x' });
    expect([status, body]).toEqual([400, { error: 'Invalid post group ID' }]);
  });

  test.each<[title: string, edit: () => unknown | Promise<unknown>, code: string]>([
    ['a text that is too long', () => ({ content: 'x'.repeat(501) }), 'CONTENT_TOO_LONG'],
    [
      'a target without its media',
      async () => ({ platforms: [first(), await ada().aConnection('instagram')] }),
      'MEDIA_REQUIRED',
    ],
  ])('%s, on a scheduled post', async (_title, edit, code) => {
    const body = await refused(await aScheduledPost(), await edit(), {
      status: 400,
      body: { error: 'Validation failed' },
    });
    expect(Object.keys(body)).toEqual(['error', 'validation']);
    expect(body.validation).toMatchObject({
      valid: false,
      errors: [{ code, severity: 'error' }],
      summary: { errorCount: 1 },
    });
  });

  test('an existing error of a scheduled post, on any update', async () => {
    const id = await aScheduledPost();
    await service().database.pool.query(
      'update platform_posts set content_overridden = true, content = $2 where post_group_id = $1',
      [id, 'x'.repeat(501)],
    );
    for (const edit of [{ scheduledTime: '2027-03-06T08:00:00Z' }, { firstComment: null }, { publishNow: true }]) {
      await refused(id, edit, { status: 400, body: { error: 'Validation failed' } });
    }
    expect((await update(id, { status: 'draft' })).status).toBe(200);
  });

  test.each<[what: string, edit: object, first: object]>([
    [
      'a past time before missing platforms',
      { scheduledTime: '2027-03-01T00:00:00Z', platforms: [] },
      { code: 'SCHEDULED_TIME_IN_PAST' },
    ],
    ['missing platforms before validation', { content: '', platforms: [] }, { code: 'PLATFORMS_REQUIRED' }],
    [
      'validation before the plan',
      { content: '', scheduledTime: '2027-04-04T00:00:00Z' },
      { error: 'Validation failed' },
    ],
    ['the plan at last', { scheduledTime: '2027-04-04T00:00:00Z' }, { code: 'SCHEDULE_HORIZON_REACHED' }],
  ])('[update-post.check-order] the order of checks: %s', async (_what, edit, body) => {
    const ben = await service().aUser({ plan: 'starter' });
    const post = { content: 'x', platforms: [await ben.aConnection()], scheduledTime: soon };
    const { postGroupId } = (await ben.call('POST', '/create-post', post)).body;
    const before = await stored(postGroupId);
    expect((await ben.call('PUT', `/update-post/${postGroupId}`, edit)).body).toMatchObject(body);
    expect(await stored(postGroupId)).toEqual(before);
  });

  test('[platform-settings.playlist-one-channel] targets that the stored YouTube playlist does not belong to', async () => {
    const [channel, another] = [await ada().aConnection('youtube'), await ada().aConnection('youtube')];
    const playlist = { id: 'PL1', platformId: channel };
    const id = await aPost({ platforms: [channel], platformSettings: { youtube: { playlist } } });
    const one = 'YouTube playlist can only be set when exactly one YouTube channel is selected.';
    const own = 'YouTube playlist platformId must match the selected YouTube channel.';
    await refused(id, { platforms: [channel, another] }, { status: 400, body: { error: one } });
    await refused(id, { platforms: [first()] }, { status: 400, body: { error: one } });
    await refused(id, { platforms: [another] }, { status: 400, body: { error: own } });
    const none = { youtube: { playlist: { id: '', platformId: '' } } };
    expect((await update(id, { platforms: [channel, another], platformSettings: none })).status).toBe(200);
  });

  test('a text that is too long is not an error on a draft', async () => {
    const id = await aPost();
    expect((await update(id, { content: 'x'.repeat(501) })).status).toBe(200);
  });
});

const invalidConnection = (id: string) => ({
  status: 400,
  body: { code: 'INVALID_PLATFORM_CONNECTION', invalidPlatforms: [id] },
});

describe('[platform-settings.locked] settings that are locked while the post is being published', () => {
  test.each([
    [{ youtube: { playlist: { id: 'p', platformId: 'youtube-1' } } }, 'YouTube playlist'],
    [{ youtube: { thumbnail: { mediaId: 'm', url: 'https://example.com/t.jpg' } } }, 'YouTube thumbnail'],
    [{ instagram: { coverUrl: 'https://example.com/c.jpg' } }, 'Instagram cover'],
  ])('%j cannot change, and the error names %s', async (platformSettings, what) => {
    const id = await aScheduledPost();
    await service().database.pool.query("update post_groups set processing_status = 'processing' where id = $1", [id]);
    const error = `Post group is currently being published; cannot change ${what}. Retry once publishing completes.`;
    await refused(id, { platformSettings }, { status: 409, body: { error, code: 'POST_PUBLISH_IN_PROGRESS' } });
  });
});
