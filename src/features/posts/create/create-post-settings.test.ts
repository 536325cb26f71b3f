import { beforeAll, describe, expect, test } from 'vitest';
import { testClock } from '../../../../test/support/service/app.ts';
import { createPostStage } from '../../../../test/support/stages/create-post.ts';

const clock = testClock('2027-03-04T05:06:07.000Z');
const stage = createPostStage(clock);
const { created, refused, fromNow } = stage;
let mastodon: string;
let linkedin: string;
let youtube: string;
beforeAll(async () => {
  mastodon = await stage.ada().aConnection();
  linkedin = await stage.ada().aConnection('linkedin');
  youtube = await stage.ada().aConnection('youtube');
});

describe('[platform-settings] platformSettings of a new post', () => {
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
  ])('%s: the defaults are stored', async ([, platformSettings]) => {
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

  test.each([
    'nonsense',
    'http://',
    'ftp://example.com/cover.jpg',
    'javascript:alert(1)',
    'http://127.0.0.1/cover.jpg',
    'https://10.0.0.8/cover.jpg',
    'https://[::1]/cover.jpg',
    'https://metadata.internal/cover.jpg',
    'https://ada:secret@example.com/cover.jpg',
    'https://example.com:8443/cover.jpg',
  ])(
    '[platform-settings.public-images] the cover %s is refused when it is set, as every address that is not public',
    async (coverUrl) => {
      const platformSettings = { instagram: { coverUrl } };
      const refusal = await refused({ platforms: [mastodon], platformSettings });
      expect(refusal).toEqual({
        error: expect.stringMatching(/^platformSettings\.instagram\.coverUrl must be a public http\(s\) URL\. \S.*\.$/),
        field: 'instagram.coverUrl',
      });
      const { postGroupId } = (await created({ platforms: [mastodon] })).group;
      const { status, body } = await stage.ada().call('PUT', `/update-post/${postGroupId}`, { platformSettings });
      expect([status, body]).toEqual([400, refusal]);
    },
  );

  test('a thumbnail cannot be set on create-post', async () => {
    const { error } = await refused({
      platforms: [youtube],
      platformSettings: { youtube: { thumbnail: { mediaId: 'f'.repeat(24), url: 'https://example.com/a.png' } } },
    });
    expect(error).toContain('platformSettings.youtube.thumbnail cannot be set on create-post');
  });
});

describe('[platform-settings.linkedin-repost] a LinkedIn repost', () => {
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

  test('of a company page cannot be for connections only', async () => {
    const page = await stage.ada().aConnection('linkedin', { isCompanyPage: true });
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

describe('[platform-settings.youtube-playlist] a YouTube playlist', () => {
  test('is stored for the one channel that it belongs to', async () => {
    const playlist = { id: 'PL1', platformId: youtube };
    const { group } = await created({ platforms: [youtube, mastodon], platformSettings: { youtube: { playlist } } });
    expect(group.platformSettings.youtube.playlist).toEqual(playlist);
  });

  test('two empty strings mean no playlist, for any targets', async () => {
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
    const another = await stage.ada().aConnection('youtube');
    expect(await refused({ platforms: [mastodon], platformSettings })).toEqual({ error });
    expect(await refused({ platforms: [youtube, another], platformSettings })).toEqual({ error });
  });
});
