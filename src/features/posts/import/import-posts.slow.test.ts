import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../../../test/support/eventually.ts';
import { killableApi } from '../../../../test/support/processes/killable-api.ts';
import { type TestClock, testApp, testClock } from '../../../../test/support/service/app.ts';
import { openEvents } from '../../../../test/support/service/event-stream.ts';
import { type Answer, type TestService, type TestUser, testService } from '../../../../test/support/service/service.ts';
import { buildServer } from '../../../surfaces/server.ts';

let clock: TestClock;
let service: TestService;
let ada: TestUser;
let connection: string;
let base: string;

beforeAll(async () => {
  clock = testClock(new Date().toISOString());
  service = await testService({ clock });
  base = await service.server.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => service.close());
beforeEach(async () => {
  ada = await service.aUser();
  connection = await ada.aConnection();
});

const aPost = (idempotencyKey: string, more: object = {}) => ({
  content: `Post ${idempotencyKey}`,
  platforms: [connection],
  idempotencyKey,
  ...more,
});
const later = () => new Date(clock.now().getTime() + 3_600_000).toISOString();
const importing = (posts: unknown, more: object = {}) => ada.call('POST', '/import', { posts, ...more });
const stored = async (): Promise<string[]> => {
  const { rows } = await service.database.pool.query(
    'select content from post_groups where user_id = $1 order by content',
    [ada.id],
  );
  return rows.map(({ content }) => content);
};

describe('each post is created as create-post would', () => {
  test('the results are in order, and a wrong post fails alone', async () => {
    const { status, body } = await importing([
      aPost('a'),
      aPost('b', { content: '' }),
      aPost('c', { scheduledTime: later() }),
      aPost('d', { platforms: ['mastodon-nobody'] }),
      aPost('e', { scheduledTime: 'soon' }),
      'nonsense',
      { ...aPost('f'), idempotencyKey: undefined },
      aPost('a', { content: 'Another' }),
      aPost('x'.repeat(256)),
      aPost('g', { contnet: 'x' }),
    ]);
    expect([status, body.succeeded, body.failed]).toEqual([200, 3, 7]);
    expect(
      body.results.map(({ status, response }: Answer['body']) => [status, response.code ?? response.success]),
    ).toEqual([
      [200, true],
      [400, 'CONTENT_REQUIRED'],
      [200, true],
      [400, 'INVALID_PLATFORM_CONNECTION'],
      [400, 'SCHEDULED_TIME_INVALID'],
      [400, 'IMPORT_POST_INVALID'],
      [400, 'IMPORT_KEY_MISSING'],
      [400, 'IMPORT_KEY_REPEATED'],
      [400, 'IDEMPOTENCY_KEY_INVALID'],
      [200, true],
    ]);
    expect(body.results.at(-1).response.warnings).toMatchObject([{ code: 'UNKNOWN_FIELD', field: 'contnet' }]);
    expect(await stored()).toEqual(['Post a', 'Post c', 'Post g']);
  });

  test('[create-post.import] a refusal has the status and the body of create-post', async () => {
    const wrong = {
      content: 'x'.repeat(600),
      platforms: [await ada.aConnection('bluesky')],
      firstComment: { text: 7 },
    };
    const alone = await ada.call('POST', '/create-post', wrong);
    const { body } = await importing([{ ...wrong, idempotencyKey: 'k' }]);
    const [{ status, response }] = body.results;
    expect(status).toBe(alone.status);
    expect(response).toMatchObject(alone.body);
  });

  test('[idempotency.replay] a key stands for one post, also across create-post and import', async () => {
    const { idempotencyKey, ...post } = aPost('once');
    const alone = await ada.call('POST', '/create-post', post, { 'idempotency-key': idempotencyKey });
    const first = await importing([aPost('once'), aPost('twice')]);
    expect(first.body.results).toMatchObject([
      { status: 200, replayed: true, response: { postGroupId: alone.body.postGroupId } },
      { status: 200 },
    ]);
    expect(first.body.results[1]).not.toHaveProperty('replayed');
    const second = await importing([aPost('twice'), aPost('once', { content: 'Changed' })]);
    expect(second.body.results).toMatchObject([
      { replayed: true, response: { postGroupId: first.body.results[1].response.postGroupId } },
      { status: 422, response: { code: 'IDEMPOTENCY_KEY_CONFLICT' } },
    ]);
    expect(await stored()).toEqual(['Post once', 'Post twice']);
  });

  test('between 1 and 500 posts', async () => {
    expect(await importing([])).toMatchObject({ status: 400 });
    expect(await importing('x')).toMatchObject({ status: 400 });
    const tooMany = await importing(Array.from({ length: 501 }, (_, n) => aPost(`${n}`)));
    expect(tooMany).toMatchObject({ status: 400, body: { error: expect.stringContaining('500') } });
    expect(await stored()).toEqual([]);
  });

  test('a body of 4 MB is taken, and one above it is refused in its own words', async () => {
    const large = await importing([aPost('large', { content: 'x'.repeat(200_000), more: 'x'.repeat(3_000_000) })]);
    expect(large.status).toBe(200);
    const tooLarge = await importing([aPost('large', { more: 'x'.repeat(4_300_000) })]);
    expect(tooLarge).toMatchObject({ status: 413, body: { error: 'The body is larger than 4 MB' } });
  });
});

test('dryRun validates every post and stores nothing', async () => {
  const long = { content: 'x'.repeat(100_000) };
  const { body } = await importing([aPost('a'), aPost('b', { ...long, scheduledTime: later() }), aPost('c', long)], {
    dryRun: true,
  });
  expect(body.results).toMatchObject([
    { status: 200, response: { validation: { valid: true } } },
    { status: 400, response: { code: 'VALIDATION_FAILED', validation: { valid: false } } },
    { status: 200, response: { validation: { valid: false } } },
  ]);
  expect(await stored()).toEqual([]);
  const { rows } = await service.database.pool.query('select from idempotency_keys where user_id = $1', [ada.id]);
  expect(rows).toEqual([]);
});

test('counts as one write per 50 posts', async () => {
  const { app, close } = await testApp({ database: service.database, clock, environment: { RATE_LIMITS: '1' } });
  const server = await buildServer(app);
  const call = async (posts: number) => {
    const response = await server.inject({
      method: 'POST',
      url: '/api/v1/import',
      headers: { 'x-service-key': ada.apiKey },
      payload: { posts: Array.from({ length: posts }, (_, n) => aPost(`${n}`, { content: '' })) },
    });
    return Number(response.headers['ratelimit-remaining']);
  };
  const first = await call(1);
  await call(120);
  expect(await call(1)).toBe(first - 4);
  await server.close();
  await close();
});

test('stops when the client leaves, and goes on when it comes back', async () => {
  const posts = Array.from({ length: 500 }, (_, n) => aPost(`${1000 + n}`));
  const controller = new AbortController();
  const call = fetch(`${base}/api/v1/import`, {
    method: 'POST',
    headers: { 'x-service-key': ada.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ posts }),
    signal: controller.signal,
  }).catch(() => 'left');
  await eventually(async () => expect((await stored()).length).toBeGreaterThan(5), { interval: 5 });
  controller.abort();
  expect(await call).toBe('left');
  await eventually(async () => {
    const before = (await stored()).length;
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect([before < 500, (await stored()).length]).toEqual([true, before]);
  });
  expect((await importing(posts)).body).toMatchObject({ succeeded: 500 });
  expect(await stored()).toHaveLength(500);
});

