import { randomBytes } from 'node:crypto';
import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { bytes, testStorage } from '../../../test/storage-contract.ts';
import { type TemporaryFolder, temporaryFolder } from '../../../test/support/database/temporary-server.ts';
import { poorDisk } from '../../../test/support/files/poor-disk.ts';
import { serveMedia } from '../../../test/support/servers/media.ts';
import { type S3TestServer, startS3 } from '../../../test/support/servers/s3.ts';
import { systemClock } from '../time/clock.ts';
import { type Bucket, s3Storage } from './s3.ts';
import { storageKey } from './storage-key.ts';

const png = { contentType: 'image/png' };
const newKeyOf = () => storageKey('image', 'a.png', systemClock.now(), 0);

function openS3(bucket: Bucket, copiesFolder: string, publicUrl = 'http://crier.test') {
  return s3Storage({ bucket, publicUrl, copiesFolder, clock: systemClock });
}

testStorage('S3', async () => {
  const server = await startS3();
  const folder = await temporaryFolder();
  const copies = folder.path;
  const media = await serveMedia((publicUrl) => openS3(server.bucket, copies, publicUrl));
  return {
    storage: media.storage,
    elsewhere: () => openS3({ ...server.bucket, endpoint: 'http://elsewhere.example' }, copies),
    again: () => openS3(server.bucket, copies),
    advance: server.advance,
    leftovers: async () => [...(await readdir(copies)), ...server.openUploads()],
    request: fetch,
    async [Symbol.asyncDispose]() {
      await media[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      await folder.remove();
    },
  };
});

describe('a bucket', () => {
  let server: S3TestServer;
  let folder: TemporaryFolder;
  let copies: string;
  beforeAll(async () => {
    server = await startS3();
    folder = await temporaryFolder();
    copies = folder.path;
  });
  afterEach(() => server.fail(null));
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await folder.remove();
  });

  test('that is public is read directly; a private one through this service', async () => {
    const key = newKeyOf();
    expect(openS3(server.bucket, copies).publicUrl(key)).toBe(`http://crier.test/media/${key}`);
    const open = openS3({ ...server.bucket, publicUrl: 'https://cdn.example.com/crier' }, copies);
    expect(open.publicUrl(key)).toBe(`https://cdn.example.com/crier/${key}`);
  });

  test('gets redirected readers, but HEAD is answered by this service', async () => {
    await using media = await serveMedia((publicUrl) => openS3(server.bucket, copies, publicUrl));
    const { storage, publicUrl } = media;
    const key = newKeyOf();
    const get = (method: string, path: string) => fetch(publicUrl + path, { method, redirect: 'manual' });
    await storage.write(key, bytes('a picture'), png);

    const answer = await get('GET', `/media/${key}`);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([302, 'public, max-age=1800']);
    expect(answer.headers.get('location')).toMatch(`${server.bucket.endpoint}/media/${key}?`);
    const rest = await fetch(`${publicUrl}/media/${key}`, { headers: { range: 'bytes=2-' } });
    expect([rest.status, await rest.text()]).toEqual([206, 'picture']);

    const head = await get('HEAD', `/media/${key}`);
    expect([head.status, head.headers.get('content-length'), head.headers.get('content-type')]).toEqual([
      200,
      '9',
      'image/png',
    ]);
    for (const path of [`/media/${newKeyOf()}`, '/media/images/..%2fx']) {
      expect((await get('GET', path)).status).toBe(404);
    }
    expect((await get('PUT', `/media/upload/${key}`)).status).toBe(405);
  });

  test.each([
    ['image/svg+xml', 'application/octet-stream', 'attachment; filename="a.bin"'],
    ['text/html', 'application/octet-stream', 'attachment; filename="a.bin"'],
    ['image/jpeg', 'image/jpeg', 'inline; filename="a.jpg"'],
  ])('sends an upload of type %s as %s, %s', async (contentType, ...served) => {
    await using media = await serveMedia((publicUrl) => openS3(server.bucket, copies, publicUrl));
    const [key, expiresAt] = [newKeyOf(), new Date(Date.now() + 60_000)];
    const uploadUrl = await media.storage.uploadUrl(key, { contentType, expiresAt });
    const body = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    const headers = { 'content-type': contentType };
    expect((await fetch(uploadUrl, { method: 'PUT', headers, body })).status).toBe(200);
    for (const method of ['GET', 'HEAD']) {
      const answer = await fetch(media.storage.publicUrl(key), { method });
      expect([answer.headers.get('content-type'), answer.headers.get('content-disposition')]).toEqual(served);
    }
    const redirect = await fetch(media.storage.publicUrl(key), { redirect: 'manual' });
    const other = new URL(redirect.headers.get('location')!);
    other.searchParams.set('response-content-type', 'text/html');
    expect((await fetch(other)).status).toBe(403);
  });

  test('that is public takes no type that can run', async () => {
    const open = openS3({ ...server.bucket, publicUrl: server.bucket.endpoint! }, copies);
    const [key, expiresAt] = [newKeyOf(), new Date(Date.now() + 60_000)];
    const uploadUrl = await open.uploadUrl(key, { contentType: 'image/svg+xml', expiresAt });
    const put = (type: string) =>
      fetch(uploadUrl, { method: 'PUT', headers: { 'content-type': type }, body: '<svg/>' });
    expect((await put('image/svg+xml')).status).toBe(403);
    expect((await put('application/octet-stream')).status).toBe(200);
    expect((await open.stat(key))?.contentType).toBe('application/octet-stream');
  });

  test('of AWS has URLs of AWS', async () => {
    const storage = openS3({ ...server.bucket, endpoint: null }, copies);
    const url = new URL(await storage.uploadUrl(newKeyOf(), { ...png, expiresAt: new Date(Date.now() + 3_600_000) }));
    expect(url.host).toBe('media.s3.eu-central-1.amazonaws.com');
    expect(url.searchParams.get('X-Amz-SignedHeaders')).toBe('content-type;host');
    expect([...url.searchParams.keys()].filter((name) => /checksum/i.test(name))).toEqual([]);
  });

  test('a signed URL for reading expires', async () => {
    const [storage, key] = [openS3(server.bucket, copies), newKeyOf()];
    await storage.write(key, bytes('a picture'), png);
    const url = await storage.signedUrl(key, { ...png, expiresInSeconds: 60 });
    expect(await (await fetch(url)).text()).toBe('a picture');
    server.advance(61);
    expect((await fetch(url)).status).toBe(403);
    server.advance(-61);
  });

  test.each([500, 503, 'cut'] as const)(
    'that answers %s is unavailable, and no file is missing for it',
    async (how) => {
      const [storage, key] = [openS3(server.bucket, copies), newKeyOf()];
      await storage.write(key, bytes('there'), png);
      server.fail(how);
      const unavailable = { name: 'StorageError', kind: 'unavailable' };
      await expect(storage.stat(key)).rejects.toMatchObject(unavailable);
      await expect(storage.read(key)).rejects.toMatchObject(unavailable);
      await expect(storage.file(key)).rejects.toMatchObject(unavailable);
      await expect(storage.remove([key])).rejects.toMatchObject(unavailable);
      await expect(storage.write(key, bytes('other'), png)).rejects.toMatchObject(unavailable);
      server.fail(null);
      expect(await text(await storage.read(key))).toBe('there');
      expect(await readdir(copies)).toEqual([]);
    },
  );

  test('that fails during an upload closes the source and aborts the parts', async () => {
    const [storage, key] = [openS3(server.bucket, copies), newKeyOf()];
    async function* failing() {
      for (let part = 0; part < 100; part += 1) {
        if (part === 20) server.fail(500);
        yield Buffer.alloc(1024 * 1024);
      }
    }
    const source = Readable.from(failing());
    await expect(storage.write(key, source, png)).rejects.toMatchObject({ kind: 'unavailable' });
    await expect.poll(() => source.destroyed).toBe(true);
    expect(server.requests.at(-1)).toMatch(/^DELETE /);
    server.fail(null);
    expect(await storage.stat(key)).toBeNull();
  });

  test('gets no DeleteObjects, which some servers refuse without Content-MD5', async () => {
    const [storage, keys] = [openS3(server.bucket, copies), Array.from({ length: 25 }, newKeyOf)];
    for (const key of keys) await storage.write(key, bytes('x'), png);
    await storage.remove(keys);
    expect((await server.keys()).filter((key) => keys.includes(key))).toEqual([]);
  });

  test('loses the parts of uploads that a killed process began a day ago, and no others', async () => {
    const clock = { now: () => new Date(Date.now() + aheadMs) };
    let aheadMs = 0;
    const storage = s3Storage({ bucket: server.bucket, publicUrl: 'http://crier.test', copiesFolder: copies, clock });
    const keys = [newKeyOf(), newKeyOf(), newKeyOf()].sort();
    const left = Promise.withResolvers<void>();
    /** A process that dies sends neither the rest nor an abort. */
    async function* halfway(arrived: () => void) {
      yield randomBytes(11 * 1024 * 1024);
      arrived();
      await left.promise;
    }
    const begun = keys.map(async (key) => {
      const arrived = Promise.withResolvers<void>();
      const writing = storage.write(key, halfway(arrived.resolve), png).catch(() => {});
      await arrived.promise;
      return writing;
    });
    await expect.poll(() => server.openUploads()).toEqual(expect.arrayContaining(keys));
    const open = server.openUploads().length;
    expect(await storage.removeAbandoned()).toBe(0);
    aheadMs = 25 * 3_600_000;
    expect(await storage.removeAbandoned()).toBe(open);
    expect(server.openUploads()).toEqual([]);
    left.resolve();
    await Promise.all(begun);
  });

  test.each([500, 'cut'] as const)('that answers %s once gets the part again, whole', async (how) => {
    const [storage, key, parts] = [
      openS3(server.bucket, copies),
      newKeyOf(),
      [1, 2, 3, 4].map(() => randomBytes(4_000_000)),
    ];
    async function* stumbling() {
      for (const [index, part] of parts.entries()) {
        if (index === 2) server.fail(how, 1);
        yield part;
      }
    }
    await storage.write(key, stumbling(), png);
    expect((await buffer(await storage.read(key))).equals(Buffer.concat(parts))).toBe(true);
  });

  test('a file that goes to many connections has one copy, until its last use ends', async () => {
    const [storage, key] = [openS3(server.bucket, copies), newKeyOf()];
    await storage.write(key, bytes('a video'), png);
    const files = await Promise.all(Array.from({ length: 20 }, () => storage.file(key)));
    const [copy, ...others] = await readdir(copies);
    expect(others).toEqual([]);
    const [last, ...first] = files;
    for (const file of first) await file[Symbol.asyncDispose]();
    expect(await last!.blob.text()).toBe('a video');
    await storage.write(key, bytes('another'), png);
    await using changed = await storage.file(key);
    expect(await changed.blob.text()).toBe('another');
    expect(await readdir(copies)).toHaveLength(2);
    await last![Symbol.asyncDispose]();
    expect(await readdir(copies)).not.toContain(copy);
  });

  test('a copy in use is kept, however old it is', async () => {
    const [storage, keys] = [openS3(server.bucket, copies), [newKeyOf(), newKeyOf()] as const];
    for (const key of keys) await storage.write(key, bytes('a video'), png);
    await using _used = await storage.file(keys[0]);
    const [copy] = await readdir(copies);
    await utimes(join(copies, copy!), 0, 0);
    await using _next = await storage.file(keys[1]);
    expect(await readdir(copies)).toContain(copy);
  });

  test('a copy for which the disk has no space is refused before it is made', async () => {
    await using disk = await poorDisk();
    const [storage, large, small] = [openS3(server.bucket, disk.folder), newKeyOf(), newKeyOf()];
    await storage.write(large, bytes('x'.repeat(4_000_000)), png);
    await storage.write(small, bytes('a picture'), png);
    server.requests.length = 0;
    await expect(storage.file(large)).rejects.toMatchObject({ kind: disk.kind });
    expect(server.requests.filter((request) => request.startsWith('GET'))).toEqual([]);
    if (disk.kind !== 'full') return;
    await using file = await storage.file(small);
    expect(await file.blob.text()).toBe('a picture');
  });

  test.each<[string, (bucket: Bucket) => Bucket, boolean, string]>([
    [
      'rejects the credentials',
      (bucket) => ({ ...bucket, credentials: { accessKeyId: 'crier', secretAccessKey: 'guessed' } }),
      true,
      'rejects the credentials',
    ],
    ['does not exist', (bucket) => ({ ...bucket, bucket: 'nowhere' }), true, 'has no bucket nowhere'],
    ['does not respond', (bucket) => ({ ...bucket, endpoint: 'http://127.0.0.1:9' }), false, 'ECONNREFUSED'],
  ])('that %s is unavailable, and no file is missing for it', async (_, broken, mistaken, words) => {
    const storage = openS3(broken(server.bucket), copies);
    expect(await storage.check()).toEqual({ ok: false, mistaken, detail: expect.stringContaining(words) });
    const unavailable = { name: 'StorageError', kind: 'unavailable' };
    await expect(storage.stat(newKeyOf())).rejects.toMatchObject(unavailable);
    await expect(storage.read(newKeyOf())).rejects.toMatchObject(unavailable);
    await expect(storage.remove([newKeyOf()])).rejects.toMatchObject(unavailable);
    await expect(storage.removeAbandoned()).rejects.toMatchObject(unavailable);
  });
});
