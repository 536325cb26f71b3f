import type { RequestListener } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anImage, aVideo } from '../../../test/support/files/media.ts';
import { serveCounted } from '../../../test/support/servers/egress.ts';
import { type MediaService, mediaService } from '../../../test/support/service/media-service.ts';
import type { Answer, TestUser } from '../../../test/support/service/service.ts';
import { StorageError } from '../../foundation/storage/storage.ts';
import { buildServer } from '../../surfaces/server.ts';

/** POST /attach-media (contract.md#attach-media), with files on a server of this test. */

const soon = () => new Date(service.clock.now().getTime() + 86_400_000).toISOString();
let files: Awaited<ReturnType<typeof serveCounted>>;
let answers: Record<string, RequestListener>;
let fetched: string[];
let service: MediaService;
let ada: TestUser;
let group: string;
let png: Buffer;

beforeAll(async () => {
  png = (await anImage({ type: 'png' })).bytes;
  files = await serveCounted((request, response) => {
    fetched.push(request.url!);
    const answer = answers[request.url!.split('?')[0]!];
    if (answer) return answer(request, response);
    response.end(png);
  });
  service = await mediaService('disk', { environment: { EGRESS_ALLOW: files.place } });
});
afterAll(async () => {
  await service.close();
  await files[Symbol.asyncDispose]();
});
beforeEach(async () => {
  [fetched, answers] = [[], {}];
  await startEmpty();
  ada = await service.aUser();
  group = await service.aDraft(ada);
});

const at = (path: string) => `${files.url}${path}`;
const aFile = (more: object = {}) => ({ download_url: at('/a.png'), file_id: 'file-1', ...more });
const attach = (body: unknown = { file: aFile() }, headers: Record<string, string> = {}, id = group) =>
  ada.call('POST', `/attach-media/${id}`, body, headers);
const get = async (id = group) => (await ada.call('GET', `/get-post/${id}`)).body;
const query = async (text: string, values: unknown[] = []) => (await service.database.pool.query(text, values)).rows;
/** The stored files and those pending removal, after the cleanup has run. */
const leftovers = async () => [
  await service.keptKeys(),
  await query('select * from orphaned_files'),
  await query('select * from media where user_id = $1', [ada.id]),
];
/** Deletes all records and files. */
async function startEmpty() {
  await query('delete from media');
  await query(`update orphaned_files set delete_after = '2000-01-01', delete_again_at = null`);
  await service.keptKeys();
}
const refusal = ({ status, body }: Answer) => [status, body.code, body.error];
async function aScheduledPost() {
  const platforms = [await ada.aConnection()];
  const { body } = await ada.call('POST', '/create-post', { content: 'Soon', platforms, scheduledTime: soon() });
  return { id: body.postGroupId as string, scheduledTime: body.scheduledTime as string, platforms };
}

