import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testClock } from '../../test/support/app.ts';
import { publishDue } from '../../test/support/publishing.ts';
import { type TestService, type TestUser, testService } from '../../test/support/service.ts';
import { connectSandboxAccount } from '../connections/sandbox.ts';

const clock = testClock('2027-03-04T05:06:07.000Z');
let service: TestService;
let ada: TestUser;
let mastodon: string;
let linkedin: string;
let twitter: string;
let threads: string;
let youtube: string;

beforeAll(async () => {
  service = await testService({ clock });
  ada = await service.aUser();
  mastodon = await ada.aConnection();
  linkedin = await ada.aConnection('linkedin');
  twitter = await ada.aConnection('twitter');
  const { app, sandbox } = service;
  ({ platformId: threads } = await connectSandboxAccount(app, sandbox.url, ada.id, {
    platform: 'threads',
    handle: 'ada',
  }));
  youtube = await ada.aConnection('youtube');
});
afterAll(() => service.close());

const create = (body: object, headers?: Record<string, string>) =>
  ada.call('POST', '/create-post', { content: `Post ${process.hrtime.bigint()}`, ...body }, headers);
const read = async (id: string) => (await ada.call('GET', `/get-post/${id}`)).body;
async function created(body: object) {
  const answer = await create(body);
  expect(answer).toMatchObject({ status: 200, body: { success: true } });
  return { answer: answer.body, id: answer.body.postGroupId as string, group: await read(answer.body.postGroupId) };
}
const count = async (table: string) =>
  (await service.database.pool.query(`select count(*)::int from ${table}`)).rows[0].count;
/** The answer of a refusal, which leaves nothing behind. */
async function refused(body: object) {
  const before = await count('post_groups');
  const answer = await create(body);
  expect(answer.status).toBe(400);
  expect(await count('post_groups')).toBe(before);
  return answer.body;
}
const fromNow = (seconds: number) => new Date(clock.now().getTime() + seconds * 1000).toISOString();

describe('4.1 create-post: platformSettings', () => {
  const defaults = {
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
  };

  test('are merged with the defaults, and shown as stored', async () => {
    const { group } = await created({
      platforms: [mastodon],
      platformSettings: {
        telegram: { protectContent: 'yes', disableNotification: 'off' },
        tiktok: { allowComments: '0', viewerSetting: 'SELF_ONLY' },
        youtube: { tags: 'one, two', title: 'Title' },
        instagram: { cover_url: 'https://example.com/cover.jpg', shareToFeed: false },
        threads: { replyControl: 'mentioned_only' },
      },
    });
    expect(group.platformSettings).toEqual({
      ...defaults,
      telegram: { ...defaults.telegram, protectContent: true },
      tiktok: { ...defaults.tiktok, allowComments: false, viewerSetting: 'SELF_ONLY' },
      youtube: { ...defaults.youtube, title: 'Title', tags: ['one', 'two'] },
      instagram: { videoType: 'REELS', coverUrl: 'https://example.com/cover.jpg', shareToFeed: false },
      threads: { replyControl: 'mentioned_only' },
    });
  });

  test.for<[title: string, platformSettings: unknown]>([
    ['left out', undefined],
    ['an empty object', {}],
    ['an empty JSON object', '{}'],
    ['an empty platform', { youtube: {} }],
  ])('%s: the defaults', async ([, platformSettings]) => {
    expect((await created({ platforms: [mastodon], platformSettings })).group.platformSettings).toEqual(defaults);
  });

  test('may come as a JSON string', async () => {
    const platformSettings = JSON.stringify({ threads: { replyControl: 'everyone' } });
    const { group } = await created({ platforms: [mastodon], platformSettings });
    expect(group.platformSettings).toEqual({ ...defaults, threads: { replyControl: 'everyone' } });
  });

  test.for<[sent: unknown, answer: object]>([
    ['{ "threads": ', { error: 'Invalid platformSettings JSON' }],
    ['', { error: 'Invalid platformSettings JSON' }],
    ['[]', { error: 'platformSettings must be an object' }],
    [null, { error: 'platformSettings must be an object' }],
    [[], { error: 'platformSettings must be an object' }],
    [7, { error: 'platformSettings must be an object' }],
    [
      { twitter: { replyTo: '1' } },
      { error: 'Unknown platformSettings path: twitter', code: 'PLATFORM_SETTING_UNKNOWN', field: 'twitter' },
    ],
    [
      { telegram: { silent: true } },
      {
        error: 'Unknown platformSettings path: telegram.silent',
        code: 'PLATFORM_SETTING_UNKNOWN',
        field: 'telegram.silent',
      },
    ],
    [
      '{"youtube":{"playlist":{"name":"x"}}}',
      {
        error: 'Unknown platformSettings path: youtube.playlist.name',
        code: 'PLATFORM_SETTING_UNKNOWN',
        field: 'youtube.playlist.name',
      },
    ],
    [
      { telegram: { protectContent: 'maybe' } },
      { error: 'platformSettings.telegram.protectContent must be a boolean' },
    ],
    [
      { youtube: { privacy: 'secret' } },
      { error: 'platformSettings.youtube.privacy must be one of: private, public, unlisted' },
    ],
  ])('%j is refused', async ([platformSettings, answer]) => {
    expect(await refused({ platforms: [mastodon], platformSettings })).toEqual(answer);
  });

  test('a thumbnail cannot be set on create-post', async () => {
    const { error } = await refused({
      platforms: [youtube],
      platformSettings: { youtube: { thumbnail: { mediaId: 'f'.repeat(24), url: 'https://example.com/a.png' } } },
    });
    expect(error).toContain('platformSettings.youtube.thumbnail cannot be set on create-post');
  });
});

