import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testClock } from '../../../../test/support/service/app.ts';
import { type TestService, type TestUser, testService } from '../../../../test/support/service/service.ts';
import type { PlatformName } from '../../../platforms/index.ts';
import { connectSandboxAccount } from '../../connections/connect/sandbox.ts';

const clock = testClock('2027-03-04T05:06:07.000Z');
const scheduledTime = '2027-03-05T00:00:00Z';
const names = [
  'twitter',
  'instagram',
  'threads',
  'tiktok',
  'linkedin',
  'youtube',
  'facebook',
  'mastodon',
  'bluesky',
  'telegram',
  'pinterest',
] as const satisfies PlatformName[];
let service: TestService;
let ada: TestUser;
const on = {} as Record<PlatformName, string>;

beforeAll(async () => {
  service = await testService({ clock });
  ada = await service.aUser();
  for (const name of names) on[name] = await ada.aConnection(name);
  // This account exists in the sandbox: Crier checks with Threads before a thread is scheduled.
  const { app, sandbox } = service;
  on.threads = (
    await connectSandboxAccount(app, sandbox.url, ada.id, { platform: 'threads', handle: 'ada' })
  ).platformId;
});
afterAll(() => service.close());

const create = (body: object, headers?: Record<string, string>) =>
  ada.call('POST', '/create-post', { scheduledTime, ...body }, headers);

