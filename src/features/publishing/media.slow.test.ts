import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pdf } from '../../../test/support/files/inspection.ts';
import { anImage, aVideo } from '../../../test/support/files/media.ts';
import { aTaggedImage, tagsOf } from '../../../test/support/files/tagged-image.ts';
import { publishDue } from '../../../test/support/publishing/publish-due.ts';
import type { SandboxPost } from '../../../test/support/servers/sandbox.ts';
import { testApp } from '../../../test/support/service/app.ts';
import { drivers, type MediaService, mediaService, type Upload } from '../../../test/support/service/media-service.ts';
import type { TestUser } from '../../../test/support/service/service.ts';
import { connectSandboxAccount } from '../connections/connect/sandbox.ts';

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

  const read = async (id: string) => (await ada.call('GET', `/get-post/${id}`)).body;
  const query = (text: string, ...values: unknown[]) => ours.database.pool.query(text, values);

  async function schedule({ postGroupId }: Upload, content: string) {
    const scheduledTime = new Date(ours.clock.now().getTime() + 60_000).toISOString();
    const change = { status: 'scheduled', scheduledTime, content };
    expect(await ada.call('PUT', `/update-post/${postGroupId}`, change)).toMatchObject({ status: 200 });
  }

  async function publishLater() {
    ours.clock.advance({ seconds: 60 });
    await publishDue(ours.app);
  }

  test.each([
    ['image', () => anImage({ type: 'png' }), 'image/png'],
    ['video', () => aVideo(), 'video/mp4'],
  ])('publishes the bytes of the file unchanged: %s', async (kind, make, contentType) => {
    const { bytes, sha256 } = await make();
    const upload = await ours.aReadyFile(ada, bytes, { contentType });
    const content = `With a ${kind} from ${driver}`;
    await schedule(upload, content);
    ours.clock.advance({ seconds: 60 });
    // The platform takes a moment to process a video, so the post runs several times.
    for (let n = 0; n < 10 && (await read(upload.postGroupId)).status === 'scheduled'; n += 1) {
      await publishDue(ours.app);
      ours.clock.advance({ seconds: 5 });
    }
    expect((await read(upload.postGroupId)).status).toBe('published');
    const found = (await ours.sandbox.posts()).filter(({ text }) => text === content);
    expect(found).toMatchObject([{ media: [{ sha256, bytes: bytes.length }] }]);
    if (ours.s3) expect(await readdir(join(ours.folder, 'media-copies'))).toEqual([]);
  });

  test('[post-logs.events] the upload of a document to LinkedIn is in the log of the post', async () => {
    const account = { platform: 'linkedin' as const, handle: 'documents' };
    const { platformId } = await connectSandboxAccount(ours.app, ours.sandbox.url, ada.id, account);
    const { body } = await ada.call('POST', '/create-post', { content: 'A document', platforms: [platformId] });
    const { postGroupId } = body;
    const upload = await ours.aReadyFile(ada, pdf(2), { postGroupId, contentType: 'application/pdf' });
    await schedule(upload, `A document from ${driver}`);
    const fault = { network: 'linkedin', operation: 'upload', kind: 'status', status: 503, times: 1 };
    await ours.sandbox.control('POST', '/faults', fault);
    ours.clock.advance({ seconds: 60 });
    for (let n = 0; n < 10 && (await read(postGroupId)).status === 'scheduled'; n += 1) {
      await publishDue(ours.app);
      ours.clock.advance({ seconds: 30 });
    }
    const { logs } = (await ada.call('GET', `/post-logs/${postGroupId}`)).body;
    const events = logs.filter(({ event }: { event: string }) => /document/.test(event));
    expect(events).toMatchObject([
      { event: 'linkedin_document_upload_failed', platform: 'linkedin', error: expect.any(String), httpStatus: 503 },
      { event: 'linkedin_document_upload_succeeded', platform: 'linkedin', postId: expect.any(String) },
    ]);
  });

  test('a JPEG of several megabytes is scheduled for Bluesky and arrives small enough', async () => {
    const account = { platform: 'bluesky' as const, handle: `photos-${driver}` };
    const { platformId } = await connectSandboxAccount(ours.app, ours.sandbox.url, ada.id, account);
    const { body } = await ada.call('POST', '/create-post', { content: 'Large', platforms: [platformId] });
    const photo = await aTaggedImage({ width: 2000, height: 1500, noise: true, quality: 100 });
    expect(photo.length).toBeGreaterThan(4_000_000);
    const file = { postGroupId: body.postGroupId, contentType: 'image/jpeg' };
    const content = `Large from ${driver}`;
    await schedule(await ours.aReadyFile(ada, photo, file), content);
    await publishLater();
    expect(await read(body.postGroupId)).toMatchObject({ status: 'published' });
    const [post] = (await ours.sandbox.control<SandboxPost[]>('GET', '/posts?network=bluesky')).filter(
      ({ text }) => text === content,
    );
    expect(post?.media[0]?.bytes).toBeLessThanOrEqual(2_000_000);
  });

  test('a photo reaches the network without the place where it was taken', async () => {
    const photo = await aTaggedImage({ orientation: 6 });
    const upload = await ours.aReadyFile(ada, photo, { contentType: 'image/jpeg' });
    const content = `A photo from ${driver}`;
    await schedule(upload, content);
    await publishLater();
    expect((await read(upload.postGroupId)).status).toBe('published');
    const [post] = (await ours.sandbox.posts()).filter(({ text }) => text === content);
    const { rows } = await query('select storage_key from renditions where media_id = $1', upload.mediaId);
    const sent = await buffer(await ours.app.storage.read(rows[0].storage_key));
    const sha256 = createHash('sha256').update(sent).digest('hex');
    expect(post).toMatchObject({ media: [{ sha256, bytes: sent.length }] });
    expect(await tagsOf(sent)).toMatchObject({ exif: undefined, xmp: undefined, orientation: undefined });
  });

  test.each([
    ['is gone', 'MEDIA_REFERENCE_MISSING', (id: string) => query('delete from media where id = $1', id)],
    [
      'was refused',
      'MEDIA_VALIDATION_FAILED',
      (id: string) =>
        query(
          `update media set status = 'failed', failure_code = 'PROBE_FAILED', failure_reason = 'x' where id = $1`,
          id,
        ),
    ],
    [
      'never came',
      'MEDIA_UPLOAD_MISSING',
      (id: string) =>
        query(
          `update media set status = 'failed', failure_code = 'MEDIA_UPLOAD_MISSING', failure_reason = 'x' where id = $1`,
          id,
        ),
    ],
  ])('a due post whose file %s returns to draft and says why', async (_, errorCode, spoil) => {
    const upload = await ours.aReadyFile(ada, png);
    const { postGroupId, mediaId } = upload;
    const content = `Spoilt ${errorCode} ${driver}`;
    await schedule(upload, content);
    await spoil(mediaId);
    await publishLater();
    expect(await read(postGroupId)).toMatchObject({
      status: 'draft',
      scheduledTime: expect.any(String),
      posts: [{ status: 'draft' }],
    });
    expect(await ours.demotions(postGroupId)).toEqual([
      {
        postGroupId,
        reason: 'media_backstop',
        changeType: 'scheduler_media_backstop',
        mediaFileId: mediaId,
        errorCode,
        demotedAt: ours.clock.now().toISOString(),
      },
    ]);
    expect((await ours.sandbox.posts()).filter(({ text }) => text === content)).toEqual([]);
    await publishLater();
    expect(await ours.demotions(postGroupId)).toHaveLength(1);
  });

  test.each([
    [
      'was replaced after its check',
      'MEDIA_VALIDATION_FAILED',
      async ({ key }: Upload) => void (await ours.replace(key, (await anImage({ type: 'png' })).bytes)),
    ],
    ['is gone from the storage', 'MEDIA_UPLOAD_MISSING', async ({ mediaId }: Upload) => removeStored(mediaId)],
  ])('a due post whose file %s returns to draft on all networks', async (_, errorCode, spoil) => {
    const upload = await ours.aReadyFile(ada, png);
    const content = `${errorCode} ${driver}`;
    const platforms = [await ada.aConnection(), await ada.aConnection()];
    await ada.call('PUT', `/update-post/${upload.postGroupId}`, { platforms });
    await schedule(upload, content);
    await spoil(upload);
    await publishLater();
    expect(await read(upload.postGroupId)).toMatchObject({
      status: 'draft',
      posts: [{ status: 'draft' }, { status: 'draft' }],
    });
    expect(await ours.demotions(upload.postGroupId)).toMatchObject([
      { changeType: 'scheduler_media_backstop', mediaFileId: upload.mediaId, errorCode },
    ]);
    const { logs } = (await ada.call('GET', `/post-logs/${upload.postGroupId}`)).body;
    expect(logs.at(-1).metadata).toMatchObject({ mediaFileId: upload.mediaId, errorCode });
    const again = { status: 'scheduled', scheduledTime: new Date(ours.clock.now().getTime() + 60_000).toISOString() };
    expect(await ada.call('PUT', `/update-post/${upload.postGroupId}`, again)).toMatchObject({ status: 400 });
    expect((await ours.sandbox.posts()).filter(({ text }) => text === content)).toEqual([]);
  });

  test('a file that is gone after the post went out elsewhere fails the other targets', async () => {
    const upload = await ours.aReadyFile(ada, png);
    const platforms = [await ada.aConnection(), await ada.aConnection()];
    await ada.call('PUT', `/update-post/${upload.postGroupId}`, { platforms });
    await schedule(upload, `Half out ${driver}`);
    await ours.sandbox.fault({ kind: 'rate_limit', operation: 'upload', retryAfterSeconds: 30 });
    await publishLater();
    await removeStored(upload.mediaId);
    await publishLater();
    const { status, posts } = await read(upload.postGroupId);
    expect(status).toBe('partially_published');
    expect(posts.find((post: { status: string }) => post.status === 'failed').error).toMatchObject({
      code: 'INVALID_CONTENT',
      message: expect.stringContaining('replaced or removed'),
    });
  });

  async function removeStored(mediaId: string) {
    const { rows } = await query('select storage_key from media where id = $1', mediaId);
    await ours.app.storage.remove([rows[0].storage_key]);
  }
});

