import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bytes, testStorage } from '../../../test/storage-contract.ts';
import { type TemporaryFolder, temporaryFolder } from '../../../test/support/database/temporary-server.ts';
import { poorDisk } from '../../../test/support/files/poor-disk.ts';
import { serveMedia } from '../../../test/support/servers/media.ts';
import { sealingKey } from '../lib/seal.ts';
import { systemClock } from '../time/clock.ts';
import { diskStorage } from './disk.ts';
import { storageKey } from './storage-key.ts';

const [oldKey, newKey] = [sealingKey('01'.repeat(32)), sealingKey('02'.repeat(32))];
const png = { contentType: 'image/png' };

function openDisk(folder: string, publicUrl = 'http://crier.test', sealingKeys = ring(oldKey), clock = systemClock) {
  return diskStorage({ folder, publicUrl, sealingKeys, clock });
}
const ring = (current = oldKey, ...previous: (typeof oldKey)[]) => ({ current, previous });
const newKeyOf = () => storageKey('image', 'a.png', systemClock.now(), 0);

testStorage('disk', async () => {
  const folder = await temporaryFolder();
  let aheadMs = 0;
  const clock = { now: () => new Date(Date.now() + aheadMs) };
  const media = await serveMedia((publicUrl) => openDisk(folder.path, publicUrl, ring(), clock));
  return {
    storage: media.storage,
    elsewhere: () => openDisk(folder.path, 'https://elsewhere.example'),
    again: () => openDisk(folder.path, media.publicUrl),
    advance(seconds) {
      aheadMs += seconds * 1000;
    },
    leftovers: () => readdir(join(folder.path, 'media/incoming')),
    request: fetch,
    async [Symbol.asyncDispose]() {
      await media[Symbol.asyncDispose]();
      await folder.remove();
    },
  };
});

describe('files on disk', () => {
  let folder: TemporaryFolder;
  beforeAll(async () => {
    folder = await temporaryFolder();
  });
  afterAll(() => folder.remove());

  test('are named after their keys', async () => {
    const key = newKeyOf();
    await openDisk(folder.path).write(key, bytes('a picture'), png);
    expect(await readFile(join(folder.path, 'media', key), 'utf8')).toBe('a picture');
  });

  test('stay readable in their old version while they are replaced or removed', async () => {
    const [storage, key] = [openDisk(folder.path), newKeyOf()];
    await storage.write(key, bytes('before'), png);
    const opened = await storage.served!.open(key);
    await storage.write(key, bytes('after it'), png);
    await storage.remove([key]);
    expect(opened?.bytes).toBe(6);
    expect((await opened!.stream().toArray()).join('')).toBe('before');
  });

  test('cannot be read as a Blob after they have changed', async () => {
    const [storage, key] = [openDisk(folder.path), newKeyOf()];
    await storage.write(key, bytes('before'), png);
    await using file = await storage.file(key);
    await storage.write(key, bytes('after it'), png);
    await expect(file.blob.text()).rejects.toThrow();
  });

  test('without a known type are application/octet-stream', async () => {
    const key = newKeyOf();
    await mkdir(join(folder.path, 'media/images'), { recursive: true });
    await writeFile(join(folder.path, 'media', key), 'put here by hand');
    expect(await openDisk(folder.path).stat(key)).toMatchObject({ contentType: 'application/octet-stream' });
  });

  test('that a killed process left unfinished are removed after an hour', async () => {
    const incoming = join(folder.path, 'media/incoming');
    await mkdir(incoming, { recursive: true });
    for (const name of ['fresh', 'stale']) await writeFile(join(incoming, name), 'half a file');
    const before = new Date(Date.now() - 2 * 3_600_000);
    await utimes(join(incoming, 'stale'), before, before);
    expect(await openDisk(folder.path).removeAbandoned()).toBe(1);
    expect(await readdir(incoming)).toEqual(['fresh']);
  });

  test('can be written after the folder was removed', async () => {
    const [storage, key] = [openDisk(join(folder.path, 'moved')), newKeyOf()];
    await storage.write(key, bytes('x'), png);
    await rm(join(folder.path, 'moved'), { recursive: true });
    await expect(storage.write(key, bytes('x'), png)).rejects.toMatchObject({ kind: 'unavailable' });
    expect(await storage.write(key, bytes('x'), png)).toEqual({ bytes: 1 });
  });

  test('can be uploaded to a URL that a previous key signed, but not to one of a removed key', async () => {
    const [key, expiresAt] = [newKeyOf(), new Date(Date.now() + 60_000)];
    const url = new URL(await openDisk(folder.path).uploadUrl(key, { ...png, expiresAt }));
    const admitted = (keys: ReturnType<typeof ring>) =>
      openDisk(folder.path, undefined, keys).served!.admit(key, url.searchParams);
    expect(admitted(ring(newKey, oldKey))).toEqual(png);
    expect(admitted(ring(newKey))).toHaveProperty('refusal');
  });
});