describe('4.1 create-post: LinkedIn repost', () => {
  const urn = 'urn:li:share:7123456789';

  test.for<[title: string, content: string | undefined, visibility: string, stored: string]>([
    ['left out', undefined, 'PUBLIC', 'PUBLIC'],
    ['empty', '', 'connections', 'CONNECTIONS'],
    ['a commentary', 'Worth reading', '', ''],
  ])('with content %s', async ([, content, repostVisibility, stored]) => {
    const { group } = await created({
      content,
      platforms: [linkedin],
      scheduledTime: fromNow(3600),
      platformSettings: { linkedin: { repostEnabled: true, repostParentUrn: urn, repostVisibility } },
    });
    expect(group.platformSettings.linkedin).toEqual({
      repostEnabled: true,
      repostParentUrn: urn,
      repostVisibility: stored,
    });
    expect(group.posts).toMatchObject([{ content: content ?? '', status: 'scheduled' }]);
  });

  test('without content, also when both fields come as JSON strings', async () => {
    const { group } = await created({
      content: undefined,
      platforms: JSON.stringify([linkedin]),
      platformSettings: JSON.stringify({ linkedin: { repostEnabled: true, repostParentUrn: 'urn:li:ugcPost:1' } }),
    });
    expect(group).toMatchObject({ status: 'draft', platforms: [linkedin] });
  });

  test.for<[title: string, content: string | undefined, settings: object, error: string]>([
    [
      'enabled without a parent',
      undefined,
      { repostEnabled: true },
      'platformSettings.linkedin.repostParentUrn is required when repostEnabled is true',
    ],
    [
      'a parent without being enabled',
      undefined,
      { repostParentUrn: urn },
      'platformSettings.linkedin.repostParentUrn must be empty when repostEnabled is false',
    ],
    [
      'a parent though disabled',
      'Text',
      { repostParentUrn: urn, repostEnabled: false },
      'platformSettings.linkedin.repostParentUrn must be empty when repostEnabled is false',
    ],
    [
      'a parent that is no URN',
      'Text',
      { repostEnabled: true, repostParentUrn: 'https://www.linkedin.com/posts/x' },
      'platformSettings.linkedin.repostParentUrn must be a LinkedIn post URN like urn:li:share:<id> or urn:li:ugcPost:<id>',
    ],
    [
      'an unknown visibility',
      'Text',
      { repostEnabled: true, repostParentUrn: urn, repostVisibility: 'FRIENDS' },
      'platformSettings.linkedin.repostVisibility must be one of: PUBLIC, CONNECTIONS',
    ],
    ['neither content nor intent', undefined, { repostVisibility: 'PUBLIC' }, 'Content is required'],
    ['a disabled repost without content', '', { repostEnabled: false }, 'Content is required'],
    ['an empty parent without content', '', { repostParentUrn: '' }, 'Content is required'],
    ['a parent of blanks without content', '', { repostParentUrn: '  ' }, 'Content is required'],
  ])('is refused: %s', async ([, content, settings, error]) => {
    const body = { content, platforms: [linkedin], platformSettings: { linkedin: settings } };
    expect(await refused(body)).toEqual({ error });
  });

  test('without content needs a LinkedIn target', async () => {
    const platformSettings = { linkedin: { repostEnabled: true, repostParentUrn: urn } };
    expect(await refused({ content: '', platforms: [mastodon], platformSettings })).toEqual({
      error: 'Content is required',
    });
  });

  test('by a company page cannot be for connections only', async () => {
    const page = await ada.aConnection('linkedin', { isCompanyPage: true });
    const settings = (repostVisibility: string) => ({
      linkedin: { repostEnabled: true, repostParentUrn: urn, repostVisibility },
    });
    for (const platforms of [[page], [linkedin, page]]) {
      expect(await refused({ platforms, platformSettings: settings('CONNECTIONS') })).toEqual({
        error: 'LinkedIn company-page reposts cannot use CONNECTIONS visibility; choose PUBLIC',
      });
      await created({ platforms, platformSettings: settings('PUBLIC') });
    }
  });

  test('has a commentary of at most 3000 characters', async () => {
    const body = {
      content: 'x'.repeat(3001),
      platforms: [linkedin],
      scheduledTime: fromNow(3600),
      platformSettings: { linkedin: { repostEnabled: true, repostParentUrn: urn } },
    };
    expect((await refused(body)).validation.errors).toMatchObject([{ code: 'CONTENT_TOO_LONG', maxValue: 3000 }]);
    await created({ ...body, content: 'x'.repeat(3000) });
  });
});

