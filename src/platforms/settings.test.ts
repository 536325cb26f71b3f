import { describe, expect, test } from 'vitest';
import { Problem } from '../foundation/errors/index.ts';
import {
  checkSettingsForTargets,
  isTextOptional,
  isTextOptionalAsSent,
  lockedSettingIn,
  type ReadOptions,
  readSettings,
  type StoredSettings,
  settingIssues,
  videoKindOf,
} from './settings.ts';

const create: ReadOptions = { stored: null, booleans: 'create' };
const update = (stored: StoredSettings = {}): ReadOptions => ({ stored, booleans: 'update' });
const created = (input?: unknown) => readSettings(input, create);
const updated = (input: unknown, stored?: StoredSettings) => readSettings(input, update(stored));

/** Status and body of the error response. */
function answerOf(work: () => unknown): Record<string, unknown> {
  try {
    work();
  } catch (error) {
    if (error instanceof Problem) return { status: error.status, ...error.body };
    throw error;
  }
  throw new Error('It was accepted.');
}
const refused = (input: unknown, options = create) => answerOf(() => readSettings(input, options));
const invalid = (error: string) => ({ status: 400, error });
const unknown = (field: string) => ({
  status: 400,
  error: `Unknown platformSettings path: ${field}`,
  code: 'PLATFORM_SETTING_UNKNOWN',
  field,
});

describe('[platform-settings] the object', () => {
  test('a new post is stored with the defaults of every platform that has settings', () => {
    expect(created()).toEqual({
      instagram: { videoType: 'REELS' },
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
      linkedin: { repostEnabled: false, repostParentUrn: '', repostVisibility: '' },
      youtube: { privacy: 'public', title: '', madeForKids: false, playlist: { id: '', platformId: '' } },
      telegram: { disableNotification: false, disableWebPagePreview: false, protectContent: false },
    });
  });

  test('settings of the request override the defaults', () => {
    const settings = created({ instagram: { shareToFeed: false }, youtube: { title: 'Cats' } });
    expect(settings.instagram).toEqual({ videoType: 'REELS', shareToFeed: false });
    expect(settings.youtube).toMatchObject({ title: 'Cats', privacy: 'public' });
    expect(settings.threads).toEqual({ replyControl: '' });
  });

  test('an update keeps the settings that it leaves out', () => {
    const stored = created({ youtube: { title: 'Cats', tags: ['a'] }, telegram: { protectContent: true } });
    expect(updated({ youtube: { privacy: 'private' } }, stored)).toEqual({
      ...stored,
      youtube: { ...stored.youtube, privacy: 'private' },
    });
    expect(updated(undefined, stored)).toEqual(stored);
  });

  test('an update does not modify its input', () => {
    const stored = Object.freeze(created());
    Object.values(stored).forEach(Object.freeze);
    expect(updated({ youtube: { title: 'New' } }, stored)).not.toEqual(stored);
  });

  test('a post without stored settings gets the defaults of the platform that is updated', () => {
    expect(updated({ threads: { replyControl: 'everyone' }, instagram: { shareToFeed: true } })).toEqual({
      threads: { replyControl: 'everyone' },
      instagram: { videoType: 'REELS', shareToFeed: true },
    });
  });

  test('settings may be sent as JSON text', () => {
    expect(created('{"threads":{"replyControl":"everyone"}}').threads).toEqual({ replyControl: 'everyone' });
  });

  test.for(['', '{', 'threads'])('%j is not valid JSON', (input) => {
    expect(refused(input)).toEqual(invalid('Invalid platformSettings JSON'));
  });

  test.for([null, 3, true, [], '[]', 'null', '"text"'])('%j is not an object', (input) => {
    expect(refused(input)).toEqual(invalid('platformSettings must be an object'));
  });

  test.for([null, 'REELS', 1, []])('a platform with %j instead of an object is refused', (value) => {
    expect(refused({ instagram: value })).toEqual(invalid('platformSettings.instagram must be an object'));
  });
});

