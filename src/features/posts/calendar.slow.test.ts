import { type CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publishDue } from '../../../test/support/publishing/publish-due.ts';
import { testClock } from '../../../test/support/service/app.ts';
import { type TestService, type TestUser, testService } from '../../../test/support/service/service.ts';
import type { DB } from '../../foundation/db/schema.gen.ts';
import { whoIs } from '../auth/access/api-key.ts';
import { listPostGroups } from './list/list-posts.ts';

/**
 * The additions of list-posts to the contract: calendar ranges, compact posts, channels, multiple statuses, and
 * search.
 */

const clock = testClock('2027-03-04T05:06:07.000Z');
let service: TestService;

beforeAll(async () => {
  service = await testService({ clock });
});
afterAll(() => service.close());

async function create(user: TestUser, body: object): Promise<string> {
  const answer = await user.call('POST', '/create-post', { content: 'A post', ...body });
  expect(answer).toMatchObject({ status: 200 });
  clock.advance({ seconds: 1 });
  return answer.body.postGroupId;
}
const list = (user: TestUser, query: Record<string, string> = {}) =>
  user.call('GET', `/list-posts?${new URLSearchParams(query)}`);
const idsOf = async (user: TestUser, query: Record<string, string>): Promise<string[]> => {
  const { status, body } = await list(user, query);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.posts.map(({ postGroupId }: { postGroupId: string }) => postGroupId);
};