/** The number of rows in each table. The request log is written shortly after a call. */
async function everything(): Promise<Record<string, number>> {
  const { pool } = service.database;
  const { rows } = await pool.query(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('information_schema', 'pg_catalog')
       and table_name not like 'request_log%' order by 1`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of rows) counts[name] = (await pool.query(`select count(*)::int from ${name}`)).rows[0].count;
  return counts;
}

interface Issue {
  platform: string;
  code: string;
  message: string;
  field: string;
  severity: string;
}
/** Expects an error response and no stored changes. Returns the errors. */
async function refused(body: object, headers?: Record<string, string>) {
  const before = await everything();
  const answer = await create(body, headers);
  expect(answer).toMatchObject({ status: 400, body: { error: 'Validation failed', validation: { valid: false } } });
  expect(await everything()).toEqual(before);
  const { errors, warnings, summary } = answer.body.validation;
  expect([summary.errorCount, summary.warningCount]).toEqual([errors.length, warnings.length]);
  return answer.body.validation as { errors: Issue[]; warnings: Issue[]; summary: { affectedPlatforms: string[] } };
}
async function accepted(body: object) {
  const answer = await create(body);
  expect(answer).toMatchObject({ status: 200, body: { success: true } });
  expect(answer.body).not.toHaveProperty('validation');
  return answer.body;
}
const codes = (issues: Issue[]) => issues.map(({ platform, code }) => `${platform} ${code}`);

describe('[validation.envelope] the envelope', () => {
  test('has all errors of all platforms together, and the warnings', async () => {
    const answer = await create({
      content: 'x'.repeat(450),
      platforms: [on.twitter, on.instagram, on.bluesky, on.mastodon],
    });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      error: 'Validation failed',
      validation: {
        valid: false,
        errors: [
          {
            platform: 'instagram',
            code: 'MEDIA_REQUIRED',
            message: 'Instagram posts require media',
            field: 'media',
            severity: 'error',
            suggestions: [expect.any(String), expect.any(String)],
          },
          {
            platform: 'bluesky',
            code: 'CONTENT_TOO_LONG',
            message: "Content exceeds Bluesky's 300 character limit (currently 450)",
            field: 'content',
            severity: 'error',
            constraint: 'maxLength',
            currentValue: 450,
            maxValue: 300,
            suggestions: [expect.any(String)],
          },
        ],
        warnings: [
          {
            platform: 'twitter',
            code: 'CONTENT_TOO_LONG',
            message: "Content exceeds Twitter/X's 280 character limit (currently 450)",
            field: 'content',
            severity: 'warning',
            constraint: 'maxLength',
            currentValue: 450,
            maxValue: 280,
            suggestions: [expect.any(String)],
          },
        ],
        summary: { affectedPlatforms: ['twitter', 'instagram', 'bluesky'], errorCount: 2, warningCount: 1 },
      },
    });
  });

  test('several errors on one platform are all listed, and the platform once', async () => {
    const { errors, summary } = await refused({
      content: 'x'.repeat(2201),
      platforms: [on.tiktok],
      platformSettings: { tiktok: { viewerSetting: '', commercialContent: true } },
    });
    expect(codes(errors)).toEqual([
      'tiktok CONTENT_TOO_LONG',
      'tiktok MEDIA_REQUIRED',
      'tiktok PLATFORM_SETTING_REQUIRED',
      'tiktok PLATFORM_SETTING_INVALID',
    ]);
    expect(summary.affectedPlatforms).toEqual(['tiktok']);
  });

  test('a success has no validation: warnings alone are not shown', async () => {
    const body = await accepted({ content: 'x'.repeat(450), platforms: [on.twitter] });
    expect(body).not.toHaveProperty('warnings');
  });

  test('publishNow is validated like a time', async () => {
    const { errors } = await refused({
      content: 'x',
      platforms: [on.instagram],
      scheduledTime: null,
      publishNow: true,
    });
    expect(codes(errors)).toEqual(['instagram MEDIA_REQUIRED']);
  });

  test('a draft is not validated', async () => {
    const { status, body } = await create({
      content: 'x'.repeat(100_000),
      platforms: Object.values(on),
      scheduledTime: undefined,
      platformSettings: { tiktok: { viewerSetting: '' } },
    });
    expect([status, body.scheduledTime]).toEqual([200, null]);
  });

  test('the idempotency key of a refused request can be used again', async () => {
    const headers = { 'idempotency-key': 'validation-1' };
    await refused({ content: 'x', platforms: [on.instagram] }, headers);
    expect((await create({ content: 'x', platforms: [on.mastodon] }, headers)).status).toBe(200);
  });
});

describe('[validation] text', () => {
  test.for<[platform: PlatformName, max: number, name: string]>([
    ['linkedin', 3000, 'LinkedIn'],
    ['facebook', 63_206, 'Facebook'],
    ['mastodon', 500, 'Mastodon'],
    ['bluesky', 300, 'Bluesky'],
    ['telegram', 4096, 'Telegram'],
  ])('on %s has at most %i characters', async ([platform, max, name]) => {
    await accepted({ content: 'x'.repeat(max), platforms: [on[platform]] });
    const { errors, warnings } = await refused({ content: 'x'.repeat(max + 1), platforms: [on[platform]] });
    expect(errors).toMatchObject([
      {
        platform,
        code: 'CONTENT_TOO_LONG',
        message: `Content exceeds ${name}'s ${max} character limit (currently ${max + 1})`,
        field: 'content',
        severity: 'error',
        constraint: 'maxLength',
        currentValue: max + 1,
        maxValue: max,
      },
    ]);
    expect(warnings).toEqual([]);
  });

  test.for<[platform: 'twitter' | 'threads', max: number, name: string]>([
    ['twitter', 280, 'Twitter/X'],
    ['threads', 500, 'Threads'],
  ])(
    'on %s over %i characters becomes a thread: a warning, seen only beside an error',
    async ([platform, max, name]) => {
      const message = `Content exceeds ${name}'s ${max} character limit (currently ${max + 1})`;
      const platforms = [on[platform], on.instagram];
      const over = await refused({ content: 'x'.repeat(max + 1), platforms });
      expect(over.warnings).toMatchObject([{ platform, code: 'CONTENT_TOO_LONG', message, severity: 'warning' }]);
      expect(codes(over.errors)).toEqual(['instagram MEDIA_REQUIRED']);
      expect((await refused({ content: 'x'.repeat(max), platforms })).warnings).toEqual([]);
    },
  );

  test('an emoji counts 2 on X, and 1 on Bluesky', async () => {
    const content = '😀'.repeat(141);
    const { warnings } = await refused({ content, platforms: [on.twitter, on.bluesky, on.instagram] });
    expect(warnings).toMatchObject([{ platform: 'twitter', currentValue: 282 }]);
  });

  test('a link counts 23 on Mastodon', async () => {
    const link = `https://example.com/${'a'.repeat(1000)}`;
    await accepted({ content: `${'x'.repeat(476)} ${link}`, platforms: [on.mastodon] });
    const { errors } = await refused({ content: `${'x'.repeat(477)} ${link}`, platforms: [on.mastodon] });
    expect(errors).toMatchObject([{ currentValue: 501, maxValue: 500 }]);
  });

  test('Bluesky also accepts at most 3000 bytes', async () => {
    const family = '👨‍👩‍👧‍👦';
    await accepted({ content: family.repeat(120), platforms: [on.bluesky] });
    const { errors } = await refused({ content: family.repeat(121), platforms: [on.bluesky] });
    expect(errors).toMatchObject([
      {
        code: 'CONTENT_TOO_LONG',
        message: "Content exceeds Bluesky's 3000 byte limit (currently 3025)",
        field: 'content',
        currentValue: 3025,
        maxValue: 3000,
      },
    ]);
  });

  test.for(['Premium', 'PremiumPlus'])('an X account with %s has 25000 characters', async (subscriptionType) => {
    const premium = await ada.aConnection('twitter', { subscriptionType });
    const within = await refused({ content: 'x'.repeat(25_000), platforms: [premium, on.instagram] });
    expect(codes(within.warnings)).toEqual([]);
    const { warnings } = await refused({ content: 'x'.repeat(25_001), platforms: [premium, on.instagram] });
    expect(warnings).toMatchObject([
      { message: "Content exceeds Twitter/X's 25000 character limit (currently 25001)", maxValue: 25_000 },
    ]);
  });

  test.for(['Basic', 'None'])('an X account with %s has 280', async (subscriptionType) => {
    const account = await ada.aConnection('twitter', { subscriptionType });
    const { warnings } = await refused({ content: 'x'.repeat(281), platforms: [account, on.instagram] });
    expect(warnings).toMatchObject([{ maxValue: 280 }]);
  });

  test('each account has its own limit, also two on one platform', async () => {
    const premium = await ada.aConnection('twitter', { subscriptionType: 'Premium' });
    const { warnings } = await refused({ content: 'x'.repeat(281), platforms: [premium, on.twitter, on.instagram] });
    expect(warnings).toMatchObject([{ platform: 'twitter', maxValue: 280 }]);
  });

  test('the limit and the link length of the Mastodon server apply', async () => {
    const ben = await service.aUser();
    const target = await ben.aConnection();
    await service.database.pool.query('update connections set traits = traits || $1 where user_id = $2', [
      { maxCharacters: 5000, charactersPerUrl: 100 },
      ben.id,
    ]);
    const post = (content: string) => ben.call('POST', '/create-post', { content, platforms: [target], scheduledTime });
    const link = 'https://example.com';
    expect((await post(`${'x'.repeat(4899)} ${link}`)).status).toBe(200);
    expect((await post(`${'x'.repeat(4900)} ${link}`)).body.validation.errors).toMatchObject([
      { message: "Content exceeds Mastodon's 5000 character limit (currently 5001)" },
    ]);
  });

  const tags = (count: number) => Array.from({ length: count }, (_, i) => `#tag${i}`).join(' ');
  const people = (count: number) => '@ada '.repeat(count);
  const links = (count: number) => Array.from({ length: count }, (_, i) => `https://example.com/${i}`).join(' ');
  test.for<[platform: PlatformName, within: string, over: string, issue: object]>([
    [
      'instagram',
      tags(30),
      tags(31),
      {
        code: 'HASHTAG_COUNT_EXCEEDED',
        message: 'Instagram allows at most 30 hashtags per post (currently 31)',
        currentValue: 31,
        maxValue: 30,
      },
    ],
    [
      'instagram',
      people(20),
      people(21),
      {
        code: 'MENTION_COUNT_EXCEEDED',
        message: 'Instagram allows at most 20 mentions per post (currently 21)',
        currentValue: 21,
        maxValue: 20,
      },
    ],
    [
      'threads',
      `${links(5)} ${links(5)}`,
      links(6),
      {
        code: 'LINK_COUNT_EXCEEDED',
        message: 'Threads allows at most 5 links per post (currently 6)',
        currentValue: 6,
        maxValue: 5,
      },
    ],
  ])('[validation.text-tokens] on %s, at most as many as %s', async ([platform, within, over, issue]) => {
    const errorsOf = async (content: string) =>
      (await refused({ content, platforms: [on[platform], on.tiktok] })).errors.filter(
        ({ code }) => code !== 'MEDIA_REQUIRED',
      );
    expect(await errorsOf(within)).toEqual([]);
    expect(await errorsOf(over)).toEqual([
      { platform, field: 'content', severity: 'error', constraint: 'maxCount', ...issue },
    ]);
  });

  test('[validation.text-tokens] each part of a thread may have as many links as a post', async () => {
    await accepted({ content: `${links(5)}\n---\n${links(5).replaceAll('com', 'net')}`, platforms: [on.threads] });
    const { errors } = await refused({ content: `One\n---\n${links(6)}`, platforms: [on.threads] });
    expect(codes(errors)).toEqual(['threads LINK_COUNT_EXCEEDED']);
  });

  test('a marked part over the limit is an error that names it', async () => {
    const content = `${'x'.repeat(290)} [1/3]\nTwo [2/3]\n${'y'.repeat(300)} [3/3]`;
    const { errors, warnings } = await refused({ content, platforms: [on.twitter] });
    expect(errors).toEqual([
      {
        platform: 'twitter',
        code: 'THREAD_PART_TOO_LONG',
        message: "Part 1 of the thread exceeds Twitter/X's 280 character limit (currently 296)",
        field: 'threadParts[0]',
        severity: 'error',
        constraint: 'maxLength',
        currentValue: 296,
        maxValue: 280,
      },
      expect.objectContaining({ code: 'THREAD_PART_TOO_LONG', field: 'threadParts[2]', currentValue: 306 }),
    ]);
    expect(codes(warnings)).toEqual(['twitter CONTENT_TOO_LONG']);
  });

  test('the same text is fine on Threads, where its parts fit', async () => {
    await accepted({ content: `${'x'.repeat(290)} [1/2]\nTwo [2/2]`, platforms: [on.threads] });
  });

  test('a part between lines of --- that is over the limit is split further', async () => {
    await accepted({ content: `${'x'.repeat(600)}\n---\nTwo`, platforms: [on.twitter, on.threads] });
  });

  test('[threads.max-parts] separators that make 1000 parts or more are an error, also in a text that would fit', async () => {
    const content = Array.from({ length: 1000 }, () => 'a').join('\n---\n');
    const premium = await ada.aConnection('twitter', { subscriptionType: 'Premium' });
    const { errors } = await refused({ content, platforms: [premium] });
    expect(errors).toMatchObject([{ code: 'CONTENT_TOO_LONG', constraint: 'maxCount', maxValue: 999 }]);
  });

  test('a thread of 1000 parts or more is an error', async () => {
    const content = 'x'.repeat(270 * 1000);
    const { errors } = await refused({ content, platforms: [on.twitter] });
    expect(errors).toMatchObject([{ platform: 'twitter', code: 'CONTENT_TOO_LONG', severity: 'error' }]);
  });

  test('white space around a text does not turn it into a thread', async () => {
    const { postGroupId } = await accepted({ content: `${'x'.repeat(280)}\n\n`, platforms: [on.twitter] });
    expect((await ada.call('GET', `/get-post/${postGroupId}`)).body.posts).toMatchObject([
      { content: 'x'.repeat(280), isThread: false },
    ]);
  });

  test('an empty text is an error on targets other than the repost', async () => {
    const { errors } = await refused({
      platforms: [on.linkedin, on.mastodon, on.twitter, on.instagram],
      platformSettings: { linkedin: { repostEnabled: true, repostParentUrn: 'urn:li:share:1' } },
    });
    expect(codes(errors)).toEqual([
      'mastodon CONTENT_OR_MEDIA_REQUIRED',
      'twitter CONTENT_OR_MEDIA_REQUIRED',
      'instagram CONTENT_TOO_SHORT',
      'instagram MEDIA_REQUIRED',
    ]);
    expect(errors[0]).toEqual({
      platform: 'mastodon',
      code: 'CONTENT_OR_MEDIA_REQUIRED',
      message: expect.any(String),
      field: 'content',
      severity: 'error',
    });
  });
});

