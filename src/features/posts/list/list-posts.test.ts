import { type CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publishDue } from '../../../../test/support/publishing/publish-due.ts';
import { testClock } from '../../../../test/support/service/app.ts';
import { type TestService, type TestUser, testService } from '../../../../test/support/service/service.ts';
import type { DB } from '../../../foundation/db/schema.gen.ts';
import { whoIs } from '../../auth/access/api-key.ts';
import { listPostGroups } from './list-posts.ts';

const clock = testClock('2027-03-04T05:06:07.000Z');
let service: TestService;

beforeAll(async () => {
  service = await testService({ clock });
});
afterAll(() => service.close());

async function create(user: TestUser, body: object): Promise<string> {
  const answer = await user.call('POST', '/create-post', { content: `Post ${process.hrtime.bigint()}`, ...body });
  expect(answer).toMatchObject({ status: 200 });
  clock.advance({ seconds: 1 });
  return answer.body.postGroupId;
}
const list = (user: TestUser, query: Record<string, string> = {}) =>
  user.call('GET', `/list-posts?${new URLSearchParams(query)}`);
const idsOf = async (user: TestUser, query: Record<string, string> = {}) => {
  const { status, body } = await list(user, query);
  expect(status).toBe(200);
  return body.posts.map(({ postGroupId }: { postGroupId: string }) => postGroupId);
};

describe('[list-posts.group] a group', () => {
  test('has its keys and no other, with both lists of targets', async () => {
    const ada = await service.aUser();
    const platforms = [await ada.aConnection(), await ada.aConnection('twitter')];
    const content = 'One\n---\nTwo';
    const createdAt = clock.now().toISOString();
    const id = await create(ada, {
      content,
      platforms,
      scheduledTime: '2027-03-05T10:00:00+02:00',
      platformSettings: { telegram: { protectContent: true } },
      firstComment: { text: 'First' },
    });
    const { status, body } = await list(ada);
    expect(status).toBe(200);
    const targets = platforms.map((platformId) => ({
      platformId,
      platform: platformId.split('-')[0],
      status: 'scheduled',
    }));
    expect(body).toEqual({
      success: true,
      posts: [
        {
          postGroupId: id,
          content,
          status: 'scheduled',
          scheduledTime: '2027-03-05T08:00:00.000Z',
          createdAt,
          updatedAt: createdAt,
          platforms: targets,
          posts: targets.map((target) => ({
            _id: expect.stringMatching(/^[0-9a-f]{24}$/),
            ...target,
            postedId: null,
            permalink: null,
          })),
          mediaUrls: [],
        },
      ],
      pagination: { page: 1, limit: 20, totalItems: 1, totalPages: 1, hasNextPage: false, hasPrevPage: false },
    });
  });

  test('shows the outcome of each target', async () => {
    const ada = await service.aUser();
    const platforms = [await ada.aConnection(), await ada.aConnection('bluesky')];
    const createdAt = clock.now().toISOString();
    const id = await create(ada, { platforms, publishNow: true });
    const updatedAt = clock.now().toISOString();
    await publishDue(service.app);
    const { body } = await list(ada);
    const { posts } = (await ada.call('GET', `/get-post/${id}`)).body;
    expect(body.posts).toMatchObject([
      {
        status: 'partially_published',
        scheduledTime: createdAt,
        createdAt,
        updatedAt,
        platforms: [{ status: 'published' }, { status: 'failed' }],
        posts: [
          { _id: posts[0]._id, postedId: expect.any(String), permalink: expect.stringMatching(/^http/) },
          { _id: posts[1]._id, postedId: null, permalink: null },
        ],
      },
    ]);
    expect(Object.keys(body.posts[0].posts[1]).sort()).toEqual(
      ['_id', 'permalink', 'platform', 'platformId', 'postedId', 'status'].sort(),
    );
  });

  test('is never listed for another user', async () => {
    const [ada, ben] = [await service.aUser(), await service.aUser()];
    await create(ada, { platforms: [await ada.aConnection()] });
    const queries: Record<string, string>[] = [
      {},
      { status: 'draft' },
      { platform: 'mastodon' },
      { sortBy: 'scheduledTime' },
    ];
    for (const query of queries) {
      expect((await list(ben, query)).body).toMatchObject({ posts: [], pagination: { totalItems: 0 } });
    }
  });

  test('is not listed after it was deleted', async () => {
    const ada = await service.aUser();
    const id = await create(ada, { platforms: [await ada.aConnection()] });
    await ada.call('DELETE', `/delete-post/${id}`);
    expect(await idsOf(ada)).toEqual([]);
  });
});