describe('a calendar', () => {
  let ada: TestUser;
  let mastodon: string;
  let bluesky: string;
  const posts: Record<string, string> = {};

  beforeAll(async () => {
    ada = await service.aUser();
    mastodon = await ada.aConnection();
    bluesky = await ada.aConnection('bluesky');
    posts.published = await create(ada, { platforms: [mastodon], publishNow: true, content: `${'x'.repeat(150)}` });
    posts.failed = await create(ada, { platforms: [bluesky], publishNow: true });
    await publishDue(service.app);
    posts.draft = await create(ada, { platforms: [mastodon] });
    posts.late = await create(ada, { platforms: [mastodon, bluesky], scheduledTime: '2027-03-20T00:00:00Z' });
    posts.early = await create(ada, { platforms: [bluesky], scheduledTime: '2027-03-10T00:00:00Z' });
  });

  const namesOf = async (query: Record<string, string>) =>
    (await idsOf(ada, query)).map((id) => Object.keys(posts).find((name) => posts[name] === id));

  test('has what is and what was due in the range, the earliest first', async () => {
    const range = { from: '2027-03-01', to: '2027-03-31' };
    expect(await namesOf(range)).toEqual(['published', 'failed', 'early', 'late']);
    expect(await namesOf({ ...range, sortOrder: 'desc' })).toEqual(['late', 'early', 'failed', 'published']);
    expect(await namesOf({ from: '2027-03-10', to: '2027-03-20T00:00:00Z' })).toEqual(['early', 'late']);
    expect(await namesOf({ from: '2027-03-20T00:00:00.001Z' })).toEqual([]);
    expect(await namesOf({ to: '2027-03-05', status: 'published' })).toEqual(['published']);
  });

  test('compact posts have the first 140 characters, the state of each network, and no other field', async () => {
    const { body } = await list(ada, { from: '2027-03-01', to: '2027-03-31', fields: 'compact' });
    expect(body.posts[0]).toEqual({
      postGroupId: posts.published,
      content: 'x'.repeat(140),
      status: 'published',
      scheduledTime: '2027-03-04T05:06:07.000Z',
      createdAt: expect.stringContaining('2027'),
      updatedAt: expect.stringContaining('2027'),
      platforms: [
        {
          platformId: mastodon,
          platform: 'mastodon',
          status: 'published',
          publishedAt: expect.stringContaining('2027'),
        },
      ],
      thumbnail: null,
      version: 2,
    });
    expect(body.posts[3].platforms).toEqual([
      { platformId: mastodon, platform: 'mastodon', status: 'scheduled', publishedAt: null },
      { platformId: bluesky, platform: 'bluesky', status: 'scheduled', publishedAt: null },
    ]);
  });

  test('compact posts that failed say why', async () => {
    const { body } = await list(ada, { fields: 'compact', status: 'failed' });
    const { error } = (await ada.call('GET', `/get-post/${posts.failed}`)).body.posts[0];
    expect(body.posts[0].platforms).toEqual([
      { platformId: bluesky, platform: 'bluesky', status: 'failed', publishedAt: null, error: error.message },
    ]);
  });

  test('the version grows with every change', async () => {
    const id = await create(ada, { platforms: [mastodon], scheduledTime: '2027-09-01T00:00:00Z' });
    const version = async () => (await list(ada, { from: '2027-08-31', fields: 'compact' })).body.posts[0].version;
    const before = await version();
    await ada.call('PUT', `/update-post/${id}`, { content: 'Changed' });
    expect(await version()).toBe(before + 1);
    await ada.call('DELETE', `/delete-post/${id}`);
  });

  test('has the first file as its thumbnail', async () => {
    const id = await create(ada, { platforms: [mastodon] });
    await service.database.pool.query(
      `insert into media (id, user_id, post_group_id, type, mime_type, source_file_name, storage_key, status, metadata, created_at)
       select n || $1, $2, $3, 'image', 'image/png', 'a.png', 'images/1700000000000-1-0000000' || case n when 'a' then '1' else '2' end || '-' || n || '.png', 'ready', '{}', now() from unnest('{a,b}'::text[]) n`,
      [id.slice(1), ada.id, id],
    );
    await service.database.pool.query('update post_groups set media_ids = $1 where id = $2', [
      [`a${id.slice(1)}`, `b${id.slice(1)}`],
      id,
    ]);
    const { body } = await list(ada, { fields: 'compact', status: 'draft', limit: '1' });
    expect(body.posts[0].thumbnail).toEqual({ type: 'image', url: expect.stringMatching(/-a\.png$/) });
    await ada.call('DELETE', `/delete-post/${id}`);
  });

  test('several statuses and one channel can be asked for', async () => {
    const fields = 'compact';
    expect(await namesOf({ fields, status: 'scheduled,failed' })).toEqual(['early', 'late', 'failed']);
    expect(await namesOf({ fields, status: 'draft' })).toEqual(['draft']);
    expect(await namesOf({ channel: bluesky })).toEqual(['early', 'late', 'failed']);
    expect(await namesOf({ channel: bluesky, sortOrder: 'asc', status: 'failed,draft' })).toEqual(['failed']);
    expect(await namesOf({ channel: mastodon, sortBy: 'scheduledTime' })).toEqual(['late', 'published', 'draft']);
    expect(await namesOf({ channel: bluesky, from: '2027-03-05', to: '2027-03-15' })).toEqual(['early']);
    for (const channel of ['mastodon-1', 'mastodon', 'nonsense', "'", '\0', `${mastodon}\0`]) {
      expect(await namesOf({ channel })).toEqual([]);
    }
  });

  test('another user sees nothing of it', async () => {
    const ben = await service.aUser();
    for (const query of [{ channel: mastodon }, { from: '2027-01-01' }, { q: 'post' }, { fields: 'compact' }]) {
      expect(await idsOf(ben, query as Record<string, string>)).toEqual([]);
    }
  });

  test('pages follow each other without totals', async () => {
    const { body } = await list(ada, { from: '2027-03-01', to: '2027-03-31', limit: '3' });
    expect(body.pagination).toEqual({
      page: 1,
      limit: 3,
      hasNextPage: true,
      hasPrevPage: false,
      nextCursor: expect.any(String),
    });
    const last = await list(ada, { from: '2027-03-01', to: '2027-03-31', limit: '3', page: '2' });
    expect(last.body.pagination).toEqual({ page: 2, limit: 3, hasNextPage: false, hasPrevPage: true });
    expect(last.body.posts).toHaveLength(1);
    const full = await list(ada, { from: '2027-03-01', to: '2027-03-31', limit: '4' });
    expect(full.body.pagination.hasNextPage).toBe(false);
  });

  test.for<[query: Record<string, string>, limit: number]>([
    [{ fields: 'compact', limit: '1000' }, 1000],
    [{ fields: 'compact', limit: '5000' }, 1000],
    [{ fields: 'compact' }, 20],
    [{ from: '2027-01-01', limit: '1000' }, 100],
    [{ limit: '1000' }, 100],
  ])('a page of %j has at most %i posts', async ([query, limit]) => {
    expect((await list(ada, query)).body.pagination.limit).toBe(limit);
  });

  test.for<[query: string, error: string]>([
    ['from=soon', 'Invalid from format'],
    ['to=soon', 'Invalid to format'],
    ['fields=all', 'Invalid fields. Must be: compact'],
    ['channel=a&channel=b', 'channel must be one connection id'],
    [`q=${'x'.repeat(201)}`, 'q must be a string of at most 200 characters'],
    [
      'fields=compact&status=draft,queued',
      'Invalid status. Must be one of: draft, scheduled, published, failed, partially_published',
    ],
    // Without one of the additions, the contract applies.
    ['status=draft,failed', 'Invalid status. Must be one of: draft, scheduled, published, failed, partially_published'],
  ])('%s is refused', async ([query, error]) => {
    const { status, body } = await ada.call('GET', `/list-posts?${query}`);
    expect([status, body.error]).toEqual([400, error]);
  });
});

