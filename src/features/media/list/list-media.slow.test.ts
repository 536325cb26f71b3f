import { setTimeout } from 'node:timers/promises';
import { type CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lockIsAwaited } from '../../../../test/support/database/postgres.ts';
import { anImage, aVideo } from '../../../../test/support/files/media.ts';
import { type MediaService, mediaService, signedIn } from '../../../../test/support/service/media-service.ts';
import type { TestUser } from '../../../../test/support/service/service.ts';
import type { DB } from '../../../foundation/db/schema.gen.ts';
import { listMedia } from './list-media.ts';

let ours: MediaService;
let ada: TestUser;
beforeAll(async () => {
  ours = await mediaService();
  ada = await ours.aUser();
});
afterAll(() => ours.close());

const list = (query = '', by = ada, headers = {}) => by.call('GET', `/media${query}`, undefined, headers);
const namesIn = ({ media }: { media: { fileName: string }[] }) => media.map(({ fileName }) => fileName);

describe('GET /media', () => {
  test('lists the files of all posts, the newest first, with what is known of them', async () => {
    const postGroupId = await ours.aDraft(ada);
    const { bytes } = await anImage({ type: 'png', width: 300, height: 200 });
    const image = await ours.aReadyFile(ada, bytes, { postGroupId });
    await ada.call('PATCH', `/media/${image.mediaId}`, { altText: 'A square' });
    ours.advance(1);
    const video = await ours.aReadyFile(ada, aVideo().bytes, { fileName: 'clip.mp4', contentType: 'video/mp4' });
    ours.advance(1);
    const { mediaId } = await ours.anAddress(ada, postGroupId, {
      fileName: 'later.pdf',
      contentType: 'application/pdf',
    });
    const { status, body } = await list();
    expect(status).toBe(200);
    const post = { postGroupId, status: 'draft', excerpt: 'With media' };
    const unknown = { bytes: 0, width: null, height: null, durationSeconds: null, altText: null };
    const inOnePost = { labels: [], inLibrary: false, postCount: 1 };
    expect(body).toEqual({
      success: true,
      media: [
        {
          _id: mediaId,
          fileName: 'later.pdf',
          url: expect.stringMatching(/^http/),
          type: 'document',
          contentType: 'application/pdf',
          ...unknown,
          status: 'uploading',
          createdAt: ours.clock.now().toISOString(),
          ...inOnePost,
          posts: [post],
        },
        {
          _id: video.mediaId,
          fileName: 'clip.mp4',
          url: video.fileUrl,
          type: 'video',
          contentType: 'video/mp4',
          bytes: aVideo().bytes.length,
          width: 320,
          height: 180,
          durationSeconds: expect.closeTo(4, 0),
          altText: null,
          status: 'ready',
          createdAt: expect.any(String),
          ...inOnePost,
          posts: [{ ...post, postGroupId: video.postGroupId }],
        },
        {
          _id: image.mediaId,
          fileName: 'a_photo.png',
          url: image.fileUrl,
          type: 'image',
          contentType: 'image/png',
          bytes: bytes.length,
          width: 300,
          height: 200,
          durationSeconds: null,
          altText: 'A square',
          status: 'ready',
          createdAt: expect.any(String),
          ...inOnePost,
          posts: [post],
        },
      ],
      pagination: { page: 1, limit: 20, totalItems: 3, totalPages: 1, hasNextPage: false, hasPrevPage: false },
    });
  });

  test('can be limited to a type, and to a page', async () => {
    expect(namesIn((await list('?type=video')).body)).toEqual(['clip.mp4']);
    expect(namesIn((await list('?type=image')).body)).toEqual(['a_photo.png']);
    const { body } = await list('?limit=1&page=2');
    expect(namesIn(body)).toEqual(['clip.mp4']);
    expect(body.pagination).toEqual({
      page: 2,
      limit: 1,
      totalItems: 3,
      totalPages: 3,
      hasNextPage: true,
      hasPrevPage: true,
    });
    expect((await list('?page=9')).body).toMatchObject({ media: [], pagination: { totalItems: 3 } });
    expect(await list('?type=song')).toMatchObject({
      status: 400,
      body: { error: 'type must be one of: image, video, document' },
    });
  });

  test('has the files of the user alone, and not the images of settings', async () => {
    const eve = await ours.aUser();
    expect((await list('', eve)).body).toMatchObject({ media: [], pagination: { totalItems: 0, totalPages: 0 } });
    await ours.database.pool.query(`update media set purpose = 'thumbnail' where source_file_name = 'clip.mp4'`);
    expect(namesIn((await list()).body)).toEqual(['later.pdf', 'a_photo.png']);
  });

  test('shows no post for a file that its post no longer lists', async () => {
    const { mediaId, postGroupId } = await ours.anUpload(ada, (await anImage()).bytes);
    await ours.database.pool.query(`update post_groups set media_ids = '{}' where id = $1`, [postGroupId]);
    expect((await list()).body.media[0]).toMatchObject({ _id: mediaId, posts: [] });
  });

  test('works with a session, and not without credentials', async () => {
    const url = '/api/v1/media';
    const answer = await ours.server.inject({ url, headers: await signedIn(ours, ada) });
    expect(answer.json()).toMatchObject({ success: true, pagination: { page: 1 } });
    expect((await ours.server.inject({ url })).statusCode).toBe(401);
  });
});