describe('[attach-media] the file and the post', () => {
  test('an image is appended to the files of the post, and is ready', async () => {
    await attach();
    const answer = await attach({ file: aFile({ mime_type: 'video/mp4' }), fileName: 'second.png' });
    const { platforms, media, status } = await get();
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        success: true,
        message: 'Post updated successfully',
        scheduledTime: null,
        postGroup: { _id: group, status: 'draft', content: 'With media', platforms },
      },
    ]);
    expect(status).toBe('draft');
    expect(media).toEqual([
      expect.objectContaining({ sourceFileName: 'chatgpt-media', status: 'ready', type: 'image' }),
      expect.objectContaining({ sourceFileName: 'second.png', mimeType: 'image/png', status: 'ready' }),
    ]);
    const stored = await fetch(service.reach(media[1].url));
    expect(Buffer.from(await stored.arrayBuffer()).equals(png)).toBe(true);
  });

  test('a video is detected by its bytes, whatever its name', async () => {
    answers['/clip'] = (_, response) => response.end(aVideo().bytes);
    await attach({ file: aFile({ download_url: at('/clip'), mime_type: 'image/png' }) });
    expect((await get()).media).toEqual([
      expect.objectContaining({ type: 'video', mimeType: 'video/mp4', sourceFileName: 'chatgpt-media' }),
    ]);
  });

  test('[states.demote-attach-media] a scheduled post becomes a draft that keeps its time and leaves the queue, without an event', async () => {
    const { id, scheduledTime, platforms } = await aScheduledPost();
    const used = () => query('select sum(used)::int as used from usage_counters where owner_id = $1', [ada.id]);
    expect(await used()).toEqual([{ used: 1 }]);
    const answer = await attach(undefined, {}, id);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        success: true,
        message: 'Post updated successfully',
        scheduledTime,
        postGroup: { _id: id, status: 'draft', content: 'Soon', platforms, scheduledTime },
      },
    ]);
    expect(await get(id)).toMatchObject({ status: 'draft', scheduledTime, posts: [{ status: 'draft' }] });
    expect(await used()).toEqual([{ used: 0 }]);
    expect(await service.demotions(id)).toEqual([]);
    const { body } = await ada.call('GET', `/post-logs/${id}`);
    expect(body.logs).toContainEqual(
      expect.objectContaining({
        event: 'status_changed',
        metadata: { from: 'scheduled', to: 'draft', reason: 'media_changed' },
      }),
    );
  });
});