describe('the search', () => {
  let ada: TestUser;
  let platforms: string[];
  beforeAll(async () => {
    ada = await service.aUser();
    platforms = [await ada.aConnection()];
  });

  test.for<[text: string, found: string[], notFound: string[]]>([
    ['The Café opens at NINE', ['cafe', 'CAFÉ', 'nine opens', 'caf', 'OPEN'], ['ten', 'afé', 'nine ten']],
    ['Straßenbahn über Zürich', ['zurich', 'STRASSE', 'straße', 'uber'], ['strabe']],
    [
      '#launch https://example.com/sale it\u2019s 2027',
      ['launch', '#launch', 'example.com', 'sale', '2027', "it's"],
      ['x'],
    ],
    ['مَرْحَبًا بالعالم', ['مرحبا', 'بالعالم', 'مَرْحَبًا'], ['سلام']],
    ['今日は東京でカレーを食べた', ['東京', 'カレー', '今', 'た', '東京で', 'ｶﾚｰ'], ['京都', '大阪']],
    ['สวัสดีชาวโลก', ['ชาวโลก', 'สวัสดี'], ['ลาก่อน']],
    ['안녕하세요 서울', ['서울', '안녕'], ['부산']],
    ['Party 🎉 with 👩‍💻 and ❤️ from 🇩🇪', ['🎉', '👩‍💻', '❤', '🇩🇪', 'party 🎉'], ['🎂', '🇫🇷']],
    ['ΟΔΟΣ και λόγος', ['οδος', 'λογοσ'], ['αβγ']],
  ])('finds %j by its words', async ([content, found, notFound]) => {
    const id = await create(ada, { platforms, content });
    for (const q of found) expect(await idsOf(ada, { q }), q).toEqual([id]);
    for (const q of notFound) expect(await idsOf(ada, { q }), q).toEqual([]);
    await ada.call('DELETE', `/delete-post/${id}`);
    expect(await idsOf(ada, { q: found[0]! })).toEqual([]);
  });

  test('follows an edit of the text', async () => {
    const id = await create(ada, { platforms, content: 'Before' });
    await ada.call('PUT', `/update-post/${id}`, { content: 'After' });
    expect([await idsOf(ada, { q: 'before' }), await idsOf(ada, { q: 'after' })]).toEqual([[], [id]]);
    await ada.call('PUT', `/update-post/${id}`, { scheduledTime: '2027-04-01T00:00:00Z' });
    expect(await idsOf(ada, { q: 'after', from: '2027-03-31', fields: 'compact', channel: platforms[0]! })).toEqual([
      id,
    ]);
    await ada.call('DELETE', `/delete-post/${id}`);
  });

  test.for(['!!!', ' ', "'; drop table users; --", '\0', '\ud800', ':*', '& |', '\\'])(
    '%j breaks nothing',
    async (q) => {
      const { status, body } = await ada.call('GET', `/list-posts?q=${encodeURIComponent(q.toWellFormed())}`);
      expect([status, body.posts]).toEqual([200, []]);
    },
  );

  test('finds the last word of the longest text', async () => {
    const content = `${Array.from({ length: 30_000 }, (_, n) => `w${n.toString(36)}`).join(' ')} lighthouse`;
    const id = await create(ada, { platforms, content });
    expect(await idsOf(ada, { q: 'lighthouse wn5a', fields: 'compact' })).toEqual([id]);
    await ada.call('DELETE', `/delete-post/${id}`);
  });
});

