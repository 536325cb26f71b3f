import { afterAll, beforeAll, expect, test } from 'vitest';
import { fixture } from '../../../test/support/files/inspection.ts';
import { anImage } from '../../../test/support/files/media.ts';
import { anotherProcess, type MediaService, mediaService } from '../../../test/support/service/media-service.ts';
import type { Answer, TestUser } from '../../../test/support/service/service.ts';
import { type Storage, StorageError } from '../../foundation/storage/storage.ts';
import { inspect } from './inspection/inspect.ts';

let ours: MediaService;
let ada: TestUser;
let png: Buffer;
let stuck: Promise<Answer>;
beforeAll(async () => {
  ours = await mediaService('disk');
  ada = await ours.aUser();
  png = (await anImage({ type: 'png' })).bytes;
  stuck = completeWithoutEnd();
});
afterAll(() => ours.close());

/** Started first and awaited last, because it takes as long as an inspection timeout. */
async function completeWithoutEnd() {
  const { mediaId } = await ours.anUpload(ada, png, { fileName: 'stuck.png' });
  return completeElsewhere(mediaId, { read: () => new Promise(() => {}) });
}

async function completeElsewhere(mediaId: string, faults: Partial<Storage> = {}): Promise<Answer> {
  await using other = await anotherProcess(ours, faults);
  return await other.call(ada, 'POST', `/complete-media/${mediaId}`);
}

const statusOf = async ({ postGroupId }: { postGroupId: string }) =>
  (await ours.media(ada, postGroupId)).map(({ status }) => status);

test.each([
  ['a malformed id', 'x', 400, { code: 'INVALID_MEDIA_FILE_ID' }],
  ['an unknown id', 'a'.repeat(24), 404, { code: 'MEDIA_FILE_NOT_FOUND' }],
])('%s is refused', async (_, mediaId, status, body) => {
  expect(await ours.complete(ada, mediaId)).toMatchObject({ status, body });
});

test("another user's file is not found", async () => {
  const { mediaId } = await ours.anUpload(ada, png);
  const answer = await ours.complete(await ours.aUser(), mediaId);
  expect(answer).toMatchObject({ status: 404, body: { code: 'MEDIA_FILE_NOT_FOUND' } });
});

test('a record without a storage key is an internal error', async () => {
  const { mediaId } = await ours.anUpload(ada, png);
  await ours.database.pool.query('update media set storage_key = null where id = $1', [mediaId]);
  expect(await ours.complete(ada, mediaId)).toMatchObject({ status: 500, body: { code: 'MEDIA_FILE_MISSING_URL' } });
});

test('a file that is replaced during its inspection is inspected again', async () => {
  const upload = await ours.anUpload(ada, png);
  let replaced: Promise<unknown> | null = null;
  const answer = await completeElsewhere(upload.mediaId, {
    async read(key, options) {
      replaced ??= ours.replace(upload.key, fixture('small.heic'));
      await replaced;
      return ours.app.storage.read(key, options);
    },
  });
  expect(answer).toMatchObject({ status: 503, body: { code: 'PROBE_VERSION_CHANGED' } });
  expect(answer.headers).not.toHaveProperty('retry-after');
  expect(await statusOf(upload)).toEqual(['uploading']);
  expect((await ours.complete(ada, upload.mediaId)).body.mediaFile.mimeType).toBe('image/heic');
});

test('a file that is removed during its inspection is searched again', async () => {
  const upload = await ours.anUpload(ada, png);
  const answer = await completeElsewhere(upload.mediaId, {
    async read(key, options) {
      await ours.app.storage.remove([key]);
      return ours.app.storage.read(key, options);
    },
  });
  expect(answer).toMatchObject({ status: 503, body: { code: 'PROBE_VERSION_CHANGED' } });
  expect(await ours.complete(ada, upload.mediaId)).toMatchObject({ body: { code: 'MEDIA_UPLOAD_PENDING' } });
});

