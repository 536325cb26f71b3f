import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lockIsAwaited } from '../../../test/support/database/postgres.ts';
import { type MediaWeb, mediaWeb } from '../../../test/support/servers/media-web.ts';
import { type MediaService, mediaService } from '../../../test/support/service/media-service.ts';
import type { Answer, TestUser } from '../../../test/support/service/service.ts';
import type { Db } from '../../foundation/db/database.ts';
import { ingestUrls } from '../files/files.ts';
import { maxRequestBytes } from '../files/ingestion/download.ts';
import { takeFromUrlQuota } from '../files/queries.ts';

let web: MediaWeb;
let ours: MediaService;
let ada: TestUser;
let platform: string;
beforeAll(async () => {
  web = await mediaWeb();
  ours = await mediaService('disk', { environment: { EGRESS_ALLOW: web.place } });
  await renew();
});
afterAll(async () => {
  await ours.close();
  await web[Symbol.asyncDispose]();
});

/** Creates a user who has not fetched any URL yet. */
async function renew() {
  ada = await ours.aUser();
  platform = await ada.aConnection();
}
const at = (...paths: string[]) => paths.map((path) => `${web.url}${path}`);
const create = (mediaUrls: unknown, headers = {}): Promise<Answer> =>
  ada.call('POST', '/create-post', { content: 'Look', platforms: [platform], mediaUrls }, headers);
const resultsOf = (answer: Answer): { url: string; ok: boolean; code: string; error: string }[] => {
  expect(answer).toMatchObject({ status: 400, body: { error: 'Media ingestion failed' } });
  return answer.body.mediaResults;
};

test.each([
  ['a user', 1],
  ['an owner with managed users', 5],
])('%s downloads at most eight files at the same time, and another user does not wait for them', async (_, users) => {
  const [eve, ...managed] = await Promise.all(Array.from({ length: users }, () => ours.aUser()));
  const of = [eve!, ...managed];
  const silent = (count: number) => at(...Array.from({ length: count }, (_, i) => `/silent/${i}`));
  const before = web.open();
  const asked = web.asked.length;
  let ended = 0;
  const requests = 5;
  for (let i = 0; i < requests; i += 1) {
    const who = { userId: of[i % users]!.id, ownerId: eve!.id };
    const urls = silent(4).map((url) => ({ url }));
    void ingestUrls(ours.app, who, urls, { budgetMs: 60_000 }).catch(() => (ended += 1));
  }
  await expect.poll(() => web.asked.length - asked).toBeGreaterThanOrEqual(8);
  expect((await create(at('/picture/a'))).status).toBe(200);
  expect(web.open() - before).toBeLessThanOrEqual(9);
  // The image, and the requests that eve has been allowed so far.
  expect(web.asked.length - asked).toBe(9);
  const breakSilence = () => {
    web.breakSilence();
    return ended;
  };
  await expect.poll(breakSilence).toBe(requests);
});