describe('4.1 create-post: YouTube playlist', () => {
  test('is stored for the one channel that it belongs to', async () => {
    const playlist = { id: 'PL1', platformId: youtube };
    const { group } = await created({ platforms: [youtube, mastodon], platformSettings: { youtube: { playlist } } });
    expect(group.platformSettings.youtube.playlist).toEqual(playlist);
  });

  test('two empty strings are none, whatever the targets', async () => {
    const playlist = { id: '', platformId: '' };
    const { group } = await created({ platforms: [mastodon], platformSettings: { youtube: { playlist } } });
    expect(group.platformSettings.youtube.playlist).toEqual(playlist);
  });

  test.for<[title: string, settings: () => object, error: string]>([
    [
      'its old name',
      () => ({ playlistId: 'PL1' }),
      'platformSettings.youtube.playlistId is not supported; use platformSettings.youtube.playlist.',
    ],
    [
      'the old name of the thumbnail',
      () => ({ thumbnailUrl: 'https://example.com/a.png' }),
      'platformSettings.youtube.thumbnailUrl is not supported; use platformSettings.youtube.thumbnail.',
    ],
    ['no object', () => ({ playlist: 'PL1' }), 'platformSettings.youtube.playlist must be an object.'],
    [
      'an id that is no text',
      () => ({ playlist: { id: 1, platformId: youtube } }),
      'platformSettings.youtube.playlist.id must be a string.',
    ],
    [
      'a platformId that is no text',
      () => ({ playlist: { id: 'PL1', platformId: null } }),
      'platformSettings.youtube.playlist.platformId must be a string.',
    ],
    [
      'an id alone',
      () => ({ playlist: { id: 'PL1' } }),
      'YouTube playlist requires both playlist.id and playlist.platformId.',
    ],
    [
      'a platformId alone',
      () => ({ playlist: { platformId: youtube } }),
      'YouTube playlist requires both playlist.id and playlist.platformId.',
    ],
    [
      'the playlist of another channel',
      () => ({ playlist: { id: 'PL1', platformId: 'youtube-other' } }),
      'YouTube playlist platformId must match the selected YouTube channel.',
    ],
  ])('is refused: %s', async ([, settings, error]) => {
    expect(await refused({ platforms: [youtube], platformSettings: { youtube: settings() } })).toEqual({ error });
  });

  test('needs exactly one channel', async () => {
    const error = 'YouTube playlist can only be set when exactly one YouTube channel is selected.';
    const platformSettings = { youtube: { playlist: { id: 'PL1', platformId: youtube } } };
    const another = await ada.aConnection('youtube');
    expect(await refused({ platforms: [mastodon], platformSettings })).toEqual({ error });
    expect(await refused({ platforms: [youtube, another], platformSettings })).toEqual({ error });
  });
});

