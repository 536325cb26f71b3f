import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bytes } from '../../../test/storage-contract.ts';
import { type TemporaryFolder, temporaryFolder } from '../../../test/support/database/temporary-server.ts';
import { serveMedia } from '../../../test/support/servers/media.ts';
import { slowClientLimits } from '../../foundation/http/requests/slow-clients.ts';
import { sealingKey } from '../../foundation/lib/seal.ts';
import { diskStorage } from '../../foundation/storage/disk.ts';
import { storageKey } from '../../foundation/storage/storage-key.ts';
import { systemClock } from '../../foundation/time/clock.ts';

let folder: TemporaryFolder;
let media: Awaited<ReturnType<typeof serveMedia>>;
let key: string;
const logged: { level: number; msg: string; path?: string }[] = [];

beforeAll(async () => {
  folder = await temporaryFolder();
  const log = pino({}, { write: (line: string) => logged.push(JSON.parse(line)) });
  const sealingKeys = { current: sealingKey('01'.repeat(32)), previous: [] };
  media = await serveMedia(
    (publicUrl) => diskStorage({ folder: folder.path, publicUrl, sealingKeys, clock: systemClock }),
    { log },
  );
});
afterAll(async () => {
  await media[Symbol.asyncDispose]();
  await folder.remove();
});
const newKey = () => {
  key = storageKey('image', 'a.png', systemClock.now(), 0);
};
beforeEach(newKey);

const store = (text: string, contentType = 'image/png') => media.storage.write(key, bytes(text), { contentType });
const download = 'attachment; filename="a.bin"';
const get = (headers: Record<string, string> = {}, method = 'GET') =>
  fetch(media.storage.publicUrl(key), { method, headers });

