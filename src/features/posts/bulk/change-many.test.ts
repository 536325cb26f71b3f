import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { publishDue } from '../../../../test/support/publishing/publish-due.ts';
import { testClock } from '../../../../test/support/service/app.ts';
import { type TestService, type TestUser, testService } from '../../../../test/support/service/service.ts';

const clock = testClock('2027-03-04T05:06:07.000Z');
let service: TestService;
let ada: TestUser;
let mastodon: string;
beforeAll(async () => {
  service = await testService({ clock });
});
afterAll(() => service.close());
beforeEach(async () => {
  ada = await service.aUser();
  mastodon = await ada.aConnection();
});

const nobody = 'f'.repeat(24);
let made = 0;
async function create(body: object = {}): Promise<string> {
  made += 1;
  const post = { content: `Post ${made}`, platforms: [mastodon], ...body };
  return (await ada.call('POST', '/create-post', post)).body.postGroupId;
}
const scheduled = (scheduledTime: string) => create({ scheduledTime });
const timeOf = async (id: string) => (await ada.call('GET', `/get-post/${id}`)).body.scheduledTime;
const reschedule = (body: object, headers: Record<string, string> = {}) =>
  ada.call('POST', '/reschedule-posts', body, headers);

describe('reschedule-posts', () => {
  test('lists ten issues of a post that is no longer valid', async () => {
    const platforms: string[] = [];
    for (let account = 0; account < 12; account += 1) platforms.push(await ada.aConnection('facebook'));
    const id = await create({ platforms, scheduledTime: '2027-03-05T09:00:00Z' });
    for (const column of [
      'post_groups set content = $2 where id',
      'platform_posts set content = $2 where post_group_id',
    ])
      await service.database.pool.query(`update ${column} = $1`, [id, 'x'.repeat(63_207)]);
    const { body } = await reschedule({ postGroupIds: [id], byMinutes: 90 });
    const { validation } = body.results[0].problem;
    expect(validation).toMatchObject({ errors: { length: 10 }, summary: { errorCount: 12 } });
    expect(await timeOf(id)).toBe('2027-03-05T09:00:00.000Z');
  });

  test('moves each post by the same time, and says what became of each', async () => {
    const published = await create({ publishNow: true });
    await publishDue(service.app);
    const ids = [
      await scheduled('2027-03-05T09:00:00Z'),
      await scheduled('2027-03-06T09:30:00Z'),
      await create({ scheduledTime: '2027-03-07T09:00:00Z', status: 'draft' }),
      await create(),
      published,
      nobody,
    ];
    const { status, body } = await reschedule({ postGroupIds: [...ids, ids[0]], byMinutes: 90 });
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: true, succeeded: 3, failed: 3 });
    expect(body.results.map((result: { status: number }) => result.status)).toEqual([200, 200, 200, 400, 400, 404]);
    expect(body.results[0]).toEqual({
      postGroupId: ids[0],
      status: 200,
      scheduledTime: '2027-03-05T10:30:00.000Z',
    });
    expect(body.results[3].problem).toMatchObject({ error: 'The post has no scheduled time to move' });
    expect(await Promise.all(ids.slice(0, 3).map(timeOf))).toEqual([
      '2027-03-05T10:30:00.000Z',
      '2027-03-06T11:00:00.000Z',
      '2027-03-07T10:30:00.000Z',
    ]);
    const { body: draft } = await ada.call('GET', `/get-post/${ids[2]}`);
    expect(draft.status).toBe('draft');
  });

  test('refuses a time in the past for that post alone', async () => {
    const [soon, later] = [await scheduled('2027-03-04T06:00:00Z'), await scheduled('2027-03-05T06:00:00Z')];
    const { body } = await reschedule({ postGroupIds: [soon, later], byMinutes: -120 });
    expect(body.results).toMatchObject([{ status: 400, problem: { code: 'SCHEDULED_TIME_IN_PAST' } }, { status: 200 }]);
    expect([await timeOf(soon), await timeOf(later)]).toEqual(['2027-03-04T06:00:00.000Z', '2027-03-05T04:00:00.000Z']);
  });

  test('with an Idempotency-Key a repeated call moves nothing twice', async () => {
    const ids = [await scheduled('2027-03-05T09:00:00Z'), await scheduled('2027-03-05T10:00:00Z')];
    const call = () => reschedule({ postGroupIds: ids, byMinutes: 60 }, { 'idempotency-key': 'a move' });
    const first = await call();
    expect((await call()).body).toEqual(first.body);
    expect(await timeOf(ids[0]!)).toBe('2027-03-05T10:00:00.000Z');
    await reschedule({ postGroupIds: ids, byMinutes: 60 }, { 'idempotency-key': 'another move' });
    expect(await timeOf(ids[0]!)).toBe('2027-03-05T11:00:00.000Z');
  });

  test("another user's post is not found", async () => {
    const id = await scheduled('2027-03-05T09:00:00Z');
    const ben = await service.aUser();
    for (const path of ['/reschedule-posts', '/delete-posts']) {
      const { body } = await ben.call('POST', path, { postGroupIds: [id], byMinutes: 60 });
      expect(body.results[0].status).toBe(404);
    }
    expect(await timeOf(id)).toBe('2027-03-05T09:00:00.000Z');
  });

  test.for<[body: object, error: string]>([
    [{ byMinutes: 1 }, 'postGroupIds must be an array of at least one post group id'],
    [{ postGroupIds: [], byMinutes: 1 }, 'postGroupIds must be an array of at least one post group id'],
    [{ postGroupIds: ['x'], byMinutes: 1 }, 'postGroupIds must be an array of at least one post group id'],
    [
      { postGroupIds: Array.from({ length: 501 }, () => nobody), byMinutes: 1 },
      'A request can change at most 500 posts. Send the rest in another request.',
    ],
    [{ postGroupIds: [nobody] }, 'byMinutes must be a whole number of minutes, at most one year'],
    [{ postGroupIds: [nobody], byMinutes: 1.5 }, 'byMinutes must be a whole number of minutes, at most one year'],
    [{ postGroupIds: [nobody], byMinutes: 1e9 }, 'byMinutes must be a whole number of minutes, at most one year'],
  ])('%j is refused', async ([body, error]) => {
    const answer = await reschedule(body);
    expect([answer.status, answer.body.error]).toEqual([400, error]);
  });
});

describe('delete-posts', () => {
  test('deletes each post, and says which were not there', async () => {
    const ids = [await create(), await scheduled('2027-03-05T09:00:00Z')];
    const kept = await create();
    const { body } = await ada.call('POST', '/delete-posts', { postGroupIds: [...ids, nobody] });
    expect(body).toMatchObject({
      succeeded: 2,
      failed: 1,
      results: [{ status: 200 }, { status: 200 }, { status: 404 }],
    });
    const { posts } = (await ada.call('GET', '/list-posts')).body;
    expect(posts.map(({ postGroupId }: { postGroupId: string }) => postGroupId)).toEqual([kept]);
    const again = await ada.call('POST', '/delete-posts', { postGroupIds: ids });
    expect(again.body).toMatchObject({ succeeded: 0, failed: 2 });
  });
});