test('a post waits while the storage is away, says so, and is published afterwards', async () => {
  const ours = await mediaService('s3');
  const ada = await ours.aUser();
  const { postGroupId } = await ours.aReadyFile(ada, (await anImage({ type: 'png' })).bytes);
  const environment = { ...ours.environment, STORAGE_URL: ours.environment.STORAGE_URL!.replace(/%3A\d+/, '%3A9') };
  const { database, sandbox, clock } = ours;
  const cutOff = await testApp({ database, sandboxUrl: sandbox.url, clock, environment });
  try {
    await ada.call('PUT', `/update-post/${postGroupId}`, {
      status: 'scheduled',
      publishNow: true,
      content: 'An image',
    });
    clock.advance({ seconds: 1 });
    await publishDue(cutOff.app);
    const { logs } = (await ada.call('GET', `/post-logs/${postGroupId}`)).body;
    expect(logs.at(-1)).toMatchObject({
      event: 'publish_retry',
      error: expect.stringMatching(/^The file .+ could not be read from our storage\.$/),
      metadata: { errorCode: 'UNKNOWN_ERROR' },
    });
    clock.advance({ seconds: 30 });
    await publishDue(ours.app);
    expect((await ada.call('GET', `/get-post/${postGroupId}`)).body.status).toBe('published');
  } finally {
    await cutOff.close();
    await ours.close();
  }
});