describe('[platform-settings.unknown] strict allowlist', () => {
  test.for<[input: object, field: string]>([
    [{ myspace: {} }, 'myspace'],
    [{ constructor: {} }, 'constructor'],
    [JSON.parse('{"__proto__":{}}'), '__proto__'],
    [{ instagram: { coverurl: '' } }, 'instagram.coverurl'],
    [{ telegram: { toString: true } }, 'telegram.toString'],
    [{ threads: { '': 1 } }, 'threads.'],
    [{ youtube: { playlist: { id: 'a', foo: 1 } } }, 'youtube.playlist.foo'],
    [{ youtube: { thumbnail: { mediaID: 'a' } } }, 'youtube.thumbnail.mediaID'],
  ])('%j', ([input, field]) => {
    expect(refused(input)).toEqual(unknown(field));
    expect(refused(input, update())).toEqual(unknown(field));
  });

  test.for(['twitter', 'mastodon', 'bluesky', 'facebook', 'pinterest'])('%s has no settings', (platform) => {
    expect(refused({ [platform]: {} })).toEqual(unknown(platform));
    expect(refused({ [platform]: { replyTo: '1' } })).toEqual(unknown(platform));
  });

  test('an unknown name is reported before any other error', () => {
    expect(refused({ telegram: { protectContent: 'maybe' }, instagram: 3, nobody: {} })).toEqual(unknown('nobody'));
  });

  test.for([
    ['playlistId', 'playlist'],
    ['thumbnailUrl', 'thumbnail'],
  ])('youtube.%s of the past points to %s', ([old, now]) => {
    const error = `platformSettings.youtube.${old} is not supported; use platformSettings.youtube.${now}.`;
    expect(refused({ youtube: { [old!]: 'x' } })).toEqual(invalid(error));
    expect(refused({ youtube: { [old!]: '' } }, update())).toEqual(invalid(error));
  });
});

