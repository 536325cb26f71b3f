import { beforeAll, describe, expect, test } from 'vitest';
import { testClock } from '../../../../test/support/service/app.ts';
import { createPostStage } from '../../../../test/support/stages/create-post.ts';

const clock = testClock('2027-03-04T05:06:07.000Z');
const stage = createPostStage(clock);
const { created, refused, fromNow } = stage;
let mastodon: string;
let linkedin: string;
let twitter: string;
let youtube: string;
beforeAll(async () => {
  mastodon = await stage.ada().aConnection();
  linkedin = await stage.ada().aConnection('linkedin');
  twitter = await stage.ada().aConnection('twitter');
  youtube = await stage.ada().aConnection('youtube');
});

describe('[first-comments] first comments of a new post', () => {
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
  ])('%s means no comments', async ([, body]) => {
    const { group } = await created({ platforms: [linkedin], ...body });
    expect([group.firstComment, group.firstComments]).toEqual([null, []]);
  });

  test('a platform that is named but not a target gives a warning, and the comment is stored', async () => {
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

  test('a mention that LinkedIn cannot render is refused, as in the text of a post', async () => {
    const text = 'Hi @{urn:li:person:ACoAAB12|Ann Lee}';
    const refusal = {
      code: 'FIRST_COMMENT_INVALID',
      error: expect.stringContaining('LinkedIn cannot render mentions that use web-profile ids'),
      platform: 'linkedin',
    };
    const firstComments = [{ text: 'One' }, { text }];
    expect(await refused({ platforms: [linkedin], firstComment: { text } })).toMatchObject({
      ...refusal,
      field: 'firstComment.text',
    });
    expect(await refused({ platforms: [mastodon, linkedin], firstComments })).toMatchObject({
      ...refusal,
      field: 'firstComments[1].text',
    });
    const elsewhere = await created({ platforms: [mastodon], firstComments });
    expect(elsewhere.group.firstComments).toEqual(firstComments);
  });

  test('targets that take no comments give a warning', async () => {
    const { answer } = await created({ platforms: [linkedin, youtube], firstComment: { text: 'One' } });
    expect(answer.warnings).toEqual([
      {
        code: 'FIRST_COMMENT_UNSUPPORTED_PLATFORMS',
        message: expect.stringContaining('youtube'),
        platforms: ['youtube'],
      },
    ]);
  });

  test('warnings come after the warning about the time, each once', async () => {
    const { answer } = await created({
      platforms: [mastodon, await stage.ada().aConnection('telegram')],
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
    const premium = await stage.ada().aConnection('twitter', { subscriptionType: 'Premium' });
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