describe('[list-posts.page] pages', () => {
  let ada: TestUser;
  let newestFirst: string[];

  beforeAll(async () => {
    ada = await service.aUser();
    const platforms = [await ada.aConnection()];
    newestFirst = [];
    for (let i = 0; i < 23; i += 1) newestFirst.unshift(await create(ada, { platforms }));
  });

  test('have 20 groups by default, the newest first', async () => {
    const { body } = await list(ada);
    expect(body.posts.map(({ postGroupId }: { postGroupId: string }) => postGroupId)).toEqual(newestFirst.slice(0, 20));
    expect(body.pagination).toEqual({
      page: 1,
      limit: 20,
      totalItems: 23,
      totalPages: 2,
      nextCursor: expect.any(String),
      hasNextPage: true,
      hasPrevPage: false,
    });
  });

  test('follow each other without gap or repetition, in both directions', async () => {
    for (const sortOrder of ['desc', 'asc']) {
      const found: string[] = [];
      for (const page of ['1', '2', '3', '4']) found.push(...(await idsOf(ada, { page, limit: '7', sortOrder })));
      expect(found).toEqual(sortOrder === 'desc' ? newestFirst : newestFirst.toReversed());
    }
  });

  test('the last page has no next page', async () => {
    const { body } = await list(ada, { page: '4', limit: '7' });
    expect(body.posts).toHaveLength(2);
    expect(body.pagination).toEqual({
      page: 4,
      limit: 7,
      totalItems: 23,
      totalPages: 4,
      hasNextPage: false,
      hasPrevPage: true,
    });
  });

  test('nor has a last page that is exactly full', async () => {
    const { body } = await list(ada, { limit: '23' });
    expect(body.pagination).toMatchObject({ totalPages: 1, hasNextPage: false });
  });

  test('beyond the end are empty and have the totals', async () => {
    for (const page of ['5', '99999999999', '1e300']) {
      const { body } = await list(ada, { page, limit: '7' });
      expect(body.posts).toEqual([]);
      expect(body.pagination).toMatchObject({ totalItems: 23, totalPages: 4, hasNextPage: false, hasPrevPage: true });
    }
  });

  test('of a user without groups: no items, no pages', async () => {
    const { body } = await list(await service.aUser());
    expect(body).toEqual({
      success: true,
      posts: [],
      pagination: { page: 1, limit: 20, totalItems: 0, totalPages: 0, hasNextPage: false, hasPrevPage: false },
    });
  });

  test('have the totals of the filtered list', async () => {
    const { body } = await list(ada, { status: 'scheduled' });
    expect(body.pagination).toMatchObject({ totalItems: 0, totalPages: 0 });
  });

  test.for<[sent: string, page: number]>([
    ['2', 2],
    ['0', 1],
    ['-3', 1],
    ['', 1],
    ['two', 1],
    ['2.9', 2],
    ['NaN', 1],
    ['-Infinity', 1],
  ])('page %j is page %i', async ([sent, page]) => {
    expect((await list(ada, { page: sent })).body.pagination.page).toBe(page);
  });

  test.for<[sent: string, limit: number]>([
    ['1', 1],
    ['100', 100],
    ['101', 100],
    ['Infinity', 100],
    ['-1', 1],
    ['0', 20],
    ['', 20],
    ['NaN', 20],
    ['many', 20],
    ['5.5', 5],
  ])('limit %j is %i', async ([sent, limit]) => {
    const { body } = await list(ada, { limit: sent });
    expect(body.pagination.limit).toBe(limit);
    expect(body.posts).toHaveLength(Math.min(limit, 23));
  });

  test('a page, limit or order that is sent twice is not an error', async () => {
    const twice = 'page=2&page=3&limit=5&limit=6&sortOrder=asc&sortOrder=asc';
    const { status, body } = await ada.call('GET', `/list-posts?${twice}`);
    expect(status).toBe(200);
    expect(body.pagination).toMatchObject({ page: 1, limit: 20 });
    expect(body.posts[0].postGroupId).toBe(newestFirst[0]);
  });

  test('an unknown parameter is ignored', async () => {
    expect((await list(ada, { search: 'x' })).body.pagination.totalItems).toBe(23);
  });
});