test('a full disk refuses the file and keeps nothing of it', async () => {
  await using disk = await poorDisk();
  await using media = await serveMedia((publicUrl) => openDisk(disk.folder, publicUrl));
  const [small, large] = [newKeyOf(), newKeyOf()];
  const upload = async (key: string, size: number) => {
    const url = await media.storage.uploadUrl(key, { ...png, expiresAt: new Date(Date.now() + 60_000) });
    const answer = await fetch(url, {
      method: 'PUT',
      body: new Uint8Array(size),
      headers: { 'content-type': 'image/png' },
    });
    return [answer.status, ((await answer.json().catch(() => ({}))) as { error?: string }).error];
  };
  expect(await upload(large, 4_000_000)).toEqual([disk.status, disk.words]);
  await expect(media.storage.write(large, bytes('x'.repeat(4_000_000)), png)).rejects.toMatchObject({
    kind: disk.kind,
  });
  if (disk.kind === 'full') {
    expect(await media.storage.stat(large)).toBeNull();
    expect(await readdir(join(disk.folder, 'media/incoming'))).toEqual([]);
    expect((await upload(small, 1000))[0]).toBe(200);
  }
});

describe('a disk on which nothing can be written any more is noticed by the check', () => {
  test('when it is full, until there is room again; where mounting is not allowed, a folder that cannot be used', async () => {
    await using disk = await poorDisk();
    const storage = openDisk(disk.folder);
    if (disk.kind === 'full') {
      expect(await storage.check()).toEqual({ ok: true, detail: 'the folder is writable' });
      const filler = join(disk.folder, 'filler');
      await writeFile(filler, Buffer.alloc(4_000_000)).catch(() => {});
      // This is not a configuration mistake, so startup continues.
      const full = { ok: false, mistaken: false, detail: 'The disk that holds the media is full.' };
      expect(await storage.check()).toEqual(full);
      await rm(filler);
      expect(await storage.check()).toMatchObject({ ok: true });
      expect(await readdir(join(disk.folder, 'media/incoming'))).toEqual([]);
    } else expect(await storage.check()).toMatchObject({ ok: false, mistaken: true });
  });

  test('when the folder takes new files, but no bytes', async () => {
    const folder = await temporaryFolder();
    const module = new URL('disk.ts', import.meta.url).href;
    const program = `
      const { diskStorage } = await import(${JSON.stringify(module)});
      const storage = diskStorage({ folder: ${JSON.stringify(folder.path)}, publicUrl: 'http://crier.test', clock: { now: () => new Date() } });
      console.log(JSON.stringify(await storage.check()));`;
    const checked = (limit: string) => {
      const shell = `ulimit -f ${limit}; exec "$0" --input-type=module --eval "$1"`;
      return JSON.parse(execFileSync('sh', ['-c', shell, process.execPath, program], { encoding: 'utf8' }));
    };
    expect(checked('unlimited')).toMatchObject({ ok: true });
    expect(checked('0')).toMatchObject({ ok: false, detail: expect.stringContaining('EFBIG') });
    await folder.remove();
  });
});

test('a folder that cannot be used is another error than a missing file', async () => {
  const parent = await temporaryFolder();
  const file = join(parent.path, 'file');
  await writeFile(file, '');
  const storage = openDisk(file);
  await expect(storage.write(newKeyOf(), bytes('x'), png)).rejects.toMatchObject({ kind: 'unavailable' });
  await expect(storage.stat(newKeyOf())).rejects.toMatchObject({ kind: 'unavailable' });
  expect(await storage.check()).toMatchObject({ ok: false, mistaken: true, detail: expect.stringContaining(file) });
  await parent.remove();
});