describe('GET /media/*', () => {
  test('answers with the file, its type and headers that prevent scripts', async () => {
    await store('0123456789');
    const answer = await get();
    expect([answer.status, await answer.text()]).toEqual([200, '0123456789']);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': '10',
      'content-disposition': 'inline; filename="a.png"',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'public, max-age=31536000, immutable',
      'accept-ranges': 'bytes',
      'access-control-allow-origin': '*',
      etag: expect.stringMatching(/^"[\w-]+"$/),
    });
  });

  test('HEAD answers with the same headers without the file', async () => {
    await store('0123456789');
    const [whole, head] = [await get(), await get({}, 'HEAD')];
    const { 'x-request-id': _, date: __, connection: ___, ...headers } = Object.fromEntries(head.headers);
    expect(Object.fromEntries(whole.headers)).toMatchObject(headers);
    expect([head.status, await head.text(), headers['content-length']]).toEqual([200, '', '10']);
  });

  test.each([
    ['the first byte', 'bytes=0-0', 206, '0', 'bytes 0-0/10'],
    ['the last byte', 'bytes=9-9', 206, '9', 'bytes 9-9/10'],
    ['the last three', 'bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['more of the end than there is', 'bytes=-99', 206, '0123456789', 'bytes 0-9/10'],
    ['an open end', 'bytes=4-', 206, '456789', 'bytes 4-9/10'],
    ['an end beyond the end', 'bytes=8-1000', 206, '89', 'bytes 8-9/10'],
    ['beyond the end', 'bytes=10-', 416, null, 'bytes */10'],
    ['nothing of the end', 'bytes=-0', 416, null, 'bytes */10'],
    ['backwards', 'bytes=5-2', 200, '0123456789', null],
    ['several ranges', 'bytes=0-1,4-5', 200, '0123456789', null],
    ['lines', 'lines=1-2', 200, '0123456789', null],
    ['no numbers', 'bytes=-', 200, '0123456789', null],
    ['other signs', 'bytes=a-b', 200, '0123456789', null],
  ])('by range: %s', async (_, range, status, body, contentRange) => {
    await store('0123456789');
    const answer = await get({ range });
    expect([answer.status, answer.headers.get('content-range')]).toEqual([status, contentRange]);
    if (body === null) expect(await answer.json()).toMatchObject({ error: 'The file has 10 bytes' });
    else expect([await answer.text(), answer.headers.get('content-length')]).toEqual([body, String(body.length)]);
    const head = await get({ range }, 'HEAD');
    expect([head.status, head.headers.get('content-range')]).toEqual([status, contentRange]);
  });

  test('an empty file is sent whole, and has no ranges', async () => {
    await store('');
    expect([(await get()).status, await (await get()).text()]).toEqual([200, '']);
    expect((await get({ range: 'bytes=0-' })).status).toBe(416);
  });

  test('a client with a cached copy gets 304 until the file changes', async () => {
    await store('first');
    const etag = (await get()).headers.get('etag')!;
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const answer = await get({ 'if-none-match': known });
      expect([answer.status, answer.headers.get('etag'), await answer.text()]).toEqual([304, etag, '']);
    }
    expect((await get({ 'if-none-match': '"other"' })).status).toBe(200);
    await store('other');
    expect((await get({ 'if-none-match': etag })).status).toBe(200);
  });

  test('a client that resumes a file that has changed gets the whole file', async () => {
    await store('first one');
    const etag = (await get()).headers.get('etag')!;
    const rest = { range: 'bytes=6-', 'if-range': etag };
    expect(await (await get(rest)).text()).toBe('one');
    await store('other one');
    const answer = await get(rest);
    expect([answer.status, await answer.text()]).toEqual([200, 'other one']);
    expect((await get({ ...rest, 'if-range': 'Sun, 15 Nov 2026 00:00:00 GMT' })).status).toBe(200);
  });

  test.each([
    ['image/jpeg', 'image/jpeg', 'inline; filename="a.jpg"'],
    ['video/mp4; codecs="avc1"', 'video/mp4', 'inline; filename="a.mp4"'],
    ['application/pdf', 'application/pdf', 'inline; filename="a.pdf"'],
    ['IMAGE/PNG', 'image/png', 'inline; filename="a.png"'],
    ['image/svg+xml', 'application/octet-stream', download],
    ['IMAGE/SVG+XML', 'application/octet-stream', download],
    ['image/svg', 'application/octet-stream', download],
    ['image/unheard-of', 'application/octet-stream', download],
    ['text/html', 'application/octet-stream', download],
    ['application/xhtml+xml', 'application/octet-stream', download],
    ['text/javascript', 'application/octet-stream', download],
  ])('%s is served as %s, %s', async (contentType, served, disposition) => {
    await store('<script>alert(1)</script>', contentType);
    const { headers } = await get();
    expect([headers.get('content-type'), headers.get('content-disposition')]).toEqual([served, disposition]);
  });

  test.each([
    '/media/',
    '/media/images/',
    '/media/images',
    '/media/images/1-0-abcdef12-none.png',
    '/media/incoming/x',
    '/media/..%2f..%2fsecret.key',
    '/media/images/..%2f..%2f..%2fsecret.key',
    '/media/images/%2e%2e/%2e%2e/secret.key',
    '/media/images/1-0-abcdef12-a.png%00',
    '/media//etc/passwd',
    '/media/upload/images/1-0-abcdef12-none.png',
  ])('%s is not found', async (path) => {
    expect(await rawStatus('GET', path)).toBe(404);
  });

  test('the hidden type file is not served, nor is a file under an encoded name', async () => {
    await store('x');
    expect((await get()).status).toBe(200);
    const name = key.split('/')[1];
    expect(await rawStatus('GET', `/media/images/.${name}.type`)).toBe(404);
    expect(await rawStatus('GET', `/media/images%2F${name}`)).toBe(404);
    expect(await rawStatus('GET', `/media/${key}/`)).toBe(404);
  });

  test('the file is closed when the client disconnects', async () => {
    const streams: Readable[] = [];
    await using watched = await serveMedia(() => {
      const { storage } = media;
      const open = async (wanted: string) => {
        const file = await storage.served!.open(wanted);
        const stream = (range?: { start: number; end: number }) => {
          streams.push(file!.stream(range));
          return streams.at(-1)!;
        };
        return file && { ...file, stream };
      };
      return { ...storage, served: { ...storage.served!, open } };
    });
    await store('x'.repeat(5_000_000));
    const controller = new AbortController();
    await fetch(`${watched.publicUrl}/media/${key}`, { signal: controller.signal });
    expect(streams.map(({ closed }) => closed)).toEqual([false]);
    controller.abort();
    await expect.poll(() => streams.map(({ closed }) => closed)).toEqual([true]);
  });
});