describe('a thread on X', () => {
  let ours: MediaService;
  beforeAll(async () => {
    ours = await mediaService('disk');
  });
  afterAll(() => ours.close());

  test('whose second part is rejected keeps its first part and is not retried', async () => {
    const ada = await ours.aUser();
    const options = { platform: 'twitter' as const, handle: 'threader' };
    const { platformId } = await connectSandboxAccount(ours.app, ours.sandbox.url, ada.id, options);
    const content = 'The first part\n---\nThe second part\n---\nThe third part';
    const { body } = await ada.call('POST', '/create-post', { content, platforms: [platformId], publishNow: true });
    await ours.sandbox.control('POST', '/faults', {
      network: 'twitter',
      kind: 'status',
      status: 403,
      operation: 'publish',
      skip: 1,
      times: 1,
    });
    await publishDue(ours.app);
    const read = async () => (await ada.call('GET', `/get-post/${body.postGroupId}`)).body;
    const { status, posts } = await read();
    const [post] = posts;
    expect([status, post.status, post.isThread]).toEqual(['failed', 'failed', true]);
    expect(post.error).toMatchObject({ code: 'THREAD_PARTIALLY_PUBLISHED', retryable: false });
    expect(post.postedId).toMatch(/^\d+$/);
    expect(post.threadParts).toEqual([
      { index: 0, content: 'The first part', status: 'published', publishedId: post.postedId },
      { index: 1, content: 'The second part', status: 'failed', publishedId: null },
      { index: 2, content: 'The third part', status: 'failed', publishedId: null },
    ]);
    ours.clock.advance({ seconds: 3600 });
    await publishDue(ours.app);
    expect((await read()).posts).toEqual(posts);
  });
});