describe('[validation] media', () => {
  test.for<[platform: PlatformName, message: string]>([
    ['instagram', 'Instagram posts require media'],
    ['tiktok', 'TikTok posts require media'],
  ])('%s requires media', async ([platform, message]) => {
    const { errors } = await refused({ content: 'x', platforms: [on[platform]] });
    expect(errors).toEqual([
      {
        platform,
        code: 'MEDIA_REQUIRED',
        message,
        field: 'media',
        severity: 'error',
        suggestions: ['Upload an image or video for this platform', expect.stringContaining('POST /get-upload-url')],
      },
    ]);
  });

  test('YouTube requires a video', async () => {
    const { errors } = await refused({ content: 'x', platforms: [on.youtube] });
    expect(errors).toEqual([
      {
        platform: 'youtube',
        code: 'VIDEO_REQUIRED',
        message: 'YouTube requires a video',
        field: 'video',
        severity: 'error',
        suggestions: ['Upload a video for this platform', expect.stringContaining('POST /get-upload-url')],
      },
    ]);
  });

  test('the suggestion names the calls of the client', async () => {
    const body = { content: 'x', platforms: [on.instagram, on.youtube] };
    for (const { suggestions } of (await refused(body)).errors as (Issue & { suggestions: string[] })[]) {
      expect(suggestions[1]).toMatch(/POST \/get-upload-url.*PUT \/update-post/);
    }
    const { errors } = await refused(body, { 'x-service-client': 'mcp' });
    for (const { suggestions } of errors as (Issue & { suggestions: string[] })[]) {
      expect(suggestions[1]).toMatch(/get_upload_url.*update_post/);
      expect(suggestions[1]).not.toMatch(/POST|PUT/);
    }
  });
});

