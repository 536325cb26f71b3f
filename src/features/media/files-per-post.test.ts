import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anImage } from '../../../test/support/files/media.ts';
import { serveCounted } from '../../../test/support/servers/egress.ts';
import { type MediaService, mediaService, signedIn } from '../../../test/support/service/media-service.ts';
import type { TestUser } from '../../../test/support/service/service.ts';
import { mediaLimits } from '../../foundation/errors/media.ts';

let png: Buffer;
let fetched: number;
let files: Awaited<ReturnType<typeof serveCounted>>;
let ours: MediaService;
let ada: TestUser;
let post: string;
beforeAll(async () => {
  png = (await anImage({ type: 'png' })).bytes;
  files = await serveCounted((_request, response) => {
    fetched += 1;
    response.end(png);
  });
  ours = await mediaService('disk', { environment: { EGRESS_ALLOW: files.place } });
  ada = await ours.aUser();
});
afterAll(async () => {
  await ours.close();
  await files[Symbol.asyncDispose]();
});
beforeEach(async () => {
  fetched = 0;
  post = await ours.aDraft(ada);
});

const query = async (text: string, values: unknown[]) => (await ours.database.pool.query(text, values)).rows;
const limit = mediaLimits.filesPerPost;

/** Files that failed their check. */
async function attach(count: number) {
  const ids = Array.from({ length: count }, () => ours.app.newId());
  await query(
    `insert into media (id, user_id, post_group_id, purpose, type, mime_type, source_file_name, storage_key, status,
      failure_code, failure_reason, created_at)
    select id, $2, $3, 'post', 'video', 'video/mp4', 'a.mp4', 'videos/' || id, 'failed', 'PROBE_FAILED', 'It is damaged.', now()
    from unnest($1::text[]) as id`,
    [ids, ada.id, post],
  );
  await query('update post_groups set media_ids = $1 where id = $2', [ids, post]);
  return ids;
}

const stored = () => query('select id from media where post_group_id = $1', [post]);
const file = { fileName: 'a.png', contentType: 'image/png' };
const askForUpload = () => ada.call('POST', '/get-upload-url', { ...file, postGroupId: post });
const url = () => `${files.url}/a.png`;
const refusal = {
  status: 400,
  body: { error: 'A post can have at most 100 files. Delete one of its files first.', code: 'TOO_MANY_MEDIA_FILES' },
};

describe('a post with as many files as it can have', () => {
  const additions: [title: string, add: () => Promise<object>][] = [
    ['an upload URL', askForUpload],
    [
      'an upload URL of the dashboard',
      async () =>
        ada.call('POST', '/media/generate-upload-url', { ...file, postGroupId: post }, await signedIn(ours, ada)),
    ],
    [
      'a file from a URL',
      () => ada.call('POST', `/attach-media/${post}`, { file: { download_url: url(), file_id: '1' } }),
    ],
    ['media URLs', () => ada.call('PUT', `/update-post/${post}`, { mediaUrls: [url()] })],
  ];

  test.each(additions)('refuses %s, and fetches nothing', async (_title, add) => {
    await attach(limit);
    expect(await add()).toMatchObject(refusal);
    expect(await stored()).toHaveLength(limit);
    expect(fetched).toBe(0);
  });

  test('takes another when one is deleted, also one that failed its check', async () => {
    const [first] = await attach(limit);
    expect((await ada.call('DELETE', `/media/${first}`)).status).toBe(200);
    expect((await askForUpload()).status).toBe(200);
    expect(await askForUpload()).toMatchObject(refusal);
  });
});

test('concurrent requests do not exceed the number of files together', async () => {
  await attach(limit - 1);
  const statuses = (await Promise.all([1, 2, 3, 4].map(askForUpload))).map(({ status }) => status);
  expect(statuses.sort()).toEqual([200, 400, 400, 400]);
  expect(await stored()).toHaveLength(limit);
});

test('a post that has more from before the limit can lose files and be reordered', async () => {
  const [first, ...others] = await attach(limit + 20);
  expect((await ada.call('DELETE', `/media/${first}`)).status).toBe(200);
  const mediaIds = others.toReversed();
  const session = await signedIn(ours, ada);
  expect((await ada.call('PUT', `/post/${post}/media-order`, { mediaIds }, session)).status).toBe(200);
  expect(await askForUpload()).toMatchObject(refusal);
});
