import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bitmap, fixture, pdf } from '../../../test/support/files/inspection.ts';
import { anImage } from '../../../test/support/files/media.ts';
import { drivers, type MediaService, mediaService } from '../../../test/support/service/media-service.ts';
import type { TestUser } from '../../../test/support/service/service.ts';
import { findMedia } from './queries.ts';

const encoded = (type: 'jpeg' | 'png' | 'gif' | 'webp' | 'tiff' | 'avif') =>
  sharp({ create: { width: 64, height: 32, channels: 3, background: 'teal' } })
    .toFormat(type)
    .toBuffer();

/** A PNG whose header claims a width and height of 30,000 pixels. */
async function bomb() {
  const bytes = await encoded('png');
  bytes.writeUInt32BE(30_000, 16);
  bytes.writeUInt32BE(30_000, 20);
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);
  return bytes;
}

const image = { type: 'image', metadata: { width: 64, height: 32, aspectRatio: 2, duration: null } };
const accepted: [string, () => Buffer | Promise<Buffer>, object][] = [
  ['image/jpeg', () => encoded('jpeg'), image],
  ['image/png', () => encoded('png'), image],
  ['image/gif', () => encoded('gif'), image],
  ['image/webp', () => encoded('webp'), image],
  ['image/tiff', () => encoded('tiff'), image],
  ['image/avif', () => encoded('avif'), image],
  ['image/bmp', () => bitmap(64, 32), image],
  ['image/heic', () => fixture('small.heic'), { type: 'image', metadata: { format: 'heic' } }],
  ['video/mp4', () => fixture('faststart.mp4'), { type: 'video', metadata: { codecName: 'h264' } }],
  ['video/quicktime', () => fixture('rotated.mov'), { type: 'video', metadata: { format: 'mov' } }],
  ['video/webm', () => fixture('vp8.webm'), { type: 'video', metadata: { codecName: 'vp8' } }],
  ['video/x-matroska', () => fixture('h264.mkv'), { type: 'video', metadata: { format: 'mkv' } }],
  ['video/x-msvideo', () => fixture('mpeg4.avi'), { type: 'video', metadata: { format: 'avi' } }],
  ['application/pdf', () => pdf(3), { type: 'document', metadata: { width: null, format: 'pdf' } }],
];