describe('mediaUrls', () => {
  test.each([
    ['https://example.com/a.png', 'mediaUrls must be an array of public https URLs'],
    [{ 0: 'https://example.com/a.png' }, 'mediaUrls must be an array of public https URLs'],
    [null, 'mediaUrls must be an array of public https URLs'],
    [[], 'mediaUrls must contain at least one URL when provided'],
    [['https://example.com/a.png', ' '], 'Every mediaUrls entry must be a non-empty string'],
    [['https://example.com/a.png', 7], 'Every mediaUrls entry must be a non-empty string'],
    [Array(11).fill('https://example.com/a.png'), 'mediaUrls supports at most 10 URLs per request'],
  ])('that are %j are refused', async (mediaUrls, error) => {
    expect(await create(mediaUrls)).toMatchObject({ status: 400, body: { error } });
    const { body } = await ada.call('POST', '/create-post', { content: 'Draft', platforms: [platform] });
    const updated = await ada.call('PUT', `/update-post/${body.postGroupId}`, { mediaUrls });
    expect(updated).toMatchObject({ status: 400, body: { error } });
  });

  test.each([
    ['no address', 'MEDIA_URL_INVALID', /./],
    ['http://example.com/a.png', 'MEDIA_URL_PROTOCOL', /^Only https:\/\/ media URLs are allowed \(got http:\/\/\)$/],
    ['ftp://example.com/a.png', 'MEDIA_URL_PROTOCOL', /got ftp:/],
    ['file:///etc/passwd', 'MEDIA_URL_PROTOCOL', /./],
    ['https://ada:secret@example.com/a.png', 'MEDIA_URL_CREDENTIALS', /./],
    ['https://example.com:8443/a.png', 'MEDIA_URL_PORT', /./],
    ['https://localhost/a.png', 'MEDIA_URL_BLOCKED_HOST', /./],
    ['https://printer.local/a.png', 'MEDIA_URL_BLOCKED_HOST', /./],
    ['https://metadata.google.internal/a.png', 'MEDIA_URL_BLOCKED_HOST', /./],
    ['https://169.254.169.254/latest/meta-data', 'MEDIA_URL_BLOCKED_HOST', /./],
    ['https://0x7f.1/a.png', 'MEDIA_URL_BLOCKED_HOST', /./],
    ['https://[::1]/a.png', 'MEDIA_URL_BLOCKED_HOST', /./],
  ])('with %s are refused before anything is fetched or counted', async (url, code, error) => {
    const before = web.asked.length;
    const results = resultsOf(await create([...at('/picture/a'), url]));
    expect(results).toEqual([
      { url: at('/picture/a')[0], ok: false, code: 'MEDIA_URL_SKIPPED', error: expect.any(String) },
      { url, ok: false, code, error: expect.stringMatching(error) },
    ]);
    expect(web.asked.length).toBe(before);
  });

  test.each([
    ['/nowhere', 'MEDIA_URL_REDIRECT'],
    ['/again/6', 'MEDIA_URL_TOO_MANY_REDIRECTS'],
    [`/to?url=${encodeURIComponent('https://10.0.0.1/a.png')}`, 'MEDIA_URL_BLOCKED_HOST'],
    [`/to?url=${encodeURIComponent('http://example.com/a.png')}`, 'MEDIA_URL_PROTOCOL'],
    ['/status/403', 'MEDIA_URL_HTTP_ERROR'],
    ['/status/204', 'MEDIA_URL_HTTP_ERROR'],
    ['/status/500', 'MEDIA_URL_HTTP_ERROR'],
    ['/text/0', 'MEDIA_URL_UNSUPPORTED_FORMAT'],
    ['/text/9000', 'MEDIA_URL_UNSUPPORTED_FORMAT'],
    ['/empty', 'MEDIA_URL_UNSUPPORTED_FORMAT'],
    ['/half', 'PROBE_FAILED'],
    ['/cut', 'MEDIA_URL_FETCH_FAILED'],
  ])('that lead to %s fail with %s', async (path, code) => {
    if (path.startsWith('/status/403')) await renew();
    const before = await ours.keptKeys();
    const [result] = resultsOf(await create(at(path)));
    expect(result).toEqual({ url: at(path)[0], ok: false, code, error: expect.any(String) });
    expect(await ours.keptKeys()).toEqual(before);
  });

  test('follow up to five redirects', async () => {
    expect((await create(at('/again/5'))).status).toBe(200);
  });

  test('whose host does not exist fail', async () => {
    const [result] = resultsOf(await create(['https://nothing.invalid/a.png']));
    expect(result?.code).toMatch(/^MEDIA_URL_(DNS|FETCH_FAILED)$/);
  });

  test.each([
    ['/large/26?as=jpeg', 'The image is larger than 25 MB.'],
    ['/declared/160000000', expect.any(String)],
  ])('of a file that is too large (%s) are aborted early', async (path, error) => {
    const before = await ours.keptKeys();
    const [result] = resultsOf(await create(at(path)));
    expect(result).toMatchObject({ code: 'MEDIA_URL_TOO_LARGE', error });
    expect(await ours.keptKeys()).toEqual(before);
  });

  /** Does the same as create-post, with smaller limits. */
  async function problemWith(paths: string[], limits: { budgetMs?: number; maxBytes?: number }, app = ours.app) {
    const wanted = at(...paths).map((url) => ({ url }));
    const problem = await ingestUrls(app, { userId: ada.id, ownerId: ada.id }, wanted, limits).then(
      () => null,
      (error) => error,
    );
    return problem.body.mediaResults as { code: string; error: string }[];
  }

  test('have a limit for their total size', async () => {
    const before = await ours.keptKeys();
    const three = Array(3).fill('/large/5?as=mp4');
    const results = await problemWith(['/picture/a', ...three], { maxBytes: 12 * 1_048_576 });
    const tooLarge = results.find(({ code }) => code === 'MEDIA_URL_AGGREGATE_TOO_LARGE');
    expect(tooLarge?.error).toBe('The files of this request are larger than 12 MB in total.');
    for (const { code } of results) {
      expect(code).toMatch(/^(MEDIA_URL_(AGGREGATE_TOO_LARGE|SKIPPED|ROLLED_BACK)|PROBE_FAILED)$/);
    }
    expect(await ours.keptKeys()).toEqual(before);
    expect(maxRequestBytes).toBe(300 * 1_048_576);
  });

  test('share one time budget', async () => {
    const before = await ours.keptKeys();
    const open = web.open();
    const results = await problemWith(['/picture/a', '/silent/1', '/silent/2'], { budgetMs: 500 });
    expect(results.map(({ code }) => code)).toEqual([
      'MEDIA_URL_ROLLED_BACK',
      'MEDIA_URL_INGEST_TIMEOUT',
      'MEDIA_URL_INGEST_TIMEOUT',
    ]);
    expect(await ours.keptKeys()).toEqual(before);
    await expect.poll(() => web.open()).toBeLessThanOrEqual(open + 1);
  });

  test('that do not get their turn in time fail although earlier ones were fetched', async () => {
    const { storage } = ours.app;
    const read: typeof storage.read = (key, options) => sleep(400).then(() => storage.read(key, options));
    const slow = { ...ours.app, storage: { ...storage, read } };
    const before = await ours.keptKeys();
    const results = await problemWith(Array(6).fill('/picture/a'), { budgetMs: 300 }, slow);
    const codes = results.map(({ code }) => code);
    expect(codes).toEqual([...Array(4).fill('MEDIA_URL_ROLLED_BACK'), ...Array(2).fill('MEDIA_URL_INGEST_TIMEOUT')]);
    expect(await ours.keptKeys()).toEqual(before);
  });
});

