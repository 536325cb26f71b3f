import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publishDue } from '../../../../test/support/publishing/publish-due.ts';
import { testClock } from '../../../../test/support/service/app.ts';
import { type TestService, type TestUser, testService } from '../../../../test/support/service/service.ts';

const clock = testClock('2027-03-04T05:06:07.000Z');
const day = 86_400;
let service: TestService;
let ada: TestUser;
let target: string;

beforeAll(async () => {
  service = await testService({ clock });
  ada = await service.aUser();
  target = await ada.aConnection();
});
afterAll(() => service.close());

async function create(body: object = {}): Promise<string> {
  const content = `Post ${process.hrtime.bigint()}`;
  const answer = await ada.call('POST', '/create-post', { content, platforms: [target], ...body });
  expect(answer).toMatchObject({ status: 200 });
  return answer.body.postGroupId;
}
const logsOf = async (id: string) => {
  const { status, body } = await ada.call('GET', `/post-logs/${id}`);
  expect([status, body.success, Object.keys(body)]).toEqual([200, true, ['success', 'logs']]);
  return body.logs;
};

interface Row {
  at: Date;
  event?: string;
  error?: string | null;
  httpStatus?: number | null;
  retryCount?: number | null;
  metadata?: object | null;
}
/** Inserts events with times that a test cannot produce otherwise. */
async function insertLogs(groupId: string, rows: Row[]) {
  for (const { at, event = 'status_changed', error, httpStatus, retryCount, metadata } of rows) {
    await service.database.pool.query(
      `insert into post_logs (id, post_group_id, user_id, event, error, http_status, retry_count, metadata, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        service.app.newId(),
        groupId,
        ada.id,
        event,
        error ?? null,
        httpStatus ?? null,
        retryCount ?? null,
        metadata,
        at,
      ],
    );
  }
}
const ago = (seconds: number, ms = 0) => new Date(clock.now().getTime() - seconds * 1000 - ms);

describe('[post-logs] the events of a post', () => {
  test('an event of the group has the required fields and no other', async () => {
    const id = await create({ scheduledTime: '2027-06-01T00:00:00Z' });
    const now = clock.now().toISOString();
    expect(await logsOf(id)).toEqual([
      {
        _id: expect.stringMatching(/^[0-9a-f]{24}$/),
        postGroupId: id,
        event: 'scheduled',
        createdAt: now,
        updatedAt: now,
      },
    ]);
  });

  test('an event of a target has the target and its platform', async () => {
    const id = await create({ publishNow: true });
    await publishDue(service.app);
    const { posts } = (await ada.call('GET', `/get-post/${id}`)).body;
    const about = { postId: posts[0]._id, platform: 'mastodon' };
    const always = { _id: expect.any(String), postGroupId: id, createdAt: expect.any(String) };
    const logs = await logsOf(id);
    expect(logs).toEqual(
      [
        { event: 'scheduled' },
        { ...about, event: 'processing' },
        { ...about, event: 'publish_attempted' },
        { ...about, event: 'publish_succeeded', metadata: { postedId: posts[0].postedId } },
      ].map((log) => ({ ...always, ...log, updatedAt: expect.any(String) })),
    );
  });

  test('a failure has error, status, retries and code where they are known', async () => {
    const bluesky = await ada.aConnection('bluesky');
    const id = await create({ platforms: [bluesky], publishNow: true });
    await publishDue(service.app);
    const failed = (await logsOf(id)).at(-1);
    expect(failed).toEqual({
      _id: expect.any(String),
      postGroupId: id,
      postId: expect.stringMatching(/^[0-9a-f]{24}$/),
      platform: 'bluesky',
      event: 'publish_failed',
      error: expect.any(String),
      metadata: { errorCode: expect.any(String), retryable: false },
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
  });

  test('numbers are shown even if they are 0', async () => {
    const id = await create();
    await insertLogs(id, [{ at: ago(10), event: 'publish_retry', error: 'Busy', httpStatus: 503, retryCount: 0 }]);
    expect(await logsOf(id)).toMatchObject([{ event: 'publish_retry', error: 'Busy', httpStatus: 503, retryCount: 0 }]);
  });

  test('a field without a value is omitted rather than null', async () => {
    const id = await create({ publishNow: true });
    await insertLogs(id, [{ at: ago(10) }, { at: ago(9), metadata: { from: 'draft', to: 'scheduled', reason: 'x' } }]);
    await publishDue(service.app);
    for (const log of await logsOf(id)) expect(Object.values(log)).not.toContain(null);
  });
});

describe('[post-logs.window] reading the log', () => {
  test('an owned group without events has an empty list', async () => {
    expect(await logsOf(await create())).toEqual([]);
  });

  test('the oldest come first; events of the same time in the order of their ids', async () => {
    const id = await create();
    await insertLogs(id, [
      { at: ago(5), event: 'fourth' },
      { at: ago(30), event: 'first' },
      { at: ago(20), event: 'second' },
      { at: ago(20), event: 'third' },
    ]);
    expect((await logsOf(id)).map(({ event }: { event: string }) => event)).toEqual([
      'first',
      'second',
      'third',
      'fourth',
    ]);
  });

  test('lists the events of the last 90 days, to the millisecond', async () => {
    const id = await create();
    await insertLogs(id, [
      { at: ago(90 * day, 1), event: 'too old' },
      { at: ago(90 * day), event: 'just recent' },
      { at: ago(day), event: 'recent' },
    ]);
    const events = async () => (await logsOf(id)).map(({ event }: { event: string }) => event);
    expect(await events()).toEqual(['just recent', 'recent']);
    clock.advance({ seconds: 1 });
    expect(await events()).toEqual(['recent']);
    clock.advance({ seconds: 90 * day });
    expect(await events()).toEqual([]);
  });

  test('lists the newest 100 events, and older ones on further pages', async () => {
    const id = await create();
    await insertLogs(
      id,
      Array.from({ length: 203 }, (_, index) => ({ at: ago(300 - index), event: `event ${index}` })),
    );
    const page = async (query: string) => {
      const { body } = await ada.call('GET', `/post-logs/${id}${query}`);
      const events = body.logs.map(({ event }: { event: string }) => event);
      return [events.length, events[0], events.at(-1), body.pagination];
    };
    expect(await page('')).toEqual([100, 'event 103', 'event 202', { page: 1, hasNextPage: true }]);
    expect(await page('?page=2')).toEqual([100, 'event 3', 'event 102', { page: 2, hasNextPage: true }]);
    expect(await page('?page=3')).toEqual([3, 'event 0', 'event 2', { page: 3, hasNextPage: false }]);
    expect(await page('?page=4')).toEqual([0, undefined, undefined, { page: 4, hasNextPage: false }]);
    for (const odd of ['?page=x', '?page=0', '?page=1&page=2']) expect((await page(odd))[1]).toBe('event 103');
  });

  test('the id is not case-sensitive', async () => {
    const id = await create({ scheduledTime: new Date(clock.now().getTime() + 60_000).toISOString() });
    expect(await logsOf(id.toUpperCase())).toHaveLength(1);
  });

  test('does not list events of other groups', async () => {
    const [id, other] = [await create(), await create()];
    await insertLogs(other, [{ at: ago(1) }]);
    expect(await logsOf(id)).toEqual([]);
  });

  test('answers 404 for an unknown group, a group of another user and a deleted one', async () => {
    const [id, gone] = [await create(), await create()];
    await ada.call('DELETE', `/delete-post/${gone}`);
    const ben = await service.aUser();
    const answers = [
      await ada.call('GET', '/post-logs/ffffffffffffffffffffffff'),
      await ben.call('GET', `/post-logs/${id}`),
      await ada.call('GET', `/post-logs/${gone}`),
    ];
    for (const { status, body } of answers) expect([status, body]).toEqual([404, { error: 'Post group not found' }]);
  });

  test.for(['nonsense', 'f'.repeat(23), 'f'.repeat(25), `${'f'.repeat(23)}g`, '%00'])(
    'answers 400 for the id %j',
    async (id) => {
      const { status, body } = await ada.call('GET', `/post-logs/${id}`);
      expect([status, body]).toEqual([400, { error: 'Invalid post group ID' }]);
    },
  );
});