const unknownType = 'MEDIA_FILE_INDETERMINATE_TYPE';
const refused: [string, () => Buffer | Promise<Buffer>, string, RegExp][] = [
  ['a web page', () => Buffer.from('<!doctype html><script>alert(1)</script>'), unknownType, /web page/],
  ['an SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), unknownType, /SVG/],
  ['an archive', () => Buffer.from(`504b0304${'00'.repeat(60)}`, 'hex'), unknownType, /./],
  ['nothing', () => Buffer.alloc(0), unknownType, /empty/],
  ['a truncated image', async () => (await anImage()).bytes.subarray(0, 900), 'PROBE_FAILED', /./],
  ['half a video', () => fixture('moov-last.mp4').subarray(0, 3000), 'PROBE_FAILED', /./],
  ['an image that decodes to gigabytes', bomb, 'PROBE_FAILED', /pixels/i],
];

describe.each(drivers)('on %s, complete-media', (driver) => {
  let ours: MediaService;
  let ada: TestUser;
  let png: Buffer;
  beforeAll(async () => {
    ours = await mediaService(driver);
    ada = await ours.aUser();
    png = await encoded('png');
  });
  afterAll(() => ours.close());

  test('[post-logs.events] writes its verdict into the log of the post', async () => {
    const good = await ours.aReadyFile(ada, png);
    const bad = await ours.anUpload(ada, Buffer.from('text'), { postGroupId: good.postGroupId });
    await ours.complete(ada, bad.mediaId);
    for (const { mediaId } of [good, bad]) await ours.complete(ada, mediaId);
    const { logs } = (await ada.call('GET', `/post-logs/${good.postGroupId}`)).body;
    expect(logs).toMatchObject([
      { event: 'media_finalize_succeeded', metadata: { mediaFileId: good.mediaId } },
      {
        event: 'media_finalize_failed',
        error: expect.any(String),
        metadata: { mediaFileId: bad.mediaId, code: 'MEDIA_FILE_INDETERMINATE_TYPE' },
      },
    ]);
  });

  test.each(accepted)('says what a file of type %s is', async (mimeType, make, expected) => {
    const bytes = await make();
    const { mediaId, key, fileUrl } = await ours.anUpload(ada, bytes, { contentType: mimeType });
    const { status, body } = await ours.complete(ada, mediaId);
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        mediaFile: expect.objectContaining({ _id: mediaId, mimeType, fileName: key, url: fileUrl, status: 'ready' }),
      },
    ]);
    expect(body.mediaFile).toMatchObject(expected);
    expect(Object.keys(body.mediaFile.metadata).sort()).toEqual(
      ['size', 'width', 'height', 'aspectRatio', 'format', 'frameRate', 'codecName', 'bitRate', 'duration'].sort(),
    );
    expect(body.mediaFile.metadata.size).toBe(bytes.length);
    expect(await ours.complete(ada, mediaId)).toMatchObject({ status: 200, body });
  });

  test.each(refused)('refuses %s, now and later', async (_, make, code, error) => {
    const { mediaId, postGroupId } = await ours.anUpload(ada, await make());
    const answer = await ours.complete(ada, mediaId);
    expect(answer).toMatchObject({ status: 400, body: { code, error: expect.stringMatching(error) } });
    expect(Object.keys(answer.body).sort()).toEqual(['code', 'error']);
    expect(await ours.media(ada, postGroupId)).toMatchObject([{ status: 'failed', failureReason: answer.body.error }]);
    expect(await ours.complete(ada, mediaId)).toMatchObject({
      status: 400,
      body: { code: 'MEDIA_VALIDATION_FAILED', error: expect.stringContaining(answer.body.error) },
    });
  });

  test('detects the type from the bytes and ignores the declared type', async () => {
    const { mediaId, postGroupId } = await ours.anUpload(ada, fixture('faststart.mp4'), { contentType: 'image/png' });
    await ours.complete(ada, mediaId);
    expect(await ours.media(ada, postGroupId)).toMatchObject([{ type: 'video', mimeType: 'video/mp4' }]);
  });

  test('fails an upload five minutes after it was first found missing', async () => {
    const postGroupId = await ours.aDraft(ada);
    const { mediaId } = await ours.anAddress(ada, postGroupId);
    const pending = { status: 503, body: { code: 'MEDIA_UPLOAD_PENDING', error: expect.any(String) } };
    ours.clock.advance({ seconds: 600 });
    expect(await ours.complete(ada, mediaId)).toMatchObject(pending);
    ours.clock.advance({ seconds: 299 });
    const again = await ours.complete(ada, mediaId);
    expect(again).toMatchObject(pending);
    expect(again.headers).not.toHaveProperty('retry-after');
    ours.clock.advance({ seconds: 1 });
    const error =
      'Uploaded media is missing from storage. The upload did not complete; remove it and upload the file again.';
    expect(await ours.complete(ada, mediaId)).toMatchObject({
      status: 400,
      body: { code: 'MEDIA_UPLOAD_MISSING', error },
    });
    expect(await ours.media(ada, postGroupId)).toMatchObject([{ status: 'failed', failureReason: error }]);
  });

  test('finds an upload that arrived within those five minutes', async () => {
    const { mediaId, uploadUrl } = await ours.anAddress(ada, await ours.aDraft(ada));
    await ours.complete(ada, mediaId);
    ours.clock.advance({ seconds: 299 });
    await ours.put(uploadUrl, png);
    expect(await ours.complete(ada, mediaId)).toMatchObject({ status: 200 });
  });

  // Network storage receives files directly, and a file that was replaced there is not published.
  if (driver === 'disk')
    test('an upload address neither replaces a file nor works after its check failed', async () => {
      const other = (await anImage({ type: 'png' })).bytes;
      const { mediaId, uploadUrl, key } = await ours.anUpload(ada, png);
      const stored = (await ours.app.storage.stat(key))?.version;
      expect((await ours.put(uploadUrl, other)).status).toBe(409);
      expect((await ours.complete(ada, mediaId)).status).toBe(200);
      expect((await ours.put(uploadUrl, other)).status).toBe(409);
      expect((await ours.app.storage.stat(key))?.version).toBe(stored);

      const refusedFile = await ours.anUpload(ada, Buffer.from('<!doctype html>'));
      expect((await ours.complete(ada, refusedFile.mediaId)).status).toBe(400);
      await ours.app.storage.remove([refusedFile.key]);
      expect((await ours.put(refusedFile.uploadUrl, png)).status).toBe(410);
      expect(await ours.app.storage.stat(refusedFile.key)).toBeNull();
    });

  if (driver === 'disk')
    test.each(['user', 'owner'])('an upload address does not work while its %s is deactivated', async (who) => {
      const [owner, user] = [await ours.aUser(), await ours.aUser()];
      const set = (id: string, change: object) =>
        ours.app.db.updateTable('users').set(change).where('id', '=', id).execute();
      await set(user.id, { parent_user_id: owner.id });
      const { uploadUrl } = await ours.anAddress(user, await ours.aDraft(user));
      const closed = who === 'user' ? user.id : owner.id;
      await set(closed, { is_active: false });
      expect((await ours.put(uploadUrl, png)).status).toBe(410);
      await set(closed, { is_active: true });
      expect((await ours.put(uploadUrl, png)).status).toBe(200);
    });

  test('a file of a managed user counts for its owner', async () => {
    const [owner, user] = [await ours.aUser(), await ours.aUser()];
    await ours.app.db.updateTable('users').set({ parent_user_id: owner.id }).where('id', '=', user.id).execute();
    const ownerOf = async (of: TestUser) => {
      const { mediaId } = await ours.aReadyFile(of, png);
      return (await findMedia(ours.app.db, of.id, mediaId))?.ownerId;
    };
    expect([await ownerOf(user), await ownerOf(owner)]).toEqual([owner.id, owner.id]);
  });

  test('neither attaches the file nor demotes the post', async () => {
    const { mediaId, postGroupId } = await ours.aReadyFile(ada, png);
    const scheduledTime = new Date(ours.clock.now().getTime() + 3_600_000).toISOString();
    await ada.call('PUT', `/update-post/${postGroupId}`, { status: 'scheduled', scheduledTime });
    await ours.database.pool.query(`update media set status = 'uploading' where id = $1`, [mediaId]);
    expect((await ours.complete(ada, mediaId)).status).toBe(200);
    expect((await ada.call('GET', `/get-post/${postGroupId}`)).body).toMatchObject({
      status: 'scheduled',
      media: [{ mediaId, status: 'ready' }],
    });
  });

  test('changes nothing while the storage does not answer, and continues when it does', async () => {
    const { mediaId, key, postGroupId, uploadUrl } = await ours.anUpload(ada, png);
    const path = join(ours.folder, 'media', key);
    if (ours.s3) ours.s3.fail(500);
    else await rm(path).then(() => mkdir(path));
    expect(await ours.complete(ada, mediaId)).toMatchObject({ status: 503, body: { code: 'PROBE_DOWNLOAD_FAILED' } });
    expect(await ours.media(ada, postGroupId)).toMatchObject([{ status: 'uploading' }]);
    if (ours.s3) ours.s3.fail(null);
    else await rm(path, { recursive: true }).then(() => ours.put(uploadUrl, png));
    expect(await ours.complete(ada, mediaId)).toMatchObject({ status: 200 });
  });
});
