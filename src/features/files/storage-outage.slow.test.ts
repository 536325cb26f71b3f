import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { anImage, aVideo } from '../../../test/support/files/media.ts';
import { aTaggedImage } from '../../../test/support/files/tagged-image.ts';
import { type MediaWeb, mediaWeb } from '../../../test/support/servers/media-web.ts';
import { type MediaService, mediaService } from '../../../test/support/service/media-service.ts';
import { type FormPart, sendForm } from '../../../test/support/service/send-form.ts';
import type { TestUser } from '../../../test/support/service/service.ts';

const unavailable = {
  status: 503,
  body: {
    error: 'The service cannot reach its file storage. Try again in a few seconds.',
    code: 'STORAGE_UNAVAILABLE',
  },
};

describe.each([
  ['gives no answer', 'cut'],
  ['fails', 500],
  ['refuses the credentials', 403],
  ['has lost the bucket', 404],
] as const)('[errors.storage] while the storage %s', (_, how) => {
  let web: MediaWeb;
  let ours: MediaService;
  let ada: TestUser;
  let png: Buffer;
  beforeAll(async () => {
    web = await mediaWeb();
    ours = await mediaService('s3', { environment: { EGRESS_ALLOW: web.place } });
    ada = await ours.aUser();
    png = (await anImage({ type: 'png' })).bytes;
  });
  afterEach(() => ours.s3!.fail(null));
  afterAll(async () => {
    await ours.close();
    await web[Symbol.asyncDispose]();
  });

  test('create-post and update-post with mediaUrls answer 503', async () => {
    const postGroupId = await ours.aDraft(ada);
    const body = { mediaUrls: [`${web.url}/picture/1`] };
    ours.s3!.fail(how);
    const platforms = [await ada.aConnection()];
    expect(await ada.call('POST', '/create-post', { content: 'x', platforms, ...body })).toMatchObject(unavailable);
    expect(await ada.call('PUT', `/update-post/${postGroupId}`, body)).toMatchObject(unavailable);
  });

  test('attach-media answers 503', async () => {
    const postGroupId = await ours.aDraft(ada);
    const file = { download_url: `${web.url}/picture/1`, file_id: 'f' };
    ours.s3!.fail(how);
    expect(await ada.call('POST', `/attach-media/${postGroupId}`, { file })).toMatchObject(unavailable);
  });

  test('process-video and the uploads of images answer 503', async () => {
    const [postGroupId, jpeg] = [await ours.aDraft(ada), (await anImage({ width: 640, height: 360 })).bytes];
    ours.s3!.fail(how);
    const send = async (path: string, field: string, bytes: Uint8Array) => {
      const url = `${ours.reach(ours.app.publicUrl)}/api/v1${path}`;
      const parts: FormPart[] = [
        ['postGroupId', postGroupId],
        [field, { name: 'a', bytes }],
      ];
      return sendForm({ url, headers: { 'x-service-key': ada.apiKey }, parts });
    };
    expect(await send('/process-video', 'video', aVideo().bytes)).toMatchObject(unavailable);
    expect(await send('/upload-youtube-thumbnail', 'thumbnail', jpeg)).toMatchObject(unavailable);
    expect(await send('/upload-instagram-cover', 'cover', jpeg)).toMatchObject(unavailable);
  });

  test('complete-media and scheduling do not say that the upload has not arrived', async () => {
    const { mediaId, postGroupId } = await ours.anUpload(ada, png);
    ours.s3!.fail(how);
    expect(await ours.complete(ada, mediaId)).toMatchObject({ status: 503, body: { code: 'PROBE_DOWNLOAD_FAILED' } });
    const scheduled = { status: 'scheduled', scheduledTime: new Date(Date.now() + 9e6).toISOString() };
    expect(await ada.call('PUT', `/update-post/${postGroupId}`, scheduled)).toMatchObject({
      status: 503,
      body: { pendingCode: 'PROBE_DOWNLOAD_FAILED', error: expect.stringContaining('cannot read the file') },
    });
  });

  test('the address of a file answers 503', async () => {
    const { fileUrl } = await ours.anUpload(ada, png);
    ours.s3!.fail(how);
    const answer = await fetch(ours.reach(fileUrl));
    expect({ status: answer.status, body: await answer.json() }).toMatchObject(unavailable);
  });

  test('the small version of an image that has none yet answers 503', async () => {
    const photo = await aTaggedImage({ width: 600, height: 400, noise: true });
    const { fileUrl } = await ours.aReadyFile(ada, photo, { contentType: 'image/jpeg' });
    ours.s3!.fail(how);
    const answer = await fetch(`${ours.reach(fileUrl)}?thumbnail`);
    expect({ status: answer.status, body: await answer.json() }).toMatchObject(unavailable);
  });

  test('readyz says so', async () => {
    ours.s3!.fail(how);
    const answer = await ours.server.inject('/readyz');
    expect(answer.json().checks.storage.ok).toBe(false);
  });
});