describe('[validation] settings and platforms', () => {
  test.for<[title: string, tiktok: object, issues: object[]]>([
    [
      'nobody chosen to view it',
      { viewerSetting: '' },
      [{ code: 'PLATFORM_SETTING_REQUIRED', message: 'TikTok requires selecting who can view your post' }],
    ],
    [
      'commercial content of no kind',
      { commercialContent: true },
      [{ code: 'PLATFORM_SETTING_INVALID', message: expect.any(String) }],
    ],
    ['commercial content of a kind', { commercialContent: true, brandOrganic: true }, []],
    ['branded content', { commercialContent: 'on', brandedContent: 'yes' }, []],
  ])('TikTok: %s', async ([, tiktok, issues]) => {
    const { errors } = await refused({ content: 'x', platforms: [on.tiktok], platformSettings: { tiktok } });
    expect(errors.filter(({ code }) => code !== 'MEDIA_REQUIRED')).toEqual(
      issues.map((issue) => ({ platform: 'tiktok', field: 'settings', severity: 'error', ...issue })),
    );
  });

  test('settings of a platform that is not a target are ignored', async () => {
    await accepted({
      content: `Only here ${process.hrtime.bigint()}`,
      platforms: [on.mastodon],
      platformSettings: { tiktok: { viewerSetting: '', commercialContent: true } },
    });
  });

  test('a title over 100 characters on YouTube is invalid', async () => {
    const { errors } = await refused({
      content: 'x',
      platforms: [on.youtube],
      platformSettings: { youtube: { title: 'x'.repeat(101) } },
    });
    expect(codes(errors)).toEqual(['youtube VIDEO_REQUIRED', 'youtube PLATFORM_SETTING_INVALID']);
  });

  test('Pinterest cannot be posted to', async () => {
    const { errors } = await refused({ content: 'x', platforms: [on.pinterest] });
    expect(codes(errors)).toContain('pinterest PLATFORM_NOT_SUPPORTED');
  });
});