test('the event stream tells the progress', async () => {
  const client = await openEvents(`${base}/api/v1/events?events=import`, { 'x-service-key': ada.apiKey });
  await importing(Array.from({ length: 60 }, (_, n) => aPost(`${n}`, n === 3 ? { content: '' } : {})));
  const progress = await client.until('import', 2);
  expect(progress).toMatchObject([
    { done: 50, failed: 1, total: 60 },
    { done: 60, failed: 1, total: 60 },
  ]);
  await client.close();
});

test('killed in the middle of 500 posts and repeated, it creates each post once', async () => {
  const posts = Array.from({ length: 500 }, (_, n) => aPost(`${1000 + n}`, { scheduledTime: later() }));
  {
    await using api = await killableApi(service);
    const call = fetch(`${api.url}/api/v1/import`, {
      method: 'POST',
      headers: { 'x-service-key': ada.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ posts }),
    }).catch(() => 'killed');
    await eventually(async () => expect((await stored()).length).toBeGreaterThan(100), {
      interval: 5,
    });
    await api.kill();
    expect(await call).toBe('killed');
  }
  const before = await stored();
  expect(before.length).toBeLessThan(500);
  const again = await importing(posts);
  // Rows that were being stored when the process was killed are released after three minutes.
  const open = again.body.results.filter(({ status }: Answer['body']) => status !== 200);
  for (const each of open) expect(each).toMatchObject({ status: 409, response: { code: 'IDEMPOTENCY_IN_FLIGHT' } });
  expect(open.length).toBeLessThanOrEqual(4);
  // The killed process's clock kept running; this one did not.
  clock.advance({ seconds: 400 });
  const last = await importing(posts);
  expect(last.body).toMatchObject({ succeeded: 500, failed: 0 });
  expect(await stored()).toEqual(posts.map(({ content }) => content));
});
