import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestService, type TestUser, testService } from '../../../../test/support/service/service.ts';

let service: TestService;
let ada: TestUser;
let target: string;
beforeAll(async () => {
  service = await testService();
  ada = await service.aUser();
  target = await ada.aConnection();
});
afterAll(() => service.close());

const unknown = (field: string, didYouMean?: string) => ({
  code: 'UNKNOWN_FIELD',
  message: `The field "${field}" does not exist and was ignored.${didYouMean ? ` Did you mean "${didYouMean}"?` : ''}`,
  field,
  ...(didYouMean && { didYouMean }),
});

describe('a field that does not exist', () => {
  test('[errors.unknown-fields] is listed in the warnings of create-post with the nearest field', async () => {
    const post = { content: 'Hello', platforms: [target], scheduleTime: '2099-01-01T00:00:00Z', publish_now: true };
    const { status, body } = await ada.call('POST', '/create-post', { ...post, colour: 'red' });
    expect([status, body.success, body.scheduledTime]).toEqual([200, true, null]);
    expect(body.warnings).toEqual([
      unknown('scheduleTime', 'scheduledTime'),
      unknown('publish_now', 'publishNow'),
      unknown('colour'),
    ]);
  });

  test('[errors.unknown-fields] comes after the warnings of the contract', async () => {
    const scheduledTime = new Date(service.app.clock.now().getTime() - 1000).toISOString();
    const { body } = await ada.call('POST', '/create-post', {
      content: 'Hi',
      platforms: [target],
      scheduledTime,
      x: 1,
    });
    expect(body.warnings.map(({ code }: { code: string }) => code)).toEqual([
      'SCHEDULED_TIME_COERCED',
      'UNKNOWN_FIELD',
    ]);
  });

  test('[idempotency.replay] is listed again when the answer is replayed, which a header says', async () => {
    const send = () =>
      ada.call(
        'POST',
        '/create-post',
        { content: 'Once', platforms: [target], contents: 'x' },
        { 'idempotency-key': 'once' },
      );
    const [first, second] = [await send(), await send()];
    expect(second.body).toEqual(first.body);
    expect(first.body.warnings).toEqual([unknown('contents', 'content')]);
    expect([first, second].map(({ headers }) => headers['idempotent-replayed'])).toEqual([undefined, 'true']);
  });

  test('is listed for queries, also of routes that take none', async () => {
    const list = await ada.call('GET', '/list-posts?stats=draft');
    expect([list.status, list.body.warnings]).toEqual([200, [unknown('stats', 'status')]]);
    const connections = await ada.call('GET', '/platform-connections?platform=mastodon');
    expect(connections.body.warnings).toEqual([unknown('platform')]);
  });

  test('is listed for inner objects, with its path', async () => {
    const asked = { posts: [{ platform: 'mastodon', platformId: target, postedId: '1', postId: '2' }] };
    const { status, body } = await ada.call('POST', '/post-statistics', asked);
    expect([status, body.warnings]).toEqual([200, [unknown('posts.0.postId', 'posts.0.postedId')]]);
  });

  test('is a hint where the request is refused', async () => {
    const { body } = await service.server.inject({
      method: 'POST',
      url: '/api/v1/create-post',
      headers: { 'x-service-key': ada.apiKey },
      payload: { contents: 'Hello', platforms: [target] },
    });
    expect(JSON.parse(body)).toMatchObject({
      error: 'Content is required',
      hint: 'The field "contents" does not exist. Did you mean "content"?',
    });
  });

  test('[platform-settings.unknown] stays an error in platformSettings and in firstComment', async () => {
    const post = { content: 'Hello', platforms: [target] };
    const setting = await ada.call('POST', '/create-post', { ...post, platformSettings: { tiktok: { duet: true } } });
    const comment = await ada.call('POST', '/create-post', { ...post, firstComment: { text: 'Hi', delay: 1 } });
    expect([setting.body.code, comment.body.code]).toEqual(['PLATFORM_SETTING_UNKNOWN', 'FIRST_COMMENT_INVALID']);
  });

  test('is listed at most twenty times', async () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`field${index}`, index]));
    const { body } = await ada.call('POST', '/create-post', { content: 'Hello', platforms: [target], ...many });
    expect(body.warnings).toHaveLength(20);
  });
});

describe('a page, a limit or an order that is not valid', () => {
  test.each([
    ['limit=abc', 'limit', 20],
    ['limit=0', 'limit', 20],
    ['limit=101', 'limit', 100],
    ['page=0', 'page', 20],
    ['page=1.5', 'page', 20],
    ['sortOrder=up', 'sortOrder', 20],
    ['page=1&page=2', 'page', 20],
  ])('[errors.invalid-values] ?%s is answered with a warning', async (query, field, limit) => {
    const { status, body } = await ada.call('GET', `/list-posts?${query}`);
    expect([status, body.pagination.page, body.pagination.limit]).toEqual([200, 1, limit]);
    expect(body.warnings).toEqual([{ code: 'INVALID_VALUE', field, message: expect.stringContaining(`${field} "`) }]);
  });
});

test.each(['', '?page=2&limit=100&sortBy=updatedAt&sortOrder=asc&status=draft', '?page=&limit=&status='])(
  '[errors.invalid-values] list-posts%s has no warnings',
  async (query) => {
    const { status, body } = await ada.call('GET', `/list-posts${query}`);
    expect([status, 'warnings' in body]).toEqual([200, false]);
  },
);