describe('PUT /media/upload/*', () => {
  const uploadUrl = (contentType = 'image/png', expiresAt = new Date(Date.now() + 60_000)) =>
    media.storage.uploadUrl(key, { contentType, expiresAt });
  const put = async (url: string, headers: Record<string, string> = { 'content-type': 'image/png' }) => {
    const answer = await fetch(url, { method: 'PUT', headers, body: 'a picture' });
    return [answer.status, ((await answer.json().catch(() => ({}))) as { error?: string }).error];
  };

  test('answers with the stored version', async () => {
    const headers = { 'content-type': 'image/png' };
    const answer = await fetch(await uploadUrl(), { method: 'PUT', headers, body: 'a picture' });
    expect([answer.status, await answer.text()]).toEqual([200, '']);
    expect(answer.headers.get('etag')).toBe((await get()).headers.get('etag'));
  });

  test('accepts one file, of several at the same time as well', async () => {
    const url = await uploadUrl();
    const send = async (body: string) => {
      const answer = await fetch(url, { method: 'PUT', headers: { 'content-type': 'image/png' }, body });
      return answer.status;
    };
    const stored: string[] = [];
    const statuses = await Promise.all(
      ['first', 'second', 'third'].map(async (body) => {
        const status = await send(body);
        if (status === 200) stored.push(body);
        return status;
      }),
    );
    expect(statuses.sort()).toEqual([200, 409, 409]);
    expect(await send('later')).toBe(409);
    expect([await (await get()).text()]).toEqual(stored);
    expect(await readdir(join(folder.path, 'media/incoming'))).toEqual([]);
  });

  test('says what is wrong with an upload URL', async () => {
    const url = await uploadUrl();
    const forged = 'This is not an upload URL of this service: use the URL exactly as you received it';
    expect(await put(url.replace(/signature=.{5}/, 'signature=AAAAA'))).toEqual([403, forged]);
    expect(await put(url.split('?')[0]!)).toEqual([403, forged]);
    expect(await put(await uploadUrl('image/png', new Date('2026-01-02T03:04:05Z')))).toEqual([
      403,
      'This upload URL expired at 2026-01-02T03:04:05.000Z: request a new one',
    ]);
  });

  test.each([
    ['another type', { 'content-type': 'image/gif' }],
    ['another spelling', { 'content-type': 'image/PNG' }],
    ['JSON', { 'content-type': 'application/json' }],
  ])('refuses %s than the upload URL allows', async (_, headers) => {
    const message = 'Content-Type must be image/png: the upload URL was created for that type';
    expect(await put(await uploadUrl(), headers)).toEqual([403, message]);
    expect(await media.storage.stat(key)).toBeNull();
  });

  test('accepts JSON and forms as bytes if the upload URL allows the type', async () => {
    for (const type of ['application/json', 'multipart/form-data; boundary=x', 'text/plain']) {
      expect(await put(await uploadUrl(type), { 'content-type': type })).toEqual([200, undefined]);
      newKey();
    }
  });

  test('requires a Content-Length of at most 5 GB', async () => {
    const url = new URL(await uploadUrl());
    const type = { 'content-type': 'image/png' };
    const target = url.pathname + url.search;
    expect(await rawStatus('PUT', target, { ...type, 'transfer-encoding': 'chunked' })).toBe(411);
    expect(await rawStatus('PUT', target, { ...type, 'content-length': String(5 * 1024 ** 3 + 1) })).toBe(413);
    expect(await rawStatus('PUT', target, { 'content-length': '0' })).toBe(403);
    expect(await rawStatus('PUT', target, { ...type, 'content-length': '0' })).toBe(200);
  });

  test('allows every origin, for this method and header only', async () => {
    const origin = { origin: 'https://app.example.com' };
    const preflight = await fetch(await uploadUrl(), {
      method: 'OPTIONS',
      headers: { ...origin, 'access-control-request-method': 'PUT', 'access-control-request-headers': 'content-type' },
    });
    expect(preflight.status).toBe(204);
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'PUT',
      'access-control-allow-headers': 'content-type',
    });
    const headers = { ...origin, 'content-type': 'image/png' };
    const answer = await fetch(await uploadUrl(), { method: 'PUT', headers, body: 'x' });
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });

  test('logs neither signatures nor closed connections as errors', async () => {
    logged.length = 0;
    await put(await uploadUrl());
    newKey();
    const url = await uploadUrl();
    const request = httpRequest(url, { method: 'PUT', headers: { 'content-type': 'image/png', 'content-length': 9 } });
    request.on('error', () => {});
    request.write('half');
    // Time for the server to read it: the sender cannot observe that.
    await new Promise((resolve) => setTimeout(resolve, 50));
    request.destroy();
    await expect.poll(() => logged.map(({ msg }) => msg)).toContain('the client aborted an upload');
    expect(logged.filter(({ level }) => level > 30)).toEqual([]);
    expect(JSON.stringify(logged)).not.toContain('signature');
  });

  test('a stalled upload is aborted and leaves nothing behind', async () => {
    await using strictServer = await serveMedia(
      () => ({ ...media.storage, served: { ...media.storage.served!, admit: () => ({ contentType: 'image/png' }) } }),
      { slowClients: { ...slowClientLimits, transferWindowMs: 200 } },
    );
    const headers = { 'content-type': 'image/png', 'content-length': 9 };
    const request = httpRequest(`${strictServer.publicUrl}/media/upload/${key}`, { method: 'PUT', headers });
    request.write('half');
    const [response] = await once(request, 'response');
    expect(response.statusCode).toBe(408);
    await expect.poll(() => readdir(join(folder.path, 'media/incoming'))).toEqual([]);
    expect(await media.storage.stat(key)).toBeNull();
  });

  test.each(['POST', 'DELETE', 'PATCH'])('%s does nothing', async (method) => {
    await store('kept');
    expect((await fetch(media.storage.publicUrl(key), { method })).status).toBe(405);
    expect(await (await get()).text()).toBe('kept');
  });
});

/** Sends the path unchanged. `fetch` would resolve the dots first. */
function rawStatus(method: string, path: string, headers: Record<string, string> = {}): Promise<number> {
  const { hostname, port } = new URL(media.publicUrl);
  return new Promise((resolve, reject) => {
    const request = httpRequest({ hostname, port, method, path, headers, agent: false }, (answer) => {
      resolve(answer.statusCode!);
      request.destroy();
    });
    request.on('error', reject);
    if (headers['content-length'] === undefined || headers['content-length'] === '0') request.end();
    else request.flushHeaders();
  });
}