test('[list-posts] posts with many targets are presented in turns with other work', async () => {
  const ada = await service.aUser();
  const platforms = [await ada.aConnection()];
  for (let i = 0; i < 20; i += 1) await create(ada, { platforms });
  const many = <Row>(row: Row) => ({ ...row, posts: Array(5_000).fill((row as { posts: unknown[] }).posts[0]) });
  let rounds = 0;
  const count = () => {
    rounds += 1;
    next = setImmediate(count);
  };
  let next: NodeJS.Immediate | undefined;
  const db = service.app.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      const rows = result.rows.map(many);
      next ??= setImmediate(count);
      return { ...result, rows };
    },
  });
  const who = await whoIs(service.app.db, ada.id);
  for (const query of [{}, { fields: 'compact' as const }, { cursor: '' }]) {
    [rounds, next] = [0, undefined];
    const { posts } = await listPostGroups({ ...service.app, db }, who, query);
    clearImmediate(next);
    expect(posts[19]!.platforms).toHaveLength(5_000);
    expect(rounds).toBeGreaterThan(3);
  }
});

describe('[list-posts.cursor] a cursor', () => {
  test('continues the list where posts were added or deleted in the meantime', async () => {
    const ada = await service.aUser();
    const post = { platforms: [await ada.aConnection()] };
    const ids: string[] = [];
    for (let i = 0; i < 5; i += 1) ids.unshift(await create(ada, post));
    const { body: first } = await list(ada, { limit: '2' });
    expect(first.pagination).toMatchObject({ page: 1, totalItems: 5, hasNextPage: true });
    await create(ada, post);
    await ada.call('DELETE', `/delete-post/${ids[1]}`);
    const { body: second } = await list(ada, { limit: '2', cursor: first.pagination.nextCursor });
    expect(second.posts.map(({ postGroupId }: { postGroupId: string }) => postGroupId)).toEqual(ids.slice(2, 4));
    expect(second.pagination).toEqual({
      page: 1,
      limit: 2,
      hasPrevPage: true,
      hasNextPage: true,
      nextCursor: expect.any(String),
    });
    const { body: last } = await list(ada, { limit: '2', cursor: second.pagination.nextCursor });
    expect(last.posts).toMatchObject([{ postGroupId: ids[4] }]);
    expect(last.pagination).toEqual({ page: 1, limit: 2, hasPrevPage: true, hasNextPage: false });
  });

  test('is refused in another order, or if it is none', async () => {
    const ada = await service.aUser();
    const platforms = [await ada.aConnection()];
    for (let i = 0; i < 2; i += 1) await create(ada, { platforms });
    const { body } = await list(ada, { limit: '1' });
    const { nextCursor } = body.pagination;
    const wrong = [
      { cursor: nextCursor, sortOrder: 'asc' },
      { cursor: nextCursor, sortBy: 'updatedAt' },
      ...['x', 'MQ', `${nextCursor}AAAA`, 'A'.repeat(101)].map((cursor) => ({ cursor })),
    ];
    for (const query of wrong) expect(await list(ada, query)).toMatchObject({ status: 400, body: { field: 'cursor' } });
  });

  test('is refused with a time before the year 1, and accepted with the latest one', async () => {
    const ada = await service.aUser();
    for (const sortBy of ['createdAt', 'updatedAt', 'scheduledTime']) {
      const at = async (time: number) => {
        const cursor = Buffer.from(`${sortBy}-desc ${time} ${'a'.repeat(24)}`).toString('base64url');
        return (await list(ada, { sortBy, cursor })).status;
      };
      expect(await at(-8.64e15)).toBe(400);
      expect(await at(Date.parse('0001-01-01T00:00:00Z') - 1)).toBe(400);
      expect(await at(Date.parse('0001-01-01T00:00:00Z'))).toBe(200);
      expect(await at(8.64e15)).toBe(200);
    }
  });
});