describe('[attach-media.invalid] the body', () => {
  const onlyFile = 'Only file and fileName are accepted; attaching media leaves the post in draft';
  const noObject = 'file must be a file object with download_url and file_id, not a local path or base64 string';
  const noUrl = 'file.download_url must be a non-empty string';
  const noId = 'file.file_id must be a non-empty string of at most 512 characters';
  const noName = 'fileName must be a non-empty string of at most 255 characters';

  test.each<[string, () => unknown, string]>([
    ['no object', () => [], onlyFile],
    ['another field', () => ({ file: aFile(), status: 'scheduled' }), onlyFile],
    ['no file', () => ({}), noObject],
    ['a path', () => ({ file: '/home/ada/photo.png' }), noObject],
    ['base64', () => ({ file: 'iVBORw0KGgo=' }), noObject],
    ['a bare address', () => ({ file: at('/a.png') }), noObject],
    ['a list', () => ({ file: [aFile()] }), noObject],
    ['null', () => ({ file: null }), noObject],
    ['no download_url', () => ({ file: { file_id: 'x' } }), noUrl],
    ['an empty download_url', () => ({ file: aFile({ download_url: ' ' }) }), noUrl],
    ['a download_url that is no text', () => ({ file: aFile({ download_url: 7 }) }), noUrl],
    ['no file_id', () => ({ file: { download_url: at('/a.png') } }), noId],
    ['an empty file_id', () => ({ file: aFile({ file_id: '' }) }), noId],
    ['a file_id of 513 characters', () => ({ file: aFile({ file_id: 'x'.repeat(513) }) }), noId],
    ['a mime_type that is no text', () => ({ file: aFile({ mime_type: 7 }) }), 'file.mime_type must be a string'],
    ['a file_name that is no text', () => ({ file: aFile({ file_name: {} }) }), 'file.file_name must be a string'],
    [
      'another key of file',
      () => ({ file: aFile({ size: 7 }) }),
      'file only accepts download_url, file_id, mime_type and file_name',
    ],
    ['an empty fileName', () => ({ file: aFile(), fileName: '' }), noName],
    ['a fileName of 256 characters', () => ({ file: aFile(), fileName: 'x'.repeat(256) }), noName],
    ['a fileName that is no text', () => ({ file: aFile(), fileName: 7 }), noName],
  ])('%s is refused', async (_, body, error) => {
    expect(refusal(await attach(body()))).toEqual([400, 'INVALID_MEDIA_FILE', error]);
    expect(fetched).toEqual([]);
  });

  test('a file_id of 512 characters, a fileName of 255 and a hint are accepted', async () => {
    const file = aFile({ file_id: 'x'.repeat(512), mime_type: 'anything', file_name: 'other.png' });
    const fileName = `${'n'.repeat(251)}.png`;
    expect((await attach({ file, fileName })).status).toBe(200);
    expect((await get()).media[0].sourceFileName).toBe(fileName);
  });

  test.each([
    ['the last segment of a path', '/home/ada/my photo.png', 'my_photo.png'],
    ["the last segment of Windows' paths", 'C:\\Pictures\\photo.png', 'photo.png'],
    ['whitespace runs as one _', ' my \t\n summer  photo.png ', 'my_summer_photo.png'],
    ['ASCII letters, digits, _, . and - only', 'é(1)ütf-8_ü.PNG', '1tf-8_.PNG'],
    ['its missing extension', 'photo', 'photo'],
  ])('the name keeps %s', async (_, fileName, expected) => {
    await attach({ file: aFile(), fileName });
    expect((await get()).media[0].sourceFileName).toBe(expected);
  });

  test('fileName wins over file.file_name, which wins over the default', async () => {
    await attach({ file: aFile({ file_name: 'of-file.png' }), fileName: 'own.png' });
    await attach({ file: aFile({ file_name: 'of-file.png' }) });
    await attach();
    const names = (await get()).media.map((file: { sourceFileName: string }) => file.sourceFileName);
    expect(names).toEqual(['own.png', 'of-file.png', 'chatgpt-media']);
  });

  test.each(['folder/', '...', '..', '.', '   ', 'üß', 'a/..'])(
    'the name %j leaves nothing and is refused',
    async (fileName) => {
      const refused = [400, 'INVALID_MEDIA_FILE', 'fileName must contain a valid file name'];
      expect(refusal(await attach({ file: aFile(), fileName }))).toEqual(refused);
      expect(refusal(await attach({ file: aFile({ file_name: fileName }) }))).toEqual(refused);
    },
  );

  test.each([
    ['no URL', 'somewhere', 'This is not a URL.'],
    ['http', 'http://example.com/a.png', 'Only https:// media URLs are allowed (got http://)'],
    ['a password', 'https://ada:secret@example.com/a.png', 'URLs with a user name or password are not allowed.'],
    ['another port', 'https://example.com:8443/a.png', 'Only port 443 is allowed (got 8443).'],
    ['a private host', 'https://10.0.0.5/a.png', expect.any(String)],
    ['a loopback host', 'https://127.0.0.1/a.png', expect.any(String)],
    ['a local name', 'https://localhost/a.png', expect.any(String)],
  ])('a download_url with %s is refused immediately', async (_, download_url, error) => {
    expect(refusal(await attach({ file: aFile({ download_url }) }))).toEqual([400, 'INVALID_MEDIA_FILE', error]);
  });

  test('a malformed post group id is refused', async () => {
    expect(refusal(await attach(undefined, {}, 'nonsense'))).toEqual([400, undefined, 'Invalid post group ID']);
  });
});