describe('for a user with 20,000 files among 40,000', () => {
  let ben: TestUser;

  beforeAll(async () => {
    ben = await ours.aUser();
    const eve = await ours.aUser();
    const client = await ours.database.pool.connect();
    // Rows of a commit that is not on disk yet cannot be marked all-visible.
    await client.query('set synchronous_commit = on');
    await client.query(
      `insert into post_groups (id, user_id, content, status, media_ids, target_count, open_targets, created_at, updated_at)
       select 'f' || lpad(to_hex(n), 23, '0'), case when n % 2 = 0 then $1 else $2 end, repeat('A text. ', 50), 'published',
         array['e' || lpad(to_hex(n), 23, '0')], 1, 1, now(), now()
       from generate_series(1, 40000) n`,
      [ben.id, eve.id],
    );
    // Counting each file towards the quotas would take minutes.
    await client.query('alter table media disable trigger count_new_media');
    await client.query(
      `insert into media (id, user_id, post_group_id, type, mime_type, source_file_name, storage_key, status, metadata, created_at)
       select 'e' || substr(id, 2), user_id, id, case when n % 100 = 0 then 'video' else 'image' end, 'image/png', n || '.png',
         null, 'ready', '{"size": 1}', timestamptz '2026-01-01' + n * 7919 % 40000 * interval '1 minute'
       from (select *, row_number() over (order by id) as n from post_groups where id like 'f%') made`,
    );
    await client.query('alter table media enable trigger count_new_media');
    await client.query('vacuum analyze post_groups, media');
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
    const { pool } = ours.database;
    const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }), log: (event) => void asked.push(event.query) });
    await listMedia({ ...ours.app, db }, { userId: ben.id, ownerId: ben.id }, query as Parameters<typeof listMedia>[2]);
    expect(asked).toHaveLength(1);
    const { sql, parameters } = asked[0]!;
    const { rows } = await pool.query(`explain (analyze, format json) ${sql}`, [...parameters]);
    return nodesOf(rows[0]['QUERY PLAN'][0].Plan);
  }

  test.for<[title: string, query: Record<string, string>]>([
    ['the first page', {}],
    ['a later page', { page: '7', limit: '100' }],
    ['the videos', { type: 'video' }],
    ['the images', { type: 'image', page: '3' }],
  ])('%s: reads the rows of the page only, and counts in an index', async ([, query]) => {
    const most = Number(query.limit ?? 20) * Number(query.page ?? 1);
    const nodes = (await planOf(query)).filter((node) => node['Relation Name'] !== undefined);
    expect(nodes.length).toBeGreaterThan(2);
    for (const node of nodes) {
      if (node['Node Type'] === 'Index Only Scan') expect(node['Heap Fetches']).toBeLessThanOrEqual(most);
      else {
        expect(node['Node Type']).toBe('Index Scan');
        expect(rowsOf(node)).toBeLessThanOrEqual(most);
      }
    }
  });

  test('a search reads the files of the user alone, and returns one page', async () => {
    const scans = (await planOf({ q: '.png' })).filter((node) => node['Relation Name'] === 'media');
    for (const node of scans) expect(rowsOf(node)).toBeLessThanOrEqual(20_000);
    const { body } = await list('?q=40.png&limit=10', ben);
    expect(body.media.length).toBe(10);
    expect(body.pagination.totalItems).toBeGreaterThan(10);
  });

  test('every file is on one page', async () => {
    const { body } = await list('?limit=100&type=video', ben);
    expect(body.pagination).toMatchObject({ totalItems: 400, totalPages: 4 });
    const times = body.media.map(({ createdAt }: { createdAt: string }) => createdAt);
    expect(times).toEqual(times.toSorted().toReversed());
    const next = await list('?limit=100&type=video&page=2', ben);
    expect(next.body.media[0].createdAt <= times.at(-1)).toBe(true);
  });
});

test('a user who searches files many times at the same time leaves database connections to others', async () => {
  const [eve, ann] = [await ours.aUser(), await ours.aUser()];
  const client = await ours.database.pool.connect();
  await client.query('begin');
  await client.query('lock table media');
  const searches = Array.from({ length: 30 }, () => list('?q=a', eve));
  await lockIsAwaited(ours.database);
  const read = ann.call('GET', '/posting-slots').then(({ status }) => status);
  const first = await Promise.race([read, setTimeout(3_000, 'late')]);
  await client.query('rollback');
  client.release();
  await Promise.all([...searches, read]);
  expect(first).toBe(200);
});