describe('[list-posts] filters', () => {
  let ada: TestUser;
  const groups: Record<string, string> = {};
  let mastodon: string;
  let bluesky: string;
  let linkedin: string;

  beforeAll(async () => {
    ada = await service.aUser();
    mastodon = await ada.aConnection();
    bluesky = await ada.aConnection('bluesky');
    linkedin = await ada.aConnection('linkedin');
    groups.published = await create(ada, { platforms: [mastodon], publishNow: true });
    groups.failed = await create(ada, { platforms: [bluesky], publishNow: true });
    groups.partially_published = await create(ada, { platforms: [mastodon, bluesky], publishNow: true });
    await publishDue(service.app);
    groups.draft = await create(ada, { platforms: [linkedin] });
    groups.scheduled = await create(ada, { platforms: [linkedin, bluesky], scheduledTime: '2027-04-01T00:00:00Z' });
  });

  const namesOf = async (query: Record<string, string>) =>
    (await idsOf(ada, { sortOrder: 'asc', ...query })).map((id: string) =>
      Object.keys(groups).find((name) => groups[name] === id),
    );

  test.for(['draft', 'scheduled', 'published', 'failed', 'partially_published'])(
    'status %s is an exact match',
    async (status) => {
      expect(await namesOf({ status })).toEqual([status]);
    },
  );

  test.for(['pending', 'processing', 'Draft', 'publish', 'draft,scheduled', ' draft', 'null'])(
    'status %j is refused',
    async (status) => {
      expect(await list(ada, { status })).toMatchObject({
        status: 400,
        body: { error: 'Invalid status. Must be one of: draft, scheduled, published, failed, partially_published' },
      });
    },
  );

  test('an empty status means all', async () => {
    expect(await namesOf({ status: '' })).toHaveLength(5);
  });

  test.for<[platform: string, names: string[]]>([
    ['mastodon', ['published', 'partially_published']],
    ['bluesky', ['failed', 'partially_published', 'scheduled']],
    ['linkedin', ['draft', 'scheduled']],
    ['LinkedIn', ['draft', 'scheduled']],
    ['MASTODON', ['published', 'partially_published']],
    ['telegram', []],
    ['myspace', []],
    ['mast', []],
    ['mastodon-', []],
    ['odon', []],
    ['.*', []],
    ['mastodo.', []],
    ['mastodon|bluesky', []],
    ['(', []],
    ['[', []],
    ['\\', []],
    ['%', []],
    ['_______n', []],
    ["'; drop table post_groups; --", []],
    ['constructor', []],
    [' mastodon', []],
    ['\0', []],
    ['', ['published', 'failed', 'partially_published', 'draft', 'scheduled']],
  ])('platform %j', async ([platform, names]) => {
    expect(await namesOf({ platform })).toEqual(names);
    expect((await list(ada, { platform })).body.pagination.totalItems).toBe(names.length);
  });

  test('a full compound id as platform gives nothing', async () => {
    for (const platform of [mastodon, bluesky, linkedin]) expect(await namesOf({ platform })).toEqual([]);
  });

  test('a group is listed once even if several of its targets match', async () => {
    const ben = await service.aUser();
    const id = await create(ben, { platforms: [await ben.aConnection(), await ben.aConnection()] });
    expect(await idsOf(ben, { platform: 'mastodon' })).toEqual([id]);
  });

  test('filters are combined', async () => {
    expect(await namesOf({ platform: 'bluesky', status: 'scheduled' })).toEqual(['scheduled']);
    expect(await namesOf({ platform: 'mastodon', status: 'scheduled' })).toEqual([]);
    expect(await namesOf({ platform: 'bluesky', status: 'scheduled', fromDate: '2027-04-02' })).toEqual([]);
  });
});

test('[list-posts.additions] only compact posts leave out what a calendar does not show', async () => {
  const ada = await service.aUser();
  await create(ada, { content: 'A word', platforms: [await ada.aConnection()] });
  const keysOf = async (query: Record<string, string>) => Object.keys((await list(ada, query)).body.posts[0]);
  const times = ['scheduledTime', 'createdAt', 'updatedAt'];
  const compact = ['postGroupId', 'content', 'status', ...times, 'platforms', 'thumbnail', 'version'];
  expect(await keysOf({ status: 'draft', fields: 'compact' })).toEqual(compact);
  expect(await keysOf({ status: 'draft,scheduled', q: 'word' })).toContain('posts');
});

test('a search for a single letter finds posts with it as a word, in scripts without spaces also as a beginning', async () => {
  const ada = await service.aUser();
  const platforms = [await ada.aConnection()];
  for (const content of ['Plan B', 'Bread', '日本']) await create(ada, { content, platforms });
  const found = async (q: string) =>
    (await list(ada, { q })).body.posts.map(({ content }: { content: string }) => content);
  expect([await found('b'), await found('br'), await found('日')]).toEqual([['Plan B'], ['Bread'], ['日本']]);
});

