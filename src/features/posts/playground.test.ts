import { beforeAll, describe, expect, test } from 'vitest';
import { testClock } from '../../../test/support/service/app.ts';
import { createPostStage } from '../../../test/support/stages/create-post.ts';

const clock = testClock('2027-03-04T05:06:07.000Z');
const stage = createPostStage(clock);
const { create, refused, count } = stage;
let mastodon: string;
beforeAll(async () => {
  mastodon = await stage.ada().aConnection();
});

describe('[create-post.playground] service-playground', () => {
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
    expect((await stage.ada().call('GET', `/get-post/${answer.body.postGroupId}`)).status).toBe(404);
  });

  test('works for a user without connections, and as a JSON string', async () => {
    const ben = await stage.service().aUser();
    const { status } = await ben.call('POST', '/create-post', { content: 'x', platforms: JSON.stringify(platforms) });
    expect(status).toBe(200);
  });

  test('cannot be combined with other targets', async () => {
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