describe('[attach-media.check-order] before anything is fetched', () => {
  const allowance = () => query('select used from url_allowances where user_id = $1', [ada.id]);

  test('an unknown post and a post of another user are not found', async () => {
    const eve = await service.aUser();
    for (const id of ['f'.repeat(24), await service.aDraft(eve)]) {
      expect(refusal(await attach(undefined, {}, id))).toEqual([404, undefined, 'Post group not found']);
    }
    expect([fetched, await allowance()]).toEqual([[], []]);
  });

  test.each(['published', 'failed', 'partially_published'])('a %s post is not editable', async (status) => {
    await query('update post_groups set status = $2 where id = $1', [group, status]);
    const error = `Cannot attach media: post is currently in ${status} status`;
    expect(refusal(await attach())).toEqual([400, 'POST_NOT_EDITABLE', error]);
    expect([fetched, await allowance()]).toEqual([[], []]);
  });

  const tooLate = 'Publishing has already started; media cannot be changed. Duplicate the post to recover its content.';
  test.each([
    ['that is being published', `update post_groups set processing_status = 'processing' where id = $1`],
    ['with a target on its way', `update platform_posts set status = 'processing' where post_group_id = $1`],
    ['with a live target', `update platform_posts set status = 'published', posted_id = '1' where post_group_id = $1`],
    [
      'with a target whose outcome is unknown',
      `update platform_posts set status = 'failed', error = '{"code":"PUBLISH_OUTCOME_UNKNOWN"}' where post_group_id = $1`,
    ],
  ])('a post %s is not changed', async (_, change) => {
    await query(change, [group]);
    expect(refusal(await attach())).toEqual([409, 'POST_PUBLISH_IN_PROGRESS', tooLate]);
    expect([fetched, await allowance()]).toEqual([[], []]);
  });

  test('the 61st file of an hour is refused, and accepted in the next hour', async () => {
    await attach();
    await query('update url_allowances set used = 60 where user_id = $1', [ada.id]);
    fetched = [];
    const answer = await attach();
    expect(refusal(answer)).toEqual([429, 'MEDIA_URL_RATE_LIMITED', expect.stringContaining('60 URLs/hour')]);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(3_500);
    expect(fetched).toEqual([]);
    service.advance(3_601);
    expect((await attach()).status).toBe(200);
  });
});

describe('[attach-media.formats] a file that cannot be fetched', () => {
  test.each<[string, RequestListener | null, string]>([
    ['is gone', (_, response) => response.writeHead(410).end(), 'MEDIA_URL_HTTP_ERROR'],
    ['is a page', (_, response) => response.end('<!doctype html><html>'), 'MEDIA_URL_UNSUPPORTED_FORMAT'],
    ['is a PDF', (_, response) => response.end('%PDF-1.7\n%%EOF'), 'MEDIA_URL_UNSUPPORTED_FORMAT'],
    ['is cut off', (_, response) => response.end(png.subarray(0, png.length - 30)), 'PROBE_FAILED'],
    [
      'breaks off',
      (request, response) => {
        response.writeHead(200, { 'content-length': png.length }).write(png.subarray(0, 100));
        setTimeout(() => request.socket.destroy(), 50);
      },
      'MEDIA_URL_FETCH_FAILED',
    ],
    [
      'leads to a private place',
      (_, response) => response.writeHead(302, { location: 'https://10.0.0.5/' }).end(),
      'MEDIA_URL_BLOCKED_HOST',
    ],
    [
      'is larger than 25 MB',
      (_, response) => response.end(Buffer.concat([png, Buffer.alloc(26_214_400)])),
      'MEDIA_URL_TOO_LARGE',
    ],
  ])('because it %s does not change the post', async (_, answer, code) => {
    const { id } = await aScheduledPost();
    if (answer) answers['/a.png'] = answer;
    const before = await get(id);
    const { status, body } = await attach(undefined, {}, id);
    expect([status, body]).toEqual([
      400,
      {
        error: 'Media ingestion failed',
        mediaResults: [{ url: at('/a.png'), ok: false, code, error: expect.any(String) }],
      },
    ]);
    expect(await get(id)).toEqual(before);
    expect(await leftovers()).toEqual([[], [], []]);
  });

  test('for a YouTube channel that is no longer connected is refused and discarded', async () => {
    const channel = await ada.aConnection('youtube');
    const { body } = await ada.call('POST', '/create-post', { content: 'A film', platforms: [channel] });
    await query(`delete from connections where user_id = $1 and platform = 'youtube'`, [ada.id]);
    expect(refusal(await attach(undefined, {}, body.postGroupId))).toEqual([
      400,
      'INVALID_PLATFORM_CONNECTION',
      expect.stringContaining(channel),
    ]);
    expect(fetched.length).toBeGreaterThan(0);
    expect(await leftovers()).toEqual([[], [], []]);
  });

  test.each([
    [
      'has no room',
      new StorageError('full', 'Full.'),
      507,
      'The service has no storage space left for this file. Contact its operator.',
    ],
    [
      'does not answer',
      new StorageError('unavailable', 'Down.'),
      503,
      'The service cannot reach its file storage. Try again in a few seconds.',
    ],
  ])('a storage that %s is reported, and nothing is left behind', async (_, failure, status, error) => {
    const write = () => Promise.reject(failure);
    const server = await buildServer({ ...service.app, storage: { ...service.app.storage, write } });
    const headers = { 'x-service-key': ada.apiKey };
    const payload = { file: aFile() };
    const answer = await server.inject({ method: 'POST', url: `/api/v1/attach-media/${group}`, headers, payload });
    expect([answer.statusCode, answer.json().error]).toEqual([status, error]);
    expect(await leftovers()).toEqual([[], [], []]);
    await server.close();
  });
});

