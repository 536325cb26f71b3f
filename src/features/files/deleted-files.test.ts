import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anImage } from '../../../test/support/files/media.ts';
import {
  anotherProcess,
  drivers,
  type MediaService,
  mediaService,
  type Upload,
} from '../../../test/support/service/media-service.ts';
import type { TestUser } from '../../../test/support/service/service.ts';
import { StorageError } from '../../foundation/storage/storage.ts';

describe.each(drivers)('on %s', (driver) => {
  let ours: MediaService;
  let ada: TestUser;
  let png: Buffer;
  beforeAll(async () => {
    ours = await mediaService(driver);
    ada = await ours.aUser();
    png = (await anImage({ type: 'png' })).bytes;
  });
  afterAll(() => ours.close());

  const get = async ({ fileUrl }: Pick<Upload, 'fileUrl'>) => (await fetch(ours.reach(fileUrl))).status;

  test.each([
    ['[delete-media.effect] a deleted file', ({ mediaId }: Upload) => `/media/${mediaId}`],
    ['[delete-post.files] the file of a deleted post', ({ postGroupId }: Upload) => `/delete-post/${postGroupId}`],
  ])('%s is removed immediately', async (_, path) => {
    const upload = await ours.aReadyFile(ada, png);
    const signed = await ours.app.storage.signedUrl(upload.key, { contentType: 'image/png', expiresInSeconds: 3600 });
    expect(await get(upload)).toBe(200);
    expect(await ada.call('DELETE', path(upload))).toMatchObject({ status: 200 });
    expect(await get(upload)).toBe(404);
    expect((await fetch(ours.reach(signed))).status).toBe(404);
    expect(await ours.storedKeys()).not.toContain(upload.key);
  });

  test('[delete-post.files] a post is deleted while the storage fails; its file is not served, and removed later', async () => {
    const upload = await ours.aReadyFile(ada, png);
    await using other = await anotherProcess(ours, {
      remove: () => Promise.reject(new StorageError('unavailable', 'Down.')),
    });
    const answer = await other.call(ada, 'DELETE', `/delete-post/${upload.postGroupId}`);
    expect(answer).toMatchObject({ status: 200, body: { success: true } });
    expect(await ours.storedKeys()).toContain(upload.key);
    expect(await get(upload)).toBe(404);
    expect(await ours.keptKeys()).not.toContain(upload.key);
  });

  test('[get-upload-url.record-gone] an upload address stops working with its record', async () => {
    const address = await ours.anAddress(ada, await ours.aDraft(ada));
    await ada.call('DELETE', `/media/${address.mediaId}`);
    const { status } = await ours.put(address.uploadUrl, png);
    // S3 accepts any upload it has signed. The file is not served, and is deleted after the URL has expired.
    expect(status).toBe(driver === 'disk' ? 410 : 200);
    expect(await get(address)).toBe(404);
    ours.advance(8 * 3600);
    expect(await ours.keptKeys()).not.toContain(address.fileUrl.split('/media/')[1]);
  });
});

test('an upload that ends after its record was deleted leaves nothing behind', async () => {
  const ours = await mediaService('disk');
  const ada = await ours.aUser();
  const { mediaId, uploadUrl, fileUrl } = await ours.anAddress(ada, await ours.aDraft(ada));
  const { bytes } = await anImage({ type: 'png' });
  const half = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(new Uint8Array(bytes.subarray(0, 100)));
      await half.promise;
      controller.enqueue(new Uint8Array(bytes.subarray(100)));
      controller.close();
    },
  });
  const headers = { 'content-type': 'image/png', 'content-length': String(bytes.length) };
  const sending = fetch(ours.reach(uploadUrl), { method: 'PUT', body, headers, duplex: 'half' });
  await expect.poll(async () => (await ours.storedKeys()).filter((key) => key.startsWith('incoming/'))).toHaveLength(1);
  await ada.call('DELETE', `/media/${mediaId}`);
  half.resolve();
  expect((await sending).status).toBe(410);
  expect((await fetch(ours.reach(fileUrl))).status).toBe(404);
  expect(await ours.storedKeys()).toEqual([]);
  await ours.close();
});