describe('[validation] POST /validate-post', () => {
  const validate = (body: object, headers?: Record<string, string>) =>
    ada.call('POST', '/validate-post', body, headers);

  test('returns the validation of create-post with 200 and stores nothing', async () => {
    const body = { content: 'v'.repeat(450), platforms: [on.twitter, on.instagram, on.bluesky], scheduledTime };
    const before = await everything();
    const answer = await validate(body, { 'idempotency-key': 'validate-1' });
    expect(await everything()).toEqual(before);
    const { validation } = (await create(body)).body;
    expect([answer.status, answer.body]).toEqual([200, { success: true, validation, texts: expect.any(Array) }]);
    expect(validation.summary).toEqual({
      affectedPlatforms: ['twitter', 'instagram', 'bluesky'],
      errorCount: 2,
      warningCount: 1,
    });
  });

  test('a post without errors is valid', async () => {
    const before = await everything();
    const answer = await validate({ content: 'Fine', platforms: [on.mastodon], scheduledTime });
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        success: true,
        validation: {
          valid: true,
          errors: [],
          warnings: [],
          summary: { affectedPlatforms: [], errorCount: 0, warningCount: 0 },
        },
        texts: [
          {
            platforms: [on.mastodon],
            length: 4,
            maxLength: 500,
            counting: { unit: 'fediverse', linkLength: 23 },
            parts: ['Fine'],
          },
        ],
      },
    ]);
    expect(await everything()).toEqual(before);
  });

  test('a link counts as it is written on X, and 23 in the count to show', async () => {
    const content = `See https://example.com/${'a'.repeat(80)} and https://example.com/b`;
    const { body } = await validate({ content, platforms: [on.twitter, on.mastodon], scheduledTime });
    expect(body.texts).toMatchObject([
      { platforms: [on.twitter], length: content.length, networkLength: 4 + 23 + 5 + 23 },
      { platforms: [on.mastodon], length: 55 },
    ]);
    expect(body.texts[1]).not.toHaveProperty('networkLength');
    const plain = await validate({ content: 'No link', platforms: [on.twitter], scheduledTime });
    expect(plain.body.texts[0]).not.toHaveProperty('networkLength');
  });

  test('a valid post has its warnings in the answer', async () => {
    const { body } = await validate({ content: 'x'.repeat(450), platforms: [on.twitter], scheduledTime });
    expect(body.validation).toMatchObject({ valid: true, errors: [], warnings: [{ code: 'CONTENT_TOO_LONG' }] });
  });

  test('a draft is validated too', async () => {
    const { status, body } = await validate({ content: 'x', platforms: [on.instagram] });
    expect([status, body.validation.valid, codes(body.validation.errors)]).toEqual([
      200,
      false,
      ['instagram MEDIA_REQUIRED'],
    ]);
  });

  test('includes the warnings of create-post', async () => {
    const { body } = await validate({
      content: 'Late',
      platforms: [on.mastodon],
      scheduledTime: clock.now().toISOString(),
      firstComment: { text: 'First', platforms: ['linkedin'] },
    });
    expect(body.warnings).toMatchObject([
      { code: 'SCHEDULED_TIME_COERCED' },
      { code: 'FIRST_COMMENT_PLATFORM_NOT_TARGETED' },
    ]);
  });

  test('a post to the playground is always valid', async () => {
    const { status, body } = await validate({ content: 'x', platforms: ['service-playground'], publishNow: true });
    expect([status, body.validation.valid]).toEqual([200, true]);
  });

  test.for<[title: string, body: () => object, status: number, error: object]>([
    ['no content', () => ({ platforms: [on.mastodon] }), 400, { error: 'Content is required' }],
    ['no platforms', () => ({ content: 'x' }), 400, { error: 'Platforms are required' }],
    [
      'an unknown connection',
      () => ({ content: 'x', platforms: ['mastodon-0@no'] }),
      400,
      { code: 'INVALID_PLATFORM_CONNECTION' },
    ],
    [
      'an unknown setting',
      () => ({ content: 'x', platforms: [on.mastodon], platformSettings: { mastodon: {} } }),
      400,
      { code: 'PLATFORM_SETTING_UNKNOWN', field: 'mastodon' },
    ],
    [
      'a past time',
      () => ({ content: 'x', platforms: [on.mastodon], scheduledTime: '2020-01-01T00:00:00Z' }),
      400,
      { code: 'SCHEDULED_TIME_IN_PAST' },
    ],
    [
      'a comment that is too long',
      () => ({ content: 'x', platforms: [on.bluesky], firstComment: { text: 'x'.repeat(301) } }),
      400,
      { code: 'FIRST_COMMENT_TOO_LONG' },
    ],
    [
      'publishNow with a future time',
      () => ({ content: 'x', platforms: [on.mastodon], scheduledTime, publishNow: true }),
      400,
      { code: 'PUBLISH_NOW_CONFLICT' },
    ],
  ])('refuses as create-post does: %s', async ([, body, status, error]) => {
    const before = await everything();
    const answer = await validate(body());
    expect(answer).toMatchObject({ status, body: error });
    expect((await ada.call('POST', '/create-post', body())).body).toEqual(answer.body);
    expect(await everything()).toEqual(before);
  });

  test('a platform that the plan leaves out is refused', async () => {
    const ben = await service.aUser({ plan: 'starter' });
    const platforms = [await ben.aConnection('twitter')];
    const { status, body } = await ben.call('POST', '/validate-post', { content: 'x', platforms });
    expect([status, body.code]).toEqual([403, 'PLATFORM_NOT_AVAILABLE']);
  });
});