describe('4.1 create-post: first comments', () => {
  test('are stored verbatim and in order, and shown with the first as firstComment', async () => {
    const firstComments = [
      { text: ' One ', platforms: ['linkedin'], delaySeconds: 60 },
      { text: 'Two' },
      { text: 'Three', delaySeconds: 0 },
    ];
    const { answer, group } = await created({ platforms: [linkedin], firstComments });
    expect(answer).not.toHaveProperty('warnings');
    expect(group.firstComments).toEqual(firstComments);
    expect(group.firstComment).toEqual(firstComments[0]);
    expect(group.posts[0]).toMatchObject({ firstCommentResult: null, firstCommentResults: [] });
  });

  test('firstComment is a list of one', async () => {
    const { group } = await created({ platforms: [linkedin], firstComment: { text: 'One' } });
    expect([group.firstComment, group.firstComments]).toEqual([{ text: 'One' }, [{ text: 'One' }]]);
  });

  test.for<[title: string, body: object]>([
    ['null', { firstComment: null }],
    ['an empty list', { firstComments: [] }],
    ['blanks', { firstComment: { text: ' \n' } }],
  ])('%s: none', async ([, body]) => {
    const { group } = await created({ platforms: [linkedin], ...body });
    expect([group.firstComment, group.firstComments]).toEqual([null, []]);
  });

  test('a platform that is named but not targeted gives a warning, and is stored', async () => {
    const firstComment = { text: 'One', platforms: ['linkedin', 'twitter', 'bluesky'] };
    const { answer, group } = await created({ platforms: [linkedin], firstComment });
    expect(answer.warnings).toEqual([
      {
        code: 'FIRST_COMMENT_PLATFORM_NOT_TARGETED',
        message: expect.stringContaining('twitter, bluesky'),
        platforms: ['twitter', 'bluesky'],
      },
    ]);
    expect(group.firstComment).toEqual(firstComment);
  });

  test('targets without comments give a warning', async () => {
    const { answer } = await created({ platforms: [linkedin, youtube], firstComment: { text: 'One' } });
    expect(answer.warnings).toEqual([
      {
        code: 'FIRST_COMMENT_UNSUPPORTED_PLATFORMS',
        message: expect.stringContaining('youtube'),
        platforms: ['youtube'],
      },
    ]);
  });

  test('warnings follow that of the time, and come once each', async () => {
    const { answer } = await created({
      platforms: [mastodon, await ada.aConnection('telegram')],
      scheduledTime: fromNow(-10),
      firstComments: [
        { text: 'One', platforms: ['linkedin'] },
        { text: 'Two', platforms: ['linkedin', 'telegram'] },
      ],
    });
    expect(answer.warnings).toMatchObject([
      { code: 'SCHEDULED_TIME_COERCED' },
      { code: 'FIRST_COMMENT_PLATFORM_NOT_TARGETED', platforms: ['linkedin'] },
      { code: 'FIRST_COMMENT_UNSUPPORTED_PLATFORMS', platforms: ['telegram'] },
    ]);
  });

  test.for<[title: string, body: object, answer: object]>([
    [
      'both fields',
      { firstComment: { text: 'a' }, firstComments: [{ text: 'b' }] },
      {
        error: 'Send either firstComment or firstComments, not both',
        code: 'FIRST_COMMENT_INVALID',
        field: 'firstComments',
      },
    ],
    [
      'four comments',
      { firstComments: Array.from({ length: 4 }, () => ({ text: 'a' })) },
      { error: 'firstComments supports at most 3 comments', code: 'FIRST_COMMENT_INVALID', field: 'firstComments' },
    ],
    [
      'a text instead of an object',
      { firstComment: 'a' },
      {
        error: 'firstComment must be an object { text, platforms? }',
        code: 'FIRST_COMMENT_INVALID',
        field: 'firstComment',
      },
    ],
    [
      'a delay of more than a day',
      { firstComments: [{ text: 'a' }, { text: 'b', delaySeconds: 86_401 }] },
      {
        error: 'firstComments[1].delaySeconds must be an integer between 0 and 86400',
        code: 'FIRST_COMMENT_INVALID',
      },
    ],
    [
      'a connection instead of a platform',
      { firstComment: { text: 'a', platforms: ['linkedin-1'] } },
      {
        error:
          'Unknown first comment platform "linkedin-1": use platform types such as linkedin or twitter, not connection keys',
        code: 'FIRST_COMMENT_PLATFORM_UNKNOWN',
        field: 'firstComment.platforms',
        allowed: expect.arrayContaining(['linkedin', 'telegram']),
      },
    ],
    [
      'a text too long for a target',
      { firstComment: { text: 'x'.repeat(1251) } },
      {
        error: 'First comment is too long for linkedin: 1251 characters, limit 1250',
        code: 'FIRST_COMMENT_TOO_LONG',
        field: 'firstComment.text',
        platform: 'linkedin',
        limit: 1250,
        count: 1251,
        unit: 'characters',
      },
    ],
    [
      'a text too long for anything',
      { firstComment: { text: 'x'.repeat(25_001) } },
      {
        error: 'firstComment.text is too long: 25001 characters, limit 25000',
        code: 'FIRST_COMMENT_TOO_LONG',
      },
    ],
  ])('are refused, for drafts too: %s', async ([, body, answer]) => {
    expect(await refused({ platforms: [linkedin], ...body })).toMatchObject(answer);
  });

  test('on X may be long only if every account there is premium', async () => {
    const premium = await ada.aConnection('twitter', { subscriptionType: 'Premium' });
    const firstComment = { text: 'x'.repeat(281) };
    await created({ platforms: [premium], firstComment });
    expect(await refused({ platforms: [premium, twitter], firstComment })).toMatchObject({
      code: 'FIRST_COMMENT_TOO_LONG',
      platform: 'twitter',
      limit: 280,
      count: 281,
      unit: 'weighted characters',
    });
  });
});