test('a status that is repeated makes no longer statement, and a very long list of them is refused', async () => {
  const ada = await service.aUser();
  const id = await create(ada, { platforms: [await ada.aConnection()] });
  const asked: string[] = [];
  const { pool } = service.database;
  const db = new Kysely<DB>({
    dialect: new PostgresDialect({ pool }),
    log: (event) => void asked.push(event.query.sql),
  });
  const who = await whoIs(service.app.db, ada.id);
  for (const times of [1, 2, 20]) {
    const status = Array(times).fill('draft').join();
    const { posts } = await listPostGroups({ ...service.app, db }, who, { status, from: '2027-01-01' });
    expect(posts).toEqual([]);
    expect(await idsOf(ada, { status, fields: 'compact' })).toEqual([id]);
  }
  expect(new Set(asked).size).toBe(1);
  expect(await list(ada, { status: Array(1000).fill('draft').join(), from: '2027-01-01' })).toMatchObject({
    status: 400,
    body: { error: expect.stringMatching('Invalid status') },
  });
});

describe('[list-posts.dates] dates', () => {
  let ada: TestUser;
  let draft: string;
  let first: string;
  let second: string;

  beforeAll(async () => {
    ada = await service.aUser();
    const platforms = [await ada.aConnection()];
    second = await create(ada, { platforms, scheduledTime: '2027-05-02T10:00:00.500Z' });
    draft = await create(ada, { platforms });
    first = await create(ada, { platforms, scheduledTime: '2027-05-01T00:00:00Z' });
  });

  const found = async (query: Record<string, string>) => idsOf(ada, { sortBy: 'scheduledTime', ...query });

  test('groups without a time are not listed with a date filter', async () => {
    expect(await found({ fromDate: '2000-01-01' })).toEqual([second, first]);
    expect(await found({ toDate: '2100-01-01' })).toEqual([second, first]);
    expect(await found({ fromDate: '2000-01-01', toDate: '2100-01-01', sortOrder: 'asc' })).toEqual([first, second]);
    expect(await found({ fromDate: '2000-01-01', status: 'draft' })).toEqual([]);
  });

  test('fromDate is inclusive, to the millisecond', async () => {
    expect(await found({ fromDate: '2027-05-02T10:00:00.500Z' })).toEqual([second]);
    expect(await found({ fromDate: '2027-05-02T10:00:00.501Z' })).toEqual([]);
    expect(await found({ fromDate: '2027-05-01' })).toEqual([second, first]);
  });

  test('toDate is inclusive, to the millisecond', async () => {
    expect(await found({ toDate: '2027-05-01' })).toEqual([first]);
    expect(await found({ toDate: '2027-04-30T23:59:59.999Z' })).toEqual([]);
    expect(await found({ toDate: '2027-05-02T10:00:00.500Z' })).toEqual([second, first]);
  });

  test('time zone offsets are respected', async () => {
    expect(await found({ toDate: '2027-05-01T02:00:00+02:00' })).toEqual([first]);
    expect(await found({ toDate: '2027-05-01T01:59:59+02:00' })).toEqual([]);
  });

  test('a range that ends before it begins is empty', async () => {
    expect(await found({ fromDate: '2027-06-01', toDate: '2027-05-01' })).toEqual([]);
  });

  test('the range is about scheduledTime in every order', async () => {
    expect(await idsOf(ada, { fromDate: '2027-05-01' })).toEqual([first, second]);
    expect(await idsOf(ada, { fromDate: '2027-05-01', sortBy: 'updatedAt', sortOrder: 'asc' })).toEqual([
      second,
      first,
    ]);
  });

  test('an empty date means no filter', async () => {
    expect(await idsOf(ada, { fromDate: '', toDate: '' })).toEqual([first, draft, second]);
  });

  test('dates far in the past or future are valid', async () => {
    expect(await found({ fromDate: '-200000-01-01T00:00:00Z', toDate: '+200000-01-01T00:00:00Z' })).toEqual([
      second,
      first,
    ]);
    expect(await found({ toDate: '-200000-01-01T00:00:00Z' })).toEqual([]);
    expect(await found({ fromDate: '+200000-01-01T00:00:00Z' })).toEqual([]);
  });

  test('a date that is sent twice is invalid', async () => {
    for (const name of ['fromDate', 'toDate']) {
      const { status, body } = await ada.call('GET', `/list-posts?${name}=2027-05-01&${name}=2027-05-02`);
      expect([status, body]).toEqual([400, { error: `Invalid ${name} format` }]);
    }
  });

  test.for(['soon', '2027-13-01', '2027-05-01T99:00:00Z', '[object Object]'])('%j is no date', async (date) => {
    expect(await list(ada, { fromDate: date })).toMatchObject({
      status: 400,
      body: { error: 'Invalid fromDate format' },
    });
    expect(await list(ada, { toDate: date })).toMatchObject({ status: 400, body: { error: 'Invalid toDate format' } });
  });
});