describe('[platform-settings] allowed values', () => {
  test.for<[path: string, allowed: string[]]>([
    ['instagram.videoType', ['REELS', 'STORIES']],
    ['tiktok.viewerSetting', ['PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'FOLLOWER_OF_CREATOR', 'SELF_ONLY']],
    ['youtube.privacy', ['private', 'public', 'unlisted']],
    ['threads.replyControl', ['everyone', 'accounts_you_follow', 'mentioned_only']],
    ['linkedin.repostVisibility', ['PUBLIC', 'CONNECTIONS']],
  ])('%s', ([path, allowed]) => {
    const [platform = '', key = ''] = path.split('.');
    for (const value of allowed) expect(created({ [platform]: { [key]: value } })[platform]?.[key]).toBe(value);
    for (const value of ['other', 3, null, {}]) {
      const error = `platformSettings.${path} must be one of: ${allowed.join(', ')}`;
      expect(refused({ [platform]: { [key]: value } })).toEqual(invalid(error));
    }
  });

  test.for(['tiktok.viewerSetting', 'threads.replyControl', 'linkedin.repostVisibility'])('%s may be empty', (path) => {
    const [platform = '', key = ''] = path.split('.');
    expect(created({ [platform]: { [key]: '' } })[platform]?.[key]).toBe('');
  });

  test('lower-case repostVisibility is upper-cased', () => {
    expect(created({ linkedin: { repostVisibility: 'connections' } }).linkedin?.repostVisibility).toBe('CONNECTIONS');
  });

  test.for(['instagram.coverUrl', 'youtube.title', 'youtube.categoryId', 'linkedin.repostParentUrn'])(
    '%s is a text that the database can hold',
    (path) => {
      const [platform = '', key = ''] = path.split('.');
      const error = `platformSettings.${path} must be a string`;
      for (const value of [22, null, true, []])
        expect(refused({ [platform]: { [key]: value } })).toEqual(invalid(error));
      for (const value of ['a\0b', 'a\ud800']) {
        expect(refused({ [platform]: { [key]: value } }).error).toBe(
          `platformSettings.${path} must be valid Unicode without null characters`,
        );
      }
    },
  );
});

describe('[platform-settings.booleans] booleans', () => {
  const flags = {
    instagram: ['shareToFeed'],
    tiktok: ['allowComments', 'allowDuet', 'allowStitch', 'commercialContent', 'brandOrganic', 'brandedContent'],
    youtube: ['madeForKids'],
    telegram: ['disableNotification', 'disableWebPagePreview', 'protectContent'],
    linkedin: ['repostEnabled'],
  };
  const paths = Object.entries(flags).flatMap(([platform, keys]) => keys.map((key) => [platform, key] as const));
  const lenient = ['telegram', 'tiktok'];
  const spellings: [word: string, value: boolean][] = [
    ...['true', '1', 'yes', 'on', ' TRUE '].map((word): [string, boolean] => [word, true]),
    ...['false', '0', 'no', 'off', 'Off'].map((word): [string, boolean] => [word, false]),
  ];
  const parent = { repostParentUrn: 'urn:li:share:1' };
  const extra = (platform: string, value: boolean) => (platform === 'linkedin' && value ? parent : {});

  test.for(paths)('%s.%s is true or false', ([platform, key]) => {
    for (const value of [true, false]) {
      expect(created({ [platform]: { [key]: value, ...extra(platform, value) } })[platform]?.[key]).toBe(value);
    }
    const error = `platformSettings.${platform}.${key} must be a boolean`;
    for (const value of ['maybe', '', 1, 0, null]) {
      expect(refused({ [platform]: { [key]: value } })).toEqual(invalid(error));
      expect(refused({ [platform]: { [key]: value } }, update())).toEqual(invalid(error));
    }
  });

  test.for(paths)('an update accepts words for %s.%s', ([platform, key]) => {
    for (const [word, value] of spellings) {
      expect(updated({ [platform]: { [key]: word, ...extra(platform, value) } })[platform]?.[key]).toBe(value);
    }
  });

  test.for(paths.filter(([platform]) => lenient.includes(platform)))(
    'so does a new post for %s.%s',
    ([platform, key]) => {
      for (const [word, value] of spellings)
        expect(created({ [platform]: { [key]: word } })[platform]?.[key]).toBe(value);
    },
  );

  test.for(paths.filter(([platform]) => !lenient.includes(platform)))('but not for %s.%s', ([platform, key]) => {
    const error = `platformSettings.${platform}.${key} must be a boolean`;
    for (const [word] of spellings) expect(refused({ [platform]: { [key]: word } })).toEqual(invalid(error));
  });
});

describe('[platform-settings.instagram-cover] instagram', () => {
  const coverUrl = 'https://example.com/cover.jpg';

  test('cover_url is an alias of coverUrl, which takes precedence', () => {
    expect(created({ instagram: { cover_url: coverUrl } }).instagram).toEqual({ videoType: 'REELS', coverUrl });
    expect(created({ instagram: { coverUrl, cover_url: 'https://example.com/b.jpg' } }).instagram?.coverUrl).toBe(
      coverUrl,
    );
    expect(created({ instagram: { cover_url: 'https://example.com/b.jpg', coverUrl } }).instagram?.coverUrl).toBe(
      coverUrl,
    );
  });

  test('the empty string clears the cover', () => {
    const stored = created({ instagram: { coverUrl } });
    expect(updated({ instagram: { coverUrl: '' } }, stored).instagram).toEqual({ videoType: 'REELS' });
    expect(updated({ instagram: { cover_url: '' } }, stored).instagram).toEqual({ videoType: 'REELS' });
  });
});

describe('[platform-settings.linkedin-repost] linkedin', () => {
  const parent = 'urn:li:share:7123456789';
  const urn = 'platformSettings.linkedin.repostParentUrn';

  test.for([parent, 'urn:li:ugcPost:42'])('%s can be reposted', (repostParentUrn) => {
    expect(created({ linkedin: { repostEnabled: true, repostParentUrn } }).linkedin).toEqual({
      repostEnabled: true,
      repostParentUrn,
      repostVisibility: '',
    });
  });

  test.for(['7123456789', 'urn:li:activity:1', 'urn:li:share:', 'urn:li:share:1 2', 'https://linkedin.com/1'])(
    '%j cannot',
    (repostParentUrn) => {
      expect(refused({ linkedin: { repostEnabled: true, repostParentUrn } })).toEqual(
        invalid(`${urn} must be a LinkedIn post URN like urn:li:share:<id> or urn:li:ugcPost:<id>`),
      );
    },
  );

  test('a repost requires a parent', () => {
    const error = `${urn} is required when repostEnabled is true`;
    expect(refused({ linkedin: { repostEnabled: true } })).toEqual(invalid(error));
    expect(refused({ linkedin: { repostEnabled: 'on' } }, update(created()))).toEqual(invalid(error));
  });

  test('a parent is refused without a repost', () => {
    const error = `${urn} must be empty when repostEnabled is false`;
    expect(refused({ linkedin: { repostParentUrn: parent } })).toEqual(invalid(error));
    const stored = created({ linkedin: { repostEnabled: true, repostParentUrn: parent } });
    expect(refused({ linkedin: { repostEnabled: false } }, update(stored))).toEqual(invalid(error));
    expect(updated({ linkedin: { repostEnabled: false, repostParentUrn: '' } }, stored).linkedin).toMatchObject({
      repostEnabled: false,
      repostParentUrn: '',
    });
  });

  test('a company page cannot repost to connections', () => {
    const linkedin = { repostEnabled: true, repostParentUrn: parent, repostVisibility: 'CONNECTIONS' };
    const page = { platform: 'linkedin', accountId: 'org', isCompanyPage: true };
    const person = { platform: 'linkedin', accountId: 'ann', isCompanyPage: false };
    const settings = created({ linkedin });
    const error = 'LinkedIn company-page reposts cannot use CONNECTIONS visibility; choose PUBLIC';
    expect(answerOf(() => checkSettingsForTargets(settings, [person, page]))).toEqual(invalid(error));
    checkSettingsForTargets(settings, [person]);
    checkSettingsForTargets(settings, [{ ...page, platform: 'facebook' }]);
    checkSettingsForTargets(created({ linkedin: { ...linkedin, repostVisibility: 'PUBLIC' } }), [page]);
    checkSettingsForTargets(created({ linkedin: { repostVisibility: 'CONNECTIONS' } }), [page]);
  });

  test('a repost may have no text, and must have no media', () => {
    const repost = created({ linkedin: { repostEnabled: true, repostParentUrn: parent } });
    expect(isTextOptional(repost, 'linkedin')).toBe(true);
    expect(isTextOptional(repost, 'twitter')).toBe(false);
    expect(isTextOptional(created(), 'linkedin')).toBe(false);
    expect(settingIssues(repost, 'linkedin')).toEqual([]);
    expect(settingIssues(created(), 'linkedin', { hasMedia: true })).toEqual([]);
    expect(settingIssues(repost, 'linkedin', { hasMedia: true })).toEqual([
      {
        code: 'MEDIA_TYPE_NOT_SUPPORTED',
        message: 'LinkedIn reposts cannot include media — remove the attached files or turn off the repost setting',
        field: 'media',
      },
    ]);
  });
});

describe('[platform-settings] youtube', () => {
  const playlist = { id: 'PL1', platformId: 'youtube-UC1' };
  const thumbnail = { mediaId: 'a'.repeat(24), url: 'https://example.com/t.jpg' };

  test('tags are stored as an array', () => {
    expect(created({ youtube: { tags: ' cats ,two dogs,' } }).youtube?.tags).toEqual(['cats', 'two dogs']);
    expect(created({ youtube: { tags: ['cats', ' '] } }).youtube?.tags).toEqual(['cats']);
  });

  test('tags beyond the limit are dropped, not refused', () => {
    expect(created({ youtube: { tags: ['a'.repeat(499), 'b'] } }).youtube?.tags).toEqual(['a'.repeat(499)]);
  });

  test('empty tags and an empty category are cleared', () => {
    const stored = created({ youtube: { tags: 'a', categoryId: '22' } });
    expect(stored.youtube).toMatchObject({ tags: ['a'], categoryId: '22' });
    expect(updated({ youtube: { tags: [], categoryId: '' } }, stored).youtube).toEqual(created().youtube);
    expect(updated({ youtube: { tags: '' } }, stored).youtube).not.toHaveProperty('tags');
  });

  test.for([3, null, {}, [1], ['a', null]])('%j are not valid tags', (tags) => {
    expect(refused({ youtube: { tags } })).toEqual(
      invalid('platformSettings.youtube.tags must be an array of strings or a comma-separated string'),
    );
  });

  test('a playlist is set and cleared as one value', () => {
    const stored = created({ youtube: { playlist } });
    expect(stored.youtube?.playlist).toEqual(playlist);
    const none = { id: '', platformId: '' };
    expect(updated({ youtube: { playlist: none } }, stored).youtube?.playlist).toEqual(none);
    expect(updated({ youtube: { playlist: {} } }, stored).youtube?.playlist).toEqual(none);
    expect(refused({ youtube: { playlist: { id: 'PL2' } } }, update(stored))).toEqual(
      invalid('YouTube playlist requires both playlist.id and playlist.platformId.'),
    );
  });

  test.for<[value: unknown, error: string]>([
    ['PL1', 'platformSettings.youtube.playlist must be an object.'],
    [null, 'platformSettings.youtube.playlist must be an object.'],
    [[], 'platformSettings.youtube.playlist must be an object.'],
    [{ ...playlist, id: 1 }, 'platformSettings.youtube.playlist.id must be a string.'],
    [{ ...playlist, platformId: null }, 'platformSettings.youtube.playlist.platformId must be a string.'],
    [{ id: 'PL1' }, 'YouTube playlist requires both playlist.id and playlist.platformId.'],
    [{ id: '', platformId: 'youtube-UC1' }, 'YouTube playlist requires both playlist.id and playlist.platformId.'],
  ])('playlist %j', ([value, error]) => {
    expect(refused({ youtube: { playlist: value } })).toEqual(invalid(error));
  });

  test('a playlist requires exactly one channel, which must be its own', () => {
    const settings = created({ youtube: { playlist } });
    const channel = (accountId: string) => ({ platform: 'youtube', accountId });
    const check = (...ids: string[]) =>
      checkSettingsForTargets(settings, [{ platform: 'threads', accountId: '1' }, ...ids.map(channel)]);
    check('UC1');
    const one = 'YouTube playlist can only be set when exactly one YouTube channel is selected.';
    expect(answerOf(() => check())).toEqual(invalid(one));
    expect(answerOf(() => check('UC1', 'UC2'))).toEqual(invalid(one));
    expect(answerOf(() => check('UC2'))).toEqual(
      invalid('YouTube playlist platformId must match the selected YouTube channel.'),
    );
  });

  test('a stored playlist is checked too, until it is removed', () => {
    const stored = created({ youtube: { playlist } });
    const error = 'YouTube playlist can only be set when exactly one YouTube channel is selected.';
    for (const input of [undefined, { youtube: { title: 'New' } }]) {
      expect(answerOf(() => checkSettingsForTargets(updated(input, stored), []))).toEqual(invalid(error));
    }
    checkSettingsForTargets(updated({ youtube: { playlist: { id: '', platformId: '' } } }, stored), []);
  });

  test('an update sets a thumbnail, under either name, and the empty URL clears it', () => {
    const stored = updated({ youtube: { thumbnail } }, created());
    expect(stored.youtube?.thumbnail).toEqual(thumbnail);
    const other = { id: thumbnail.mediaId, path: thumbnail.url };
    expect(updated({ youtube: { thumbnail: other } }, created()).youtube?.thumbnail).toEqual(thumbnail);
    for (const none of [{ url: '' }, { path: '' }, { mediaId: thumbnail.mediaId, url: '' }]) {
      expect(updated({ youtube: { thumbnail: none } }, stored).youtube).not.toHaveProperty('thumbnail');
    }
    expect(updated({ youtube: { title: 'New' } }, stored).youtube?.thumbnail).toEqual(thumbnail);
  });

  test('a new post cannot have a thumbnail', () => {
    expect(refused({ youtube: { thumbnail } })).toEqual(
      invalid(
        'platformSettings.youtube.thumbnail cannot be set on create-post; create the post, then set it with update-post',
      ),
    );
  });

  test.for<[value: unknown, error: string]>([
    ['x.jpg', 'platformSettings.youtube.thumbnail must be an object.'],
    [{ ...thumbnail, url: 1 }, 'platformSettings.youtube.thumbnail.url must be a string'],
    [{ mediaId: 'a' }, 'YouTube thumbnail requires both thumbnail.mediaId and thumbnail.url.'],
    [{ url: 'https://example.com/t.jpg' }, 'YouTube thumbnail requires both thumbnail.mediaId and thumbnail.url.'],
    [{}, 'YouTube thumbnail requires both thumbnail.mediaId and thumbnail.url.'],
  ])('thumbnail %j', ([value, error]) => {
    expect(refused({ youtube: { thumbnail: value } }, update(created()))).toEqual(invalid(error));
  });

  test('a post with a title that is too long cannot be scheduled', () => {
    const issues = (title: string) => settingIssues(created({ youtube: { title } }), 'youtube');
    expect(issues('a'.repeat(100))).toEqual([]);
    expect(issues('a'.repeat(101))).toEqual([
      {
        code: 'PLATFORM_SETTING_INVALID',
        message: "Title exceeds YouTube's 100 character limit (currently 101)",
        field: 'settings',
      },
    ]);
  });
});

describe('[platform-settings] tiktok', () => {
  const issues = (tiktok: object) => settingIssues(created({ tiktok }), 'tiktok');

  test('a post cannot be scheduled without a viewer setting', () => {
    expect(issues({ viewerSetting: '' })).toEqual([
      {
        code: 'PLATFORM_SETTING_REQUIRED',
        message: 'TikTok requires selecting who can view your post',
        field: 'settings',
      },
    ]);
  });

  test('commercial content requires one of the brand settings', () => {
    expect(issues({ commercialContent: true })).toEqual([
      {
        code: 'PLATFORM_SETTING_INVALID',
        message: 'TikTok requires brandOrganic or brandedContent for commercial content',
        field: 'settings',
      },
    ]);
    expect(issues({ commercialContent: true, brandOrganic: true })).toEqual([]);
    expect(issues({ commercialContent: 'on', brandedContent: 'on' })).toEqual([]);
  });

  test('the defaults are valid, also for a post without stored settings', () => {
    expect(issues({})).toEqual([]);
    expect(settingIssues({}, 'tiktok')).toEqual([]);
  });

  test('a platform without settings has no issues', () => {
    expect(settingIssues(created(), 'twitter')).toEqual([]);
    expect(settingIssues(created(), 'nobody')).toEqual([]);
  });
});

describe('what settings mean for the rest of a post', () => {
  test.for<[sent: unknown, optional: boolean]>([
    [{ repostEnabled: true }, true],
    [{ repostParentUrn: 'urn:li:share:1' }, true],
    [{ repostEnabled: 'true' }, false],
    [{ repostParentUrn: ' ' }, false],
    ['text', false],
  ])('text is optional for a LinkedIn post that is sent with %j: %s', ([sent, optional]) => {
    expect(isTextOptionalAsSent({ linkedin: sent }, 'linkedin')).toBe(optional);
  });

  test.for(['mastodon', 'service', ''])('text is not optional for %j', (platform) => {
    expect(isTextOptionalAsSent({ [platform]: { repostEnabled: true } }, platform)).toBe(false);
  });

  test('the limits of a video follow from the settings, on platforms that have several kinds', () => {
    const kindOf = (settings: StoredSettings, platform: string, mediaCount = 1) =>
      videoKindOf(settings, platform, { mediaCount });
    expect(kindOf({}, 'instagram')).toBe('reels');
    expect(kindOf({ instagram: { videoType: 'STORIES' } }, 'instagram')).toBe('stories');
    expect(kindOf({ instagram: { videoType: 'STORIES' } }, 'instagram', 2)).toBe('carousel');
    expect(kindOf({}, 'facebook')).toBe('feed');
  });

  test.for<[sent: unknown, locked: string | null]>([
    [{ youtube: { playlist: {} } }, 'YouTube playlist'],
    [{ youtube: { title: 'Cats', thumbnail: {} } }, 'YouTube thumbnail'],
    [{ instagram: { cover_url: '' } }, 'Instagram cover'],
    [{ youtube: { title: 'Cats' }, telegram: {} }, null],
    [{ youtube: 'playlist' }, null],
    ['{}', null],
    [undefined, null],
  ])('of %j, %s is locked while a post is being published', ([sent, locked]) => {
    expect(lockedSettingIn(sent)).toBe(locked);
  });
});