test('a file whose version cannot be verified does not become ready', async () => {
  const upload = await ours.anUpload(ada, png);
  let asked = 0;
  const answer = await completeElsewhere(upload.mediaId, {
    async stat(key) {
      asked += 1;
      if (asked > 1) throw new StorageError('unavailable', 'Not now.');
      return ours.app.storage.stat(key);
    },
  });
  expect(answer).toMatchObject({ status: 503, body: { code: 'PROBE_VERSION_UNVERIFIED' } });
  expect(await statusOf(upload)).toEqual(['uploading']);
});

test('a verdict that could not be stored is found again', async () => {
  const { pool } = ours.database;
  const good = await ours.anUpload(ada, png);
  const bad = await ours.anUpload(ada, Buffer.from('no picture'));
  const lost = await ours.anAddress(ada, await ours.aDraft(ada));
  await pool.query(`create function break() returns trigger language plpgsql as $$ begin raise 'no room'; end $$`);
  await pool.query('create trigger break before update on media for each row execute function break()');
  for (const { mediaId } of [good, bad, lost]) {
    expect(await ours.complete(ada, mediaId)).toMatchObject({
      status: 503,
      body: { code: 'MEDIA_STATE_PERSIST_FAILED' },
    });
  }
  await pool.query('drop trigger break on media');
  expect(await ours.complete(ada, good.mediaId)).toMatchObject({ status: 200 });
  expect(await ours.complete(ada, bad.mediaId)).toMatchObject({ status: 400 });
});

test('two processes that inspect the same version at the same time agree', async () => {
  const { mediaId } = await ours.anUpload(ada, png);
  const answers = await Promise.all([
    ours.complete(ada, mediaId),
    completeElsewhere(mediaId),
    ours.complete(ada, mediaId),
    completeElsewhere(mediaId),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
});

test('of two processes that inspected different versions only one stores its verdict', async () => {
  const upload = await ours.anUpload(ada, png);
  let asked = 0;
  const answer = await completeElsewhere(upload.mediaId, {
    async stat(key) {
      asked += 1;
      const found = await ours.app.storage.stat(key);
      if (asked > 1) {
        await ours.replace(upload.key, fixture('small.heic'));
        expect((await ours.complete(ada, upload.mediaId)).status).toBe(200);
      }
      return found;
    },
  });
  expect(answer).toMatchObject({ status: 409, body: { code: 'MEDIA_FILE_RACE' } });
  expect(await ours.media(ada, upload.postGroupId)).toMatchObject([{ status: 'ready', mimeType: 'image/heic' }]);
});

test('a record that is deleted during the inspection is not found', async () => {
  const { mediaId } = await ours.anUpload(ada, png);
  const answer = await completeElsewhere(mediaId, {
    async read(key, options) {
      await ada.call('DELETE', `/media/${mediaId}`);
      return ours.app.storage.read(key, options);
    },
  });
  expect(answer).toMatchObject({ status: 404, body: { code: 'MEDIA_FILE_NOT_FOUND' } });
});

test('when too many files of the user are being inspected, nothing changes', async () => {
  const stop = new AbortController();
  const endless = { owner: ada.id, size: 10, read: () => new Promise<Uint8Array>(() => {}) };
  const others = Array.from({ length: 2 }, () => inspect(endless, { signal: stop.signal }).catch(() => null));
  const upload = await ours.anUpload(ada, png);
  expect(await ours.complete(ada, upload.mediaId)).toMatchObject({ status: 503, body: { code: 'PROBE_BUSY' } });
  expect(await statusOf(upload)).toEqual(['uploading']);
  stop.abort();
  await Promise.all(others);
  expect(await ours.complete(ada, upload.mediaId)).toMatchObject({ status: 200 });
});

test('a file that cannot be inspected in time is refused', async () => {
  const answer = await stuck;
  expect(answer).toMatchObject({ status: 400, body: { code: 'PROBE_TIMEOUT' } });
  expect(Object.keys(answer.body).sort()).toEqual(['code', 'error']);
});