describe('[list-posts.sort-by] order', () => {
  let ada: TestUser;
  let platforms: string[];
  const groups: Record<string, string> = {};

  beforeAll(async () => {
    ada = await service.aUser();
    platforms = [await ada.aConnection()];
    groups.a = await create(ada, { platforms, scheduledTime: '2027-06-03T00:00:00Z' });
    groups.b = await create(ada, { platforms });
    groups.c = await create(ada, { platforms, scheduledTime: '2027-06-01T00:00:00Z' });
    groups.d = await create(ada, { platforms });
    groups.e = await create(ada, { platforms, scheduledTime: '2027-06-02T00:00:00Z' });
    await ada.call('PUT', `/update-post/${groups.b}`, { content: 'Edited' });
  });

  test.for<[sortBy: string, sortOrder: string, order: string]>([
    ['', '', 'edcba'],
    ['createdAt', 'desc', 'edcba'],
    ['createdAt', 'asc', 'abcde'],
    ['createdAt', 'ASC', 'edcba'],
    ['createdAt', 'up', 'edcba'],
    ['updatedAt', 'desc', 'bedca'],
    ['updatedAt', 'asc', 'acdeb'],
    ['scheduledTime', 'desc', 'aecdb'],
    ['scheduledTime', 'asc', 'ceabd'],
  ])('sortBy %j, sortOrder %j; groups without a time come last', async ([sortBy, sortOrder, order]) => {
    const all = Array.from(order, (name) => groups[name]);
    expect(await idsOf(ada, { sortBy, sortOrder })).toEqual(all);
    const paged: string[] = [];
    for (const page of ['1', '2', '3']) paged.push(...(await idsOf(ada, { sortBy, sortOrder, page, limit: '2' })));
    expect(paged).toEqual(all);
  });

  test.for(['createdat', 'status', 'content', 'created_at', 'id; drop table users'])(
    'sortBy %j is refused',
    async (sortBy) => {
      expect(await list(ada, { sortBy })).toMatchObject({
        status: 400,
        body: { error: 'Invalid sortBy. Must be one of: createdAt, updatedAt, scheduledTime' },
      });
    },
  );

  test('groups of the same time have a stable order, the newer first when descending', async () => {
    const ben = await service.aUser();
    const at = [await ben.aConnection()];
    const made: string[] = [];
    for (let i = 0; i < 6; i += 1) {
      const scheduledTime = '2027-07-01T00:00:00Z';
      const { body } = await ben.call('POST', '/create-post', { content: `Tie ${i}`, platforms: at, scheduledTime });
      made.push(body.postGroupId);
    }
    for (const sortBy of ['createdAt', 'updatedAt', 'scheduledTime']) {
      for (const [sortOrder, expected] of [['asc', made] as const, ['desc', made.toReversed()] as const]) {
        const paged: string[] = [];
        for (const page of ['1', '2', '3']) paged.push(...(await idsOf(ben, { sortBy, sortOrder, page, limit: '2' })));
        expect(paged).toEqual(expected);
      }
    }
  });
});

