import { randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Storage } from '../src/foundation/storage/storage.ts';
import { storageKey } from '../src/foundation/storage/storage-key.ts';
import { systemClock } from '../src/foundation/time/clock.ts';

/** A storage with real files or a real server behind it. */
export interface StorageBench extends AsyncDisposable {
  readonly storage: Storage;
  /** The same storage with another public URL. */
  elsewhere(): Storage;
  /** The storage after a restart. */
  again(): Storage;
  /** Moves the clock that upload URLs are checked against. */
  advance(seconds: number): void;
  /** Files left behind by unfinished or discarded writes. */
  leftovers(): Promise<string[]>;
  /** The status for a modified upload URL. Default: 403; some servers return 400 for what they cannot parse. */
  readonly refusals?: readonly number[];
  /** Sends requests as clients do. */
  readonly request: typeof fetch;
}

/** The tests that every storage must pass. */
export function testStorage(name: string, openBench: () => Promise<StorageBench>) {
  describe(name, () => {
    let bench: StorageBench;
    let storage: Storage;
    let key: string;
    beforeAll(async () => {
      bench = await openBench();
      storage = bench.storage;
    });
    afterAll(() => bench[Symbol.asyncDispose]());
    beforeEach(() => {
      key = storageKey('image', 'a picture.png', systemClock.now(), 0);
    });

    const png = { contentType: 'image/png' };
    const reading = { ...png, expiresInSeconds: 60 };
    const contents = async (of = key) => text(await storage.read(of));
    const soon = () => new Date(systemClock.now().getTime() + 3_600_000);
    const put = (url: string, body: string | Uint8Array<ArrayBuffer>, type = 'image/png') =>
      bench.request(url, { method: 'PUT', body, headers: { 'content-type': type } });

    describe('writing', () => {
      test('a written file exists with its size and type, also after a restart', async () => {
        expect(await storage.write(key, bytes('hello'), png)).toEqual({ bytes: 5 });
        for (const opened of [storage, bench.again()]) {
          expect(await opened.stat(key)).toMatchObject({ bytes: 5, contentType: 'image/png' });
          expect(await text(await opened.read(key))).toBe('hello');
        }
      });

      test('a file may be empty', async () => {
        expect(await storage.write(key, bytes(), png)).toEqual({ bytes: 0 });
        expect(await storage.stat(key)).toMatchObject({ bytes: 0, contentType: 'image/png' });
        expect(await contents()).toBe('');
        expect(await text(await storage.read(key, { start: 0, end: 10 }))).toBe('');
      });

      test('a file of many parts is read back byte for byte', async () => {
        const large = randomBytes(20 * 1024 * 1024 + 17);
        await storage.write(key, Readable.from(pieces(large, 100_000)), { contentType: 'video/mp4' });
        expect((await storage.stat(key))?.bytes).toBe(large.length);
        expect((await buffer(await storage.read(key))).equals(large)).toBe(true);
      });

      test('nothing is visible before all of it is there', async () => {
        const taken = Promise.withResolvers<void>();
        const half = Promise.withResolvers<void>();
        async function* slowly() {
          yield Buffer.from('first ');
          taken.resolve();
          await half.promise;
          yield Buffer.from('second');
        }
        const writing = storage.write(key, slowly(), png);
        await taken.promise;
        expect(await storage.stat(key)).toBeNull();
        half.resolve();
        await writing;
        expect(await contents()).toBe('first second');
      });

      test.each([
        ['of one part', 1000],
        ['of many parts', 20 * 1024 * 1024],
      ])('a file %s that is too large is refused and leaves nothing behind', async (_, size) => {
        const source = Readable.from(pieces(Buffer.alloc(size), 64 * 1024));
        const writing = storage.write(key, source, { ...png, maxBytes: size - 1 });
        await expect(writing).rejects.toMatchObject({ kind: 'too_large' });
        expect(source.destroyed).toBe(true);
        expect(await storage.stat(key)).toBeNull();
        expect(await bench.leftovers()).toEqual([]);
      });

      test('a file of exactly the maximum size is accepted', async () => {
        expect(await storage.write(key, bytes('12345'), { ...png, maxBytes: 5 })).toEqual({ bytes: 5 });
      });

      test('an error of the source is thrown unchanged, and nothing is left behind', async () => {
        async function* breaking() {
          yield randomBytes(9 * 1024 * 1024);
          throw new Error('The sender went away.');
        }
        await expect(storage.write(key, breaking(), png)).rejects.toThrow('The sender went away.');
        expect(await storage.stat(key)).toBeNull();
        expect(await bench.leftovers()).toEqual([]);
      });

      test('a replacement that fails leaves the old file', async () => {
        await storage.write(key, bytes('before'), png);
        await expect(storage.write(key, bytes('much too long'), { ...png, maxBytes: 3 })).rejects.toThrow();
        expect(await contents()).toBe('before');
      });

      test('a content type that is not a valid header is refused', async () => {
        for (const contentType of ['image/png\r\nx: y', 'image', '', 'image/png; a', 'image/ñ']) {
          await expect(storage.write(key, bytes('x'), { contentType })).rejects.toThrow('Not a content type');
          await expect(storage.uploadUrl(key, { contentType, expiresAt: soon() })).rejects.toThrow('content type');
        }
      });
    });

    describe('reading', () => {
      test('a file that does not exist is missing', async () => {
        expect(await storage.stat(key)).toBeNull();
        await expect(storage.read(key)).rejects.toMatchObject({ kind: 'missing' });
        await expect(storage.file(key)).rejects.toMatchObject({ kind: 'missing' });
      });

      test.each([
        ['the first byte', { start: 0, end: 1 }, '0'],
        ['the last byte', { start: 9, end: 10 }, '9'],
        ['the middle', { start: 3, end: 6 }, '345'],
        ['an open end', { start: 7 }, '789'],
        ['an open start', { end: 2 }, '01'],
        ['an end beyond the end', { start: 8, end: 99 }, '89'],
        ['nothing', { start: 4, end: 4 }, ''],
        ['what lies beyond the end', { start: 10, end: 20 }, ''],
      ])('by range: %s', async (_, range, expected) => {
        await storage.write(key, bytes('0123456789'), png);
        expect(await text(await storage.read(key, range))).toBe(expected);
      });

      test('a replaced file has another version', async () => {
        await storage.write(key, bytes('one'), png);
        const { version } = (await storage.stat(key))!;
        expect((await storage.stat(key))?.version).toBe(version);
        expect(await text(await storage.read(key, { start: 1, version }))).toBe('ne');
        await storage.write(key, bytes('two'), png);
        expect((await storage.stat(key))?.version).not.toBe(version);
        await expect(storage.read(key, { version })).rejects.toMatchObject({ kind: 'changed' });
      });

      test('a file is a Blob that can be sliced and sent', async () => {
        await storage.write(key, bytes('0123456789'), png);
        await using file = await storage.file(key);
        expect([file.blob.size, file.blob.type]).toEqual([10, 'image/png']);
        expect(await file.blob.slice(2, 5).text()).toBe('234');
        const form = new FormData();
        form.set('file', file.blob, 'a.png');
        expect(await new Response(form).text()).toContain('0123456789');
      });

      test('a disposed file leaves nothing behind', async () => {
        await storage.write(key, bytes('0123456789'), png);
        const file = await storage.file(key);
        await file[Symbol.asyncDispose]();
        expect(await bench.leftovers()).toEqual([]);
        expect(await contents()).toBe('0123456789');
      });
    });

    test('says that it can be used', async () => {
      expect(await storage.check()).toMatchObject({ ok: true });
    });

    test('removes several files and ignores missing ones', async () => {
      const other = storageKey('video', 'b.mp4', systemClock.now(), 1);
      await storage.write(key, bytes('a'), png);
      await storage.write(other, bytes('b'), { contentType: 'video/mp4' });
      await storage.remove([key, storageKey('image', 'never', systemClock.now(), 2), other]);
      expect([await storage.stat(key), await storage.stat(other)]).toEqual([null, null]);
      await storage.remove([]);
    });

    test.each([
      '',
      'images',
      '/etc/passwd',
      '../images/1-0-abcdef12-a.png',
      'images/../../1-0-abcdef12-a.png',
      'images/..%2f1-0-abcdef12-a.png',
      'images%2F1-0-abcdef12-a.png',
      'images/1-0-abcdef12-a.png/../x',
      'images/1-0-abcdef12-a\\..\\x',
      'images/1-0-abcdef12-a.png\0',
      'images/1-0-abcdef12-a.png\n',
      'images/.1-0-abcdef12-a.png.type',
      'incoming/1-0-abcdef12-a.png',
    ])('%j is no key', async (wrong) => {
      const refused = { message: expect.stringContaining('Not a storage key') };
      await expect(storage.write(wrong, bytes('x'), png)).rejects.toMatchObject(refused);
      await expect(storage.stat(wrong)).rejects.toMatchObject(refused);
      await expect(storage.read(wrong)).rejects.toMatchObject(refused);
      await expect(storage.file(wrong)).rejects.toMatchObject(refused);
      await expect(storage.remove([wrong])).rejects.toMatchObject(refused);
      await expect(storage.uploadUrl(wrong, { ...png, expiresAt: soon() })).rejects.toMatchObject(refused);
      await expect(storage.signedUrl(wrong, reading)).rejects.toMatchObject(refused);
      expect(() => storage.publicUrl(wrong)).toThrow('Not a storage key');
    });

    describe('upload URLs', () => {
      const uploadUrl = () => storage.uploadUrl(key, { ...png, expiresAt: soon() });

      test('accept a file without credentials, and anyone can read it', async () => {
        expect((await put(await uploadUrl(), 'a picture')).status).toBe(200);
        expect(await storage.stat(key)).toMatchObject({ bytes: 9, contentType: 'image/png' });
        for (const url of [storage.publicUrl(key), await storage.signedUrl(key, reading)]) {
          const answer = await bench.request(url);
          expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
            200,
            'image/png',
            'a picture',
          ]);
        }
      });

      test('accept a second file only where files do not pass through this service', async () => {
        const url = await uploadUrl();
        await put(url, 'first');
        expect((await put(url, 'second one')).status).toBe(storage.served ? 409 : 200);
        expect(await contents()).toBe(storage.served ? 'first' : 'second one');
      });

      test('are valid for one type', async () => {
        expect((await put(await uploadUrl(), '<svg/>', 'image/svg+xml')).status).toBe(403);
        expect(await storage.stat(key)).toBeNull();
      });

      test('are valid for a type with parameters', async () => {
        const contentType = 'video/mp4; codecs="avc1.64, mp4a"';
        const url = await storage.uploadUrl(key, { contentType, expiresAt: soon() });
        expect((await put(url, 'video', contentType)).status).toBe(200);
        expect((await storage.stat(key))?.contentType).toBe(contentType);
      });

      test('are valid for one key', async () => {
        const other = storageKey('image', 'other.png', systemClock.now(), 0);
        expect((await put((await uploadUrl()).replace(key, other), 'x')).status).toBe(403);
        expect(await storage.stat(other)).toBeNull();
      });

      test('are valid for one host', async () => {
        const theirs = await bench.elsewhere().uploadUrl(key, { ...png, expiresAt: soon() });
        const { host } = new URL(await uploadUrl());
        const moved = Object.assign(new URL(theirs), { host, protocol: 'http:' });
        expect((await put(moved.href, 'x')).status).toBe(403);
      });

      test('are invalid if any part is changed or left out', async () => {
        const [url, { refusals = [403] }] = [await uploadUrl(), bench];
        for (const [parameter, value] of new URL(url).searchParams) {
          const [other, without] = [new URL(url), new URL(url)];
          other.searchParams.set(parameter, value.startsWith('9') ? `8${value.slice(1)}` : `9${value.slice(1)}`);
          without.searchParams.delete(parameter);
          for (const tampered of [other, without]) {
            const { status } = await put(tampered.href, 'x');
            expect({ parameter, status }).toEqual({ parameter, status: expect.toBeOneOf([...refusals]) });
          }
        }
        expect(await storage.stat(key)).toBeNull();
      });

      test('are valid until they expire', async () => {
        const url = await storage.uploadUrl(key, { ...png, expiresAt: soon() });
        bench.advance(3590);
        expect((await put(url, 'in time')).status).toBe(200);
        bench.advance(20);
        expect((await put(url, 'too late')).status).toBe(403);
        bench.advance(-3610);
        expect(await contents()).toBe('in time');
      });

      test('that are used concurrently end in one complete file', async () => {
        const url = await uploadUrl();
        const files = Array.from({ length: 8 }, (_, index) => new Uint8Array(300_000 + index).fill(65 + index));
        const answers = await Promise.all(files.map((file) => put(url, file)));
        const accepted = files.filter((_, index) => answers[index]?.status === 200);
        expect(accepted).toHaveLength(storage.served ? 1 : files.length);
        const found = await buffer(await storage.read(key));
        expect(accepted.some((file) => found.equals(file))).toBe(true);
        expect(await bench.leftovers()).toEqual([]);
      });

      test('leave nothing behind after an interrupted upload', async () => {
        await hangUp(await uploadUrl(), 'image/png');
        await expect.poll(() => bench.leftovers()).toEqual([]);
        expect(await storage.stat(key)).toBeNull();
      });

      test('keep the old file when its replacement is interrupted', async () => {
        const url = await uploadUrl();
        await put(url, 'before');
        await hangUp(url, 'image/png');
        await expect.poll(() => bench.leftovers()).toEqual([]);
        expect(await contents()).toBe('before');
      });
    });
  });
}

export const bytes = (...texts: string[]) => Readable.from(texts.map((part) => Buffer.from(part)));

function* pieces(whole: Buffer, size: number) {
  for (let start = 0; start < whole.length; start += size) yield whole.subarray(start, start + size);
}

/** Announces a megabyte, sends a part of it and closes the connection. */
async function hangUp(url: string, type: string) {
  const request = httpRequest(url, { method: 'PUT', headers: { 'content-type': type, 'content-length': 1_000_000 } });
  const gone = new Promise((resolve) => request.on('error', resolve).on('close', resolve));
  request.write(Buffer.alloc(200_000));
  // Gives the server time to read it: a sender is not notified when it has.
  await sleep(100);
  request.destroy();
  await gone;
}