describe('the limit of URLs per hour', () => {
  test('is 60, also for many concurrent requests', async () => {
    await renew();
    const ten = at(...Array(10).fill('/status/404'));
    const answers = await Promise.all(Array.from({ length: 50 }, () => create(ten)));
    const statuses = answers.map(({ status }) => status);
    expect([statuses.filter((status) => status === 400), statuses.filter((status) => status === 429)]).toEqual([
      Array(6).fill(400),
      Array(44).fill(429),
    ]);
    const refused = answers.find(({ status }) => status === 429)!;
    expect(refused.body).toEqual({
      error:
        'Media URL ingestion rate limit reached (60 URLs/hour). Retry later or use the presigned get-upload-url flow.',
      code: 'MEDIA_URL_RATE_LIMITED',
      retryAfterSec: 3600,
    });
    expect(refused.headers['retry-after']).toBe('3600');
  });

  test('holds while the very first request is still being counted', async () => {
    await renew();
    const take = (db: Db, amount: number) =>
      takeFromUrlQuota(db, { userId: ada.id, amount, max: 60, windowMs: 3_600_000, now: ours.clock.now() });
    const [first, second] = await ours.app.db.transaction().execute(async (tx) => {
      const taken = await take(tx, 60);
      const waiting = take(ours.app.db, 1);
      await lockIsAwaited(ours.database);
      return [taken, { waiting }] as const;
    });
    expect([first, await second.waiting]).toEqual([null, expect.any(Date)]);
  });

  test('is for a fixed hour, and counts all URLs of a request or none', async () => {
    await renew();
    const take = async (count: number) => (await create(at(...Array(count).fill('/status/404')))).status;
    for (let n = 0; n < 5; n += 1) expect(await take(10)).toBe(400);
    ours.clock.advance({ seconds: 1800 });
    expect(await take(5)).toBe(400);
    expect(await take(6)).toBe(429);
    expect(await take(5)).toBe(400);
    ours.clock.advance({ seconds: 1799 });
    const last = await create(at('/status/404'));
    expect([last.status, last.headers['retry-after']]).toEqual([429, '1']);
    ours.clock.advance({ seconds: 1 });
    expect(await take(10)).toBe(400);
  });

  test('counts all managed users of an owner together', async () => {
    const [owner, one, other] = await Promise.all([ours.aUser(), ours.aUser(), ours.aUser()]);
    await ours.database.pool.query('update users set parent_user_id = $1 where id = any($2)', [
      owner.id,
      [one.id, other.id],
    ]);
    const platforms = [await one.aConnection(), await other.aConnection()];
    const take = async (user: TestUser, platform: string) => {
      const mediaUrls = at(...Array(10).fill('/status/404'));
      return (await user.call('POST', '/create-post', { content: 'Look', platforms: [platform], mediaUrls })).status;
    };
    for (let n = 0; n < 3; n += 1) {
      expect([await take(one, platforms[0]!), await take(other, platforms[1]!)]).toEqual([400, 400]);
    }
    expect([await take(one, platforms[0]!), await take(other, platforms[1]!)]).toEqual([429, 429]);
  });

  test('does not count replays, requests that are refused before fetching, or other users', async () => {
    await renew();
    const key = { 'idempotency-key': 'replayed' };
    for (let n = 0; n < 8; n += 1) expect((await create(at('/picture/1'), key)).status).toBe(200);
    for (let n = 0; n < 8; n += 1) expect((await create(Array(10).fill('http://example.com'))).status).toBe(400);
    const used = await ours.database.pool.query('select used from url_allowances where user_id = $1', [ada.id]);
    expect(used.rows).toEqual([{ used: 1 }]);
  });
});