describe('4.1 create-post: service-playground', () => {
  const platforms = ['service-playground'];
  const tables = ['post_groups', 'platform_posts', 'post_logs', 'events', 'usage_counters'];
  const counts = () => Promise.all(tables.map(count));

  test.for<[title: string, body: object, time: string | null]>([
    ['a draft', {}, null],
    ['a scheduled post', { scheduledTime: '2027-04-01T00:00:00Z' }, '2027-04-01T00:00:00.000Z'],
    ['publishNow', { publishNow: true }, '2027-03-04T05:06:07.000Z'],
  ])('acknowledges %s, and stores nothing', async ([, body, scheduledTime]) => {
    const before = await counts();
    const answer = await create({ platforms, ...body });
    expect([answer.status, answer.body]).toEqual([
      200,
      { success: true, postGroupId: expect.stringMatching(/^[0-9a-f]{24}$/), scheduledTime },
    ]);
    expect(await counts()).toEqual(before);
    expect((await ada.call('GET', `/get-post/${answer.body.postGroupId}`)).status).toBe(404);
  });

  test('works for a user without connections, and as a JSON string', async () => {
    const ben = await service.aUser();
    const { status } = await ben.call('POST', '/create-post', { content: 'x', platforms: JSON.stringify(platforms) });
    expect(status).toBe(200);
  });

  test('only alone', async () => {
    for (const mixed of [
      [...platforms, mastodon],
      [mastodon, ...platforms],
    ]) {
      expect(await refused({ platforms: mixed })).toMatchObject({
        code: 'INVALID_PLATFORM_CONNECTION',
        invalidPlatforms: platforms,
      });
    }
    expect(await refused({ platforms: ['service-other'] })).toMatchObject({ code: 'INVALID_PLATFORM_CONNECTION' });
  });

  test.for<[title: string, body: object, answer: object]>([
    ['content', { content: '' }, { error: 'Content is required' }],
    ['time', { scheduledTime: 'tomorrow' }, { error: 'Invalid scheduled time format' }],
    ['settings', { platformSettings: { myspace: {} } }, { code: 'PLATFORM_SETTING_UNKNOWN' }],
    ['first comments', { firstComment: 'x' }, { code: 'FIRST_COMMENT_INVALID' }],
  ])('is checked like a real post: %s', async ([, body, answer]) => {
    expect(await refused({ platforms, ...body })).toMatchObject(answer);
  });

  test('the same idempotency key gets the same answer, and another body is a conflict', async () => {
    const headers = { 'idempotency-key': 'playground-1' };
    const body = { content: 'Try', platforms, publishNow: true };
    const first = await create(body, headers);
    clock.advance({ seconds: 1 });
    expect((await create(body, headers)).body).toEqual(first.body);
    const { status, body: conflict } = await create({ ...body, content: 'Other' }, headers);
    expect([status, conflict.code]).toEqual([422, 'IDEMPOTENCY_KEY_CONFLICT']);
  });
});