describe('for a user with 20,000 posts among 40,000', () => {
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
       select 'f' || lpad(to_hex(n), 23, '0'), case when n % 2 = 0 then $1 else $2 end, 'A text',
         case when n % 5 < 2 then 'scheduled' when n % 5 = 2 then 'failed' else 'published' end,
         timestamptz '2027-01-01' + n * 7919 % 40000 * interval '1 minute', 1, 1,
         timestamptz '2026-01-01' + n * interval '1 minute', timestamptz '2026-06-01' + n * interval '1 minute',
         array['mastodon']
       from generate_series(1, 40000) n`,
      [ada.id, ben.id],
    );
    await client.query(
      `insert into platform_posts (id, post_group_id, user_id, platform, account_id, position, content, status, posted_id, error)
       select 'e' || substr(id, 2), id, user_id, 'mastodon', case when n % 2500 = 0 then '2' else '1' end, 1, content, status, '1',
         '{"code":"X"}'
       from (select *, row_number() over (order by id) / 2 as n from post_groups where id like 'f%') made`,
    );
    await client.query(
      `insert into post_words (post_group_id, user_id, words)
       select id, user_id, array_to_tsvector(array[right(user_id, 8) || 'common', right(user_id, 8) || 'word' || n])
       from (select *, row_number() over (order by id) / 2 % 4000 as n from post_groups where id like 'f%') made`,
    );
    await client.query('vacuum analyze post_groups, platform_posts, post_words');
    client.release(true);
  });

  interface PlanNode {
    'Node Type': string;
    'Actual Rows': number;
    'Actual Loops': number;
    'Rows Removed by Filter'?: number;
    'Rows Removed by Index Recheck'?: number;
    Plans?: PlanNode[];
  }
  const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];
  const rowsOf = (node: PlanNode) =>
    (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) *
    node['Actual Loops'];

  /** The highest number of rows that any plan node read, and the number of posts found. */
  async function mostRead(query: Record<string, string>) {
    const asked: CompiledQuery[] = [];
    const { pool } = service.database;
    const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }), log: (event) => void asked.push(event.query) });
    const { posts } = await listPostGroups({ ...service.app, db }, await whoIs(service.app.db, ada.id), query);
    expect(asked).toHaveLength(query.q ? 2 : 1);
    let most = 0;
    for (const { sql, parameters } of asked) {
      const { rows } = await pool.query(`explain (analyze, format json) ${sql}`, [...parameters]);
      most = Math.max(most, ...nodesOf(rows[0]['QUERY PLAN'][0].Plan).map(rowsOf));
    }
    return { most, found: posts.length };
  }

  const compact = { fields: 'compact', limit: '1000' };
  test.for<[title: string, query: Record<string, string>, found: number, most: number]>([
    ['a month of the calendar', { ...compact, from: '2027-01-05', to: '2027-01-05T20:00:00Z' }, 601, 700],
    [
      'two statuses of it',
      { ...compact, from: '2027-01-05', to: '2027-01-05T20:00:00Z', status: 'failed,scheduled' },
      361,
      700,
    ],
    [
      'one channel of it',
      { ...compact, from: '2027-01-05', to: '2027-01-05T20:00:00Z', channel: 'mastodon-1' },
      601,
      2_000,
    ],
    ['the first page', { fields: 'compact' }, 20, 100],
    ['a channel with few posts', { channel: 'mastodon-2' }, 8, 100],
    ['a channel with many posts', { channel: 'mastodon-1' }, 20, 100],
    ['words that few posts have', { q: 'word77' }, 20, 700],
    ['a word that one in four thousand has', { q: 'word3999', fields: 'compact' }, 5, 100],
    // Above 5,000 posts, they are read in order instead of sorted.
    ['a word that all posts have', { q: 'common', fields: 'compact' }, 20, 12_000],
    ['a word that all posts have, and another', { q: 'word77 common', fields: 'compact' }, 20, 700],
    ['a word that no post has', { q: 'nowhere' }, 0, 100],
  ])('%s reads about as many rows as it answers with', async ([, query, found, most]) => {
    const read = await mostRead(query);
    expect(read.found).toBe(found);
    expect(read.most).toBeLessThanOrEqual(most);
  });
});