describe('[attach-media.idempotency] Idempotency-Key', () => {
  const key = { 'idempotency-key': 'k1' };
  const names = async (id = group) => (await get(id)).media.map(({ mediaId }: { mediaId: string }) => mediaId);

  test('a retry with another URL and hint gets the first answer and does not count against the limit', async () => {
    const first = await attach(undefined, key);
    const again = await attach({ file: aFile({ download_url: at('/new?sig=2'), mime_type: 'image/png' }) }, key);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect([await names(), fetched]).toEqual([[expect.any(String)], ['/a.png']]);
    expect(await query('select used from url_allowances where user_id = $1', [ada.id])).toEqual([{ used: 1 }]);
  });

  test('a retry gets the first answer even if the file was removed, or the post is published', async () => {
    const first = await attach(undefined, key);
    const [mediaId] = await names();
    await ada.call('DELETE', `/media/${mediaId}`);
    await query(`update post_groups set status = 'published' where id = $1`, [group]);
    expect((await attach(undefined, key)).body).toEqual(first.body);
    expect(await names()).toEqual([]);
  });

  test.each<[string, () => Promise<Answer>]>([
    ['file id', () => attach({ file: aFile({ file_id: 'file-2' }) }, key)],
    ['name', () => attach({ file: aFile(), fileName: 'other.png' }, key)],
    ['post', async () => attach(undefined, key, await service.aDraft(ada))],
  ])('the key with another %s is refused', async (_, call) => {
    await attach(undefined, key);
    expect(refusal(await call())).toEqual([
      422,
      'IDEMPOTENCY_KEY_CONFLICT',
      'Idempotency key was already used with a different request body',
    ]);
  });

  test('names that are equal after cleaning are the same', async () => {
    const first = await attach({ file: aFile(), fileName: 'my photo.png' }, key);
    const again = await attach({ file: aFile(), fileName: '/tmp/my  photo.png' }, key);
    expect([again.status, again.body, (await names()).length]).toEqual([200, first.body, 1]);
  });

  test('the key is in use while its file is being fetched', async () => {
    const arrived = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    answers['/a.png'] = async (_, response) => {
      arrived.resolve();
      await go.promise;
      response.end(png);
    };
    const first = attach(undefined, key);
    await arrived.promise;
    expect(refusal(await attach(undefined, key))).toEqual([409, 'IDEMPOTENCY_IN_FLIGHT', expect.any(String)]);
    go.resolve();
    expect((await first).status).toBe(200);
    expect(await names()).toHaveLength(1);
  });

  test('the key can be used again after a failed download', async () => {
    answers['/a.png'] = (_, response) => response.writeHead(404).end();
    expect((await attach(undefined, key)).status).toBe(400);
    answers = {};
    expect((await attach({ file: aFile({ file_id: 'file-2' }) }, key)).status).toBe(200);
    expect(await names()).toHaveLength(1);
  });

  test('a key is kept for 24 hours', async () => {
    await attach(undefined, key);
    service.advance(86_300);
    await attach(undefined, key);
    expect(await names()).toHaveLength(1);
    service.advance(101);
    await attach(undefined, key);
    expect(await names()).toHaveLength(2);
  });

  test('without a key each call attaches another copy', async () => {
    await attach();
    await attach();
    expect(await names()).toHaveLength(2);
  });
});