describe('4.1 create-post: DUPLICATE_CONTENT', () => {
  let text: string;
  const unique = () => {
    text = `The same text ${process.hrtime.bigint()}`;
    return text;
  };
  const warningsOf = async (body: object) =>
    (await created({ content: text, platforms: [mastodon], ...body })).answer.warnings;
  const day = 86_400;

  test('the same text on the same connection within 24 hours names the earlier post', async () => {
    const { id } = await created({ content: unique(), platforms: [mastodon], scheduledTime: fromNow(2 * day) });
    const warnings = await warningsOf({ scheduledTime: fromNow(2 * day + 3600) });
    expect(warnings).toEqual([
      {
        code: 'DUPLICATE_CONTENT',
        message: expect.stringContaining(id),
        postGroupId: id,
        platformId: mastodon,
      },
    ]);
  });

  test.for<[hours: number, seconds: number, warned: boolean]>([
    [24, 0, true],
    [24, 1, false],
    [-24, 0, true],
    [-24, -1, false],
    [0, 0, true],
  ])('%i h and %i s from the earlier post’s time: %s', async ([hours, seconds, warned]) => {
    await created({ content: unique(), platforms: [mastodon], scheduledTime: fromNow(3 * day) });
    const warnings = await warningsOf({ scheduledTime: fromNow(3 * day + hours * 3600 + seconds) });
    expect(warnings?.length ?? 0).toBe(warned ? 1 : 0);
  });

  test('what has been published counts, by its time', async () => {
    const { id } = await created({ content: unique(), platforms: [mastodon], publishNow: true });
    await publishDue(service.app);
    expect((await read(id)).status).toBe('published');
    expect(await warningsOf({ publishNow: true })).toMatchObject([{ code: 'DUPLICATE_CONTENT', postGroupId: id }]);
    await publishDue(service.app);
    clock.advance({ seconds: day + 1 });
    expect(await warningsOf({ publishNow: true })).toBeUndefined();
  });

  test('what failed does not count', async () => {
    const bluesky = await ada.aConnection('bluesky');
    const { id } = await created({ content: unique(), platforms: [bluesky], publishNow: true });
    await publishDue(service.app);
    expect((await read(id)).status).toBe('failed');
    expect(await warningsOf({ platforms: [bluesky], publishNow: true })).toBeUndefined();
  });

  test('drafts neither count nor are warned', async () => {
    await created({ content: unique(), platforms: [mastodon] });
    expect(await warningsOf({ scheduledTime: fromNow(day) })).toBeUndefined();
    expect(await warningsOf({})).toBeUndefined();
  });

  test('another connection, another text or another user is no duplicate', async () => {
    await created({ content: unique(), platforms: [mastodon], scheduledTime: fromNow(day) });
    expect(await warningsOf({ platforms: [await ada.aConnection()], scheduledTime: fromNow(day) })).toBeUndefined();
    expect(await warningsOf({ content: `${text}!`, scheduledTime: fromNow(day) })).toBeUndefined();
    expect(await warningsOf({ content: text.toUpperCase(), scheduledTime: fromNow(day) })).toBeUndefined();
    const ben = await service.aUser();
    const { body } = await ben.call('POST', '/create-post', {
      content: text,
      platforms: [await ben.aConnection()],
      scheduledTime: fromNow(day),
    });
    expect(body).not.toHaveProperty('warnings');
  });

  test('a deleted post does not count', async () => {
    const { id } = await created({ content: unique(), platforms: [mastodon], scheduledTime: fromNow(day) });
    await ada.call('DELETE', `/delete-post/${id}`);
    expect(await warningsOf({ scheduledTime: fromNow(day) })).toBeUndefined();
  });

  test('each earlier post is named once, after other warnings, the oldest first', async () => {
    const another = await ada.aConnection();
    const platforms = [mastodon, another];
    const { id: first } = await created({ content: unique(), platforms, scheduledTime: fromNow(60) });
    const { id: second } = await created({ content: text, platforms: [another], scheduledTime: fromNow(60) });
    expect(await warningsOf({ platforms, scheduledTime: fromNow(-1) })).toMatchObject([
      { code: 'SCHEDULED_TIME_COERCED' },
      { code: 'DUPLICATE_CONTENT', postGroupId: first, platformId: mastodon },
      { code: 'DUPLICATE_CONTENT', postGroupId: second, platformId: another },
    ]);
  });

  test('reposts without text are no duplicates of each other', async () => {
    const repost = (id: number) => ({
      content: '',
      platforms: [linkedin],
      scheduledTime: fromNow(day),
      platformSettings: { linkedin: { repostEnabled: true, repostParentUrn: `urn:li:share:${id}` } },
    });
    await created(repost(1));
    expect(await warningsOf(repost(2))).toBeUndefined();
  });

  test('the warning is kept for a retry', async () => {
    await created({ content: unique(), platforms: [mastodon], scheduledTime: fromNow(day) });
    const body = { content: text, platforms: [mastodon], scheduledTime: fromNow(day) };
    const headers = { 'idempotency-key': 'duplicate-1' };
    const first = await create(body, headers);
    expect(first.body.warnings).toHaveLength(1);
    const before = await count('post_groups');
    expect((await create(body, headers)).body).toEqual(first.body);
    expect(await count('post_groups')).toBe(before);
  });

  test('the post is stored all the same', async () => {
    await created({ content: unique(), platforms: [mastodon], scheduledTime: fromNow(day) });
    const { group } = await created({ content: text, platforms: [mastodon], scheduledTime: fromNow(day) });
    expect(group.status).toBe('scheduled');
  });
});