describe('[list-posts] for a user with 5,000 groups among 10,000', () => {
  let ada: TestUser;

  beforeAll(async () => {
    ada = await service.aUser();
    const ben = await service.aUser();
    const client = await service.database.pool.connect();
    // Rows of a commit that is not on disk yet cannot be marked all-visible.
    await client.query('set synchronous_commit = on');
    await client.query(
      `insert into post_groups (id, user_id, content, status, scheduled_at, target_count, open_targets, created_at, updated_at,
         platforms)
       select 'f' || lpad(to_hex(n), 23, '0'), case when n % 2 = 0 then $1 else $2 end, repeat('A text of some length. ', 20),
         case when n % 2000 = 2 then 'failed' when n % 5 < 2 then 'draft' when n % 5 = 2 then 'scheduled' else 'published' end,
         case when n % 5 = 0 then null else timestamptz '2027-01-01' + n * 7919 % 40000 * interval '1 minute' end, 1, 1,
         timestamptz '2026-01-01' + n * interval '1 minute', timestamptz '2026-06-01' + n * 10007 % 40000 * interval '1 minute',
         array[case when n % 2000 = 0 then 'youtube' when n % 40 = 0 then 'bluesky' else 'mastodon' end]
       from generate_series(1, 10000) n`,
      [ada.id, ben.id],
    );
    await client.query(
      `insert into platform_posts (id, post_group_id, user_id, platform, account_id, position, content, status, posted_id, error)
       select substr(platform, 1, 1) || account || substr(id, 3), id, user_id, platform, account, account, content, status, '1',
         '{"code":"X"}'
       from post_groups, unnest(platforms) as platform, generate_series(1, case when platform = 'bluesky' then 2 else 1 end) account
       where id like 'f%'`,
    );
    // The state after autovacuum: the planner has statistics, and index-only scans have a visibility map.
    await client.query('vacuum analyze post_groups, platform_posts');
    client.release(true);
  });

  interface PlanNode {
    'Node Type': string;
    'Relation Name'?: string;
    'Actual Rows': number;
    'Actual Loops': number;
    'Rows Removed by Filter'?: number;
    'Heap Fetches'?: number;
    Plans?: PlanNode[];
  }
  const rowsOf = (node: PlanNode) =>
    (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
  const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

  /** The plan that the database executed for a request. */
  async function planOf(query: Record<string, string>): Promise<PlanNode[]> {
    const asked: CompiledQuery[] = [];
    const { pool } = service.database;
    const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }), log: (event) => void asked.push(event.query) });
    await listPostGroups({ ...service.app, db }, await whoIs(service.app.db, ada.id), query);
    expect(asked).toHaveLength(1);
    const { sql, parameters } = asked[0]!;
    const { rows } = await pool.query(`explain (analyze, format json) ${sql}`, [...parameters]);
    return nodesOf(rows[0]['QUERY PLAN'][0].Plan);
  }

  test.for<[title: string, query: Record<string, string>]>([
    ['the first page', {}],
    ['a later page', { page: '7', limit: '100' }],
    ['the oldest first', { sortOrder: 'asc' }],
    ['one status', { status: 'scheduled' }],
    ['by update', { sortBy: 'updatedAt' }],
    ['by update, ascending, of one status', { sortBy: 'updatedAt', sortOrder: 'asc', status: 'draft' }],
    ['by time', { sortBy: 'scheduledTime' }],
    ['by time, ascending', { sortBy: 'scheduledTime', sortOrder: 'asc' }],
    ['by time, within a range', { sortBy: 'scheduledTime', fromDate: '2027-01-05', toDate: '2027-01-10' }],
    ['by creation, within a range', { fromDate: '2027-01-05', toDate: '2027-01-20' }],
    ['one platform', { platform: 'bluesky' }],
  ])('%s: reads and sorts the rows of the page only', async ([, query]) => {
    const nodes = await planOf(query);
    const most = Number(query.limit ?? 20) * Number(query.page ?? 1);
    for (const node of nodes) {
      if (node['Relation Name'] !== 'post_groups' || node['Actual Loops'] === 0) continue;
      if (node['Node Type'] === 'Index Only Scan') expect(node['Heap Fetches']).toBeLessThanOrEqual(most);
      else {
        expect(node['Node Type']).toBe('Index Scan');
        expect(rowsOf(node)).toBeLessThanOrEqual(most);
      }
    }
    for (const { 'Node Type': type, Plans: inputs = [] } of nodes) {
      // Groups with and without a time are two lists of one page each.
      if (type.includes('Sort')) for (const input of inputs) expect(rowsOf(input)).toBeLessThanOrEqual(2 * most);
    }
  });

  const orders = ['createdAt', 'updatedAt', 'scheduledTime'].flatMap((sortBy) =>
    ['asc', 'desc'].map((sortOrder) => ({ sortBy, sortOrder })),
  );
  const filters = ['', 'scheduled', 'failed'].flatMap((status) =>
    ['', 'mastodon', 'bluesky', 'youtube', 'unknown'].map((platform) => ({ status, platform })),
  );

  describe.for(orders)('by $sortBy, $sortOrder', (order) => {
    test.for(filters)('status "$status" and platform "$platform": the right page, from few rows', async (filter) => {
      const query = { ...order, ...filter };
      const ids = await stored(order, filter);
      for (const page of [1, 2]) {
        const { body } = await list(ada, { ...query, page: String(page) });
        const found = body.posts.map(({ postGroupId }: { postGroupId: string }) => postGroupId);
        expect(found).toEqual(ids.slice(page * 20 - 20, page * 20));
        expect(body.pagination.totalItems).toBe(ids.length);
      }
      for (const node of await planOf(query)) expect(rowsOf(node), JSON.stringify(node)).toBeLessThanOrEqual(500);
    });
  });

  /** Of the list from its first page to its last, or until there are this many. */
  async function byCursor(query: Record<string, string>, most = Number.POSITIVE_INFINITY) {
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const { status, body } = await list(ada, { ...query, ...(cursor !== undefined && { cursor }) });
      expect(status).toBe(200);
      ids.push(...body.posts.map(({ postGroupId }: { postGroupId: string }) => postGroupId));
      cursor = body.pagination.nextCursor;
      expect(cursor !== undefined).toBe(body.pagination.hasNextPage);
    } while (cursor !== undefined && ids.length < most);
    return { ids, cursor };
  }

  describe.for(orders)('by $sortBy, $sortOrder, from cursor to cursor', (order) => {
    test.for(filters.slice(0, 7))(
      'status "$status" and platform "$platform": each group once, in order',
      async (filter) => {
        const { ids } = await byCursor({ ...order, ...filter, limit: '1000', fields: 'compact' });
        expect(ids).toEqual(await stored(order, filter));
      },
    );

    test.for<Record<string, string>>([
      {},
      { fromDate: '2027-01-05', toDate: '2027-01-20' },
      { q: 'text' },
      { status: 'failed' },
    ])('%o: in order on short pages', async (filter) => {
      const all = await byCursor({ ...order, ...filter, limit: '100' });
      const { ids } = await byCursor({ ...order, ...filter, limit: '7' }, 70);
      expect(ids).toEqual(all.ids.slice(0, ids.length));
      expect(new Set(all.ids).size).toBe(all.ids.length);
    });

    test('a page in the middle reads as few rows as the first', async () => {
      const { cursor } = await byCursor({ ...order, limit: '100' }, 2500);
      for (const node of await planOf({ ...order, cursor: cursor! }))
        expect(rowsOf(node), JSON.stringify(node)).toBeLessThanOrEqual(50);
    });
  });

  test('the lists of a channel and of words continue at a cursor, also past groups without a time', async () => {
    for (const query of [{ channel: 'mastodon-1' }, { channel: 'bluesky-1', sortBy: 'scheduledTime' }]) {
      const { ids } = await byCursor({ ...query, limit: '100' });
      const { body } = await list(ada, { ...query, limit: '1000', fields: 'compact' });
      expect(ids.slice(0, 1000)).toEqual(body.posts.map(({ postGroupId }: { postGroupId: string }) => postGroupId));
    }
  });

  /** The values computed directly from the tables. */
  async function stored(
    { sortBy, sortOrder }: (typeof orders)[number],
    { status, platform }: (typeof filters)[number],
  ): Promise<string[]> {
    const column = { createdAt: 'created_at', updatedAt: 'updated_at', scheduledTime: 'scheduled_at' }[sortBy];
    const { rows } = await service.database.pool.query(
      `select id from post_groups where user_id = $1 and $2 in ('', status) and ($3 = '' or exists (
        select from platform_posts where post_group_id = post_groups.id and platform = $3
      )) order by ${column} ${sortOrder} nulls last, id ${sortOrder}`,
      [ada.id, status, platform],
    );
    return rows.map(({ id }) => id);
  }

  test('the totals are right', async () => {
    const { body } = await list(ada, { status: 'scheduled', limit: '100', page: '3' });
    expect(body.pagination).toMatchObject({ totalItems: 995, totalPages: 10 });
    expect((await list(ada, { platform: 'bluesky' })).body.pagination.totalItems).toBe(245);
    expect((await list(ada, { fromDate: '2020-01-01' })).body.pagination.totalItems).toBe(4000);
    const found: string[] = [];
    for (const page of ['39', '40', '41', '42']) {
      const { body: answer } = await list(ada, { sortBy: 'scheduledTime', limit: '100', page });
      found.push(...answer.posts.map(({ scheduledTime }: { scheduledTime: string | null }) => scheduledTime ?? ''));
    }
    expect(found).toEqual(found.toSorted().toReversed());
    expect(found.filter((time) => time === '')).toHaveLength(200);
  });
});