describe('4.1 create-post: threads', () => {
  const sentences = (amount: number) =>
    Array.from({ length: amount }, (_, i) => `This is sentence number ${i}.`).join(' ');

  test('a text over the limit becomes numbered parts on X and Threads, and stays whole elsewhere', async () => {
    const content = sentences(25);
    const { group } = await created({ content, platforms: [twitter, threads, linkedin], scheduledTime: fromNow(3600) });
    const [onX, onThreads, onLinkedin] = group.posts;
    for (const [post, limit] of [
      [onX, 280],
      [onThreads, 500],
    ]) {
      expect(post).toMatchObject({ isThread: true, content });
      const total = post.threadParts.length;
      expect(total).toBe(Math.ceil(content.length / limit));
      for (const [index, part] of post.threadParts.entries()) {
        expect(part).toEqual({
          index,
          content: expect.stringMatching(new RegExp(`\\. \\(${index + 1}/${total}\\)$`)),
          status: 'pending',
          publishedId: null,
        });
        expect(part.content.length).toBeLessThanOrEqual(limit);
      }
      const joined = post.threadParts.map((part: { content: string }) => part.content.replace(/ \(\d+\/\d+\)$/, ''));
      expect(joined.join(' ')).toBe(content);
    }
    expect(onLinkedin).toMatchObject({ isThread: false, threadParts: [], content });
  });

  test('lines of --- cut where the writer wants, without numbers', async () => {
    const content = 'One\n---\nTwo\n---\nThree';
    const { group } = await created({ content, platforms: [twitter, threads, mastodon] });
    for (const post of group.posts.slice(0, 2)) {
      expect(post.isThread).toBe(true);
      expect(post.threadParts.map((part: { content: string }) => part.content)).toEqual(['One', 'Two', 'Three']);
    }
    expect(group.posts[2]).toMatchObject({ isThread: false, threadParts: [], content });
  });

  test('a complete set of markers cuts, and stays in the text', async () => {
    const { group } = await created({ content: 'One [1/2]\nTwo [2/2]', platforms: [twitter, threads] });
    for (const post of group.posts) {
      expect(post.threadParts.map((part: { content: string }) => part.content)).toEqual(['One [1/2]', 'Two [2/2]']);
    }
  });

  test.for(['One [1/3]\nTwo [2/3]', 'One (1/2)\nTwo (2/2)', '---\nOne\n---', 'One\n----\nTwo', 'One --- two'])(
    '%j is one post',
    async (content) => {
      const { group } = await created({ content, platforms: [twitter, threads] });
      for (const post of group.posts) expect(post).toMatchObject({ isThread: false, threadParts: [], content });
    },
  );

  test('a premium account on X gets its long post whole', async () => {
    const premium = await ada.aConnection('twitter', { subscriptionType: 'PremiumPlus' });
    const content = sentences(25);
    const { group } = await created({ content, platforms: [premium, twitter] });
    expect(group.posts).toMatchObject([
      { isThread: false, threadParts: [] },
      { isThread: true, threadParts: { length: 3 } },
    ]);
  });
});

describe('3 states: what create-post tells', () => {
  const eventsOf = async (id: string) =>
    (
      await service.database.pool.query(
        `select type, body::json -> 'data' as data, user_id, created_at from events where post_group_id = $1`,
        [id],
      )
    ).rows;

  test('post.scheduled for a scheduled post, with its effective time and targets', async () => {
    const platforms = [mastodon, linkedin];
    const { id } = await created({ platforms, scheduledTime: '2027-05-05T12:00:00+02:00' });
    expect(await eventsOf(id)).toEqual([
      {
        type: 'post.scheduled',
        data: { postGroupId: id, scheduledTime: '2027-05-05T10:00:00.000Z', platforms },
        user_id: ada.id,
        created_at: clock.now(),
      },
    ]);
  });

  test('nothing for a draft or publishNow', async () => {
    for (const body of [{}, { publishNow: true }]) {
      const { id } = await created({ platforms: [mastodon], ...body });
      expect(await eventsOf(id)).toEqual([]);
    }
  });

  test('nothing again for a retry', async () => {
    const headers = { 'idempotency-key': 'event-1' };
    const body = { content: 'Once', platforms: [mastodon], scheduledTime: fromNow(3600) };
    const { postGroupId } = (await create(body, headers)).body;
    await create(body, headers);
    expect(await eventsOf(postGroupId)).toHaveLength(1);
  });

  test.for<[title: string, body: object, status: string]>([
    ['without a time', {}, 'draft'],
    ['with an empty time', { scheduledTime: '' }, 'draft'],
    ['with a time', { scheduledTime: '2027-08-01T00:00:00Z' }, 'scheduled'],
    ['with publishNow', { publishNow: true }, 'scheduled'],
  ])('%s, group and targets are in one status', async ([, body, status]) => {
    const { group } = await created({ platforms: [mastodon, linkedin], ...body });
    expect(group).toMatchObject({ status, posts: [{ status }, { status }] });
  });
});
