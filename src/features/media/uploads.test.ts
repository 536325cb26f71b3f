import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anImage } from '../../../test/support/files/media.ts';
import { publishDue } from '../../../test/support/publishing/publish-due.ts';
import { drivers, type MediaService, mediaService, signedIn } from '../../../test/support/service/media-service.ts';
import type { TestUser } from '../../../test/support/service/service.ts';

const demotedMessage = 'Post was returned to draft because its media changed. Schedule it again with update-post.';

describe.each(drivers)('on %s, an upload address', (driver) => {
  let ours: MediaService;
  let ada: TestUser;
  let image: Buffer;
  beforeAll(async () => {
    ours = await mediaService(driver);
    ada = await ours.aUser();
    image = (await anImage({ type: 'png' })).bytes;
  });
  afterAll(() => ours.close());

  const ask = (body: object) => ada.call('POST', '/get-upload-url', body);

  async function aScheduledPost() {
    const scheduledTime = new Date(ours.clock.now().getTime() + 3_600_000).toISOString();
    const platforms = [await ada.aConnection()];
    const { body } = await ada.call('POST', '/create-post', { content: 'Soon', platforms, scheduledTime });
    return body.postGroupId as string;
  }

  test('accepts a file, which is then served at its public URL and listed with the post', async () => {
    const postGroupId = await ours.aDraft(ada);
    const { success, uploadUrl, fileUrl, mediaId, ...more } = await ours.anAddress(ada, postGroupId);
    expect([success, more]).toEqual([true, {}]);
    expect(fileUrl).toMatch(/\/media\/images\/\d+-0-[0-9a-f]{8}-a_photo\.png$/);
    expect((await fetch(ours.reach(fileUrl))).status).toBe(404);
    expect((await ours.put(uploadUrl, image)).status).toBe(200);

    const got = await fetch(ours.reach(fileUrl));
    expect(Buffer.from(await got.arrayBuffer()).equals(image)).toBe(true);
    expect(await ours.media(ada, postGroupId)).toEqual([
      {
        mediaId,
        sourceFileName: 'a_photo.png',
        fileName: fileUrl.split('/media/')[1],
        type: 'image',
        mimeType: 'image/png',
        status: 'uploading',
        failureReason: null,
        url: fileUrl,
        altText: null,
        shared: true,
      },
    ]);
    const { body } = await ada.call('GET', '/list-posts');
    const listed = body.posts.find((post: { postGroupId: string }) => post.postGroupId === postGroupId);
    expect(listed.mediaUrls).toEqual([fileUrl]);
  });

  test.each([
    [' my holiday photo.png ', 'my_holiday_photo.png'],
    ['../../etc/passwd', '....etcpasswd'],
    ['été & <b>.jpg', 't__b.jpg'],
    ['日本.jpg', '.jpg'],
    ['日本', 'file'],
    ['a"b\\c\n.png', 'abc.png'],
  ])('is created for the name %j, cleaned to %j', async (fileName, cleaned) => {
    const { fileUrl, mediaId } = await ours.anAddress(ada, await ours.aDraft(ada), { fileName });
    expect(fileUrl.replace(/^.*-[0-9a-f]{8}-/, '')).toBe(cleaned);
    expect(mediaId).toMatch(/^[0-9a-f]{24}$/);
  });

  test.each([
    ['image/jpeg', undefined, 'image', 'images'],
    ['VIDEO/mp4', undefined, 'video', 'videos'],
    ['application/pdf', undefined, 'document', 'documents'],
    ['video/mp4', 'image', 'image', 'images'],
    ['image/png', null, 'image', 'images'],
  ])('for %s called %s is for a file of type %s', async (contentType, type, expected, folder) => {
    const postGroupId = await ours.aDraft(ada);
    const { status, body } = await ask({ postGroupId, fileName: 'a', contentType, type });
    expect([status, body.fileUrl]).toEqual([200, expect.stringContaining(`/media/${folder}/`)]);
    expect(await ours.media(ada, postGroupId)).toMatchObject([{ type: expected, mimeType: contentType }]);
  });

  const required = 'fileName, contentType, and postGroupId are required';
  const onlyMedia = 'Only video, image, and PDF files are allowed';
  const unknown = 'a'.repeat(24);
  test.each([[[]], [undefined], ['text']])('is not created for a body that is no object: %j', async (sent) => {
    const { status, body } = await ada.call('POST', '/get-upload-url', sent === 'text' ? '"text"' : sent);
    expect([status, body]).toEqual([400, { error: required }]);
  });

  test.each([
    ['no name', { fileName: undefined }, 400, { error: required }],
    ['a blank name', { fileName: '  ' }, 400, { error: required }],
    ['a long name', { fileName: 'a'.repeat(256) }, 400, { error: 'fileName must be at most 255 characters' }],
    ['a name that is a number', { fileName: 7 }, 400, { error: required }],
    ['no type', { contentType: undefined }, 400, { error: required }],
    ['no post', { postGroupId: undefined }, 400, { error: required }],
    ['a malformed post id', { postGroupId: 'x' }, 400, { error: 'Invalid postGroupId' }],
    ['a type that is no media', { contentType: 'text/html' }, 400, { error: onlyMedia }],
    ['a type that only begins so', { contentType: 'application/pdfx' }, 400, { error: onlyMedia }],
    ['a type without a name', { contentType: 'image/' }, 400, { error: onlyMedia }],
    ['a type with a line break', { contentType: 'image/png\r\nx-evil: 1' }, 400, { error: onlyMedia }],
    ['an unknown kind', { type: 'audio' }, 400, { error: 'type must be one of: image, video, document' }],
    ['an unknown post', { postGroupId: unknown }, 404, { error: 'Post group not found' }],
  ])('is not created for %s', async (_, change, status, body) => {
    const sent = { fileName: 'a.png', contentType: 'image/png', postGroupId: await ours.aDraft(ada), ...change };
    expect(await ask(sent)).toMatchObject({ status, body });
  });

  test('is not created for a post of another user or without an API key', async () => {
    const eve = await ours.aUser();
    const file = { postGroupId: await ours.aDraft(ada), fileName: 'a.png', contentType: 'image/png' };
    expect(await eve.call('POST', '/get-upload-url', file)).toMatchObject({ status: 404 });
    expect(await ada.call('POST', '/get-upload-url', file, { 'x-service-key': '' })).toMatchObject({ status: 401 });
    expect(await ours.media(ada, file.postGroupId)).toEqual([]);
  });

  test('refuses another content type, and any upload after an hour', async () => {
    const { uploadUrl, fileUrl } = await ours.anAddress(ada, await ours.aDraft(ada));
    expect((await ours.put(uploadUrl, image, 'image/jpeg')).status).toBe(403);
    // S3 uses the machine's clock, which keeps running. This leaves a minute for a slow machine.
    ours.advance(3540);
    expect((await ours.put(uploadUrl, image)).status).toBe(200);
    const late = await ours.anAddress(ada, await ours.aDraft(ada));
    ours.advance(3602);
    expect((await ours.put(late.uploadUrl, image)).status).toBe(403);
    // The service's own requests to S3 are signed with the machine's clock.
    ours.s3?.advance(-3540 - 3602);
    expect((await fetch(ours.reach(late.fileUrl))).status).toBe(404);
    expect((await fetch(ours.reach(fileUrl))).status).toBe(200);
  });

  test('for a file of another name is refused', async () => {
    const { uploadUrl } = await ours.anAddress(ada, await ours.aDraft(ada));
    expect((await ours.put(uploadUrl.replace('a_photo', 'b_photo'), image)).status).toBe(403);
  });

  test('returns a scheduled post to draft, with answer, log and event', async () => {
    const postGroupId = await aScheduledPost();
    const { mediaId, ...answer } = await ours.anAddress(ada, postGroupId);
    expect(answer).toMatchObject({ success: true, postGroupDemoted: true, message: demotedMessage });
    const { body } = await ada.call('GET', `/get-post/${postGroupId}`);
    expect(body).toMatchObject({
      status: 'draft',
      scheduledTime: expect.any(String),
      posts: [{ status: 'draft' }],
      media: [{ mediaId }],
    });
    expect(await ours.demotions(postGroupId)).toEqual([
      { postGroupId, reason: 'media_changed', changeType: 'attach', mediaFileId: mediaId },
    ]);
    const { logs } = (await ada.call('GET', `/post-logs/${postGroupId}`)).body;
    expect(logs.at(-1)).toMatchObject({ event: 'status_changed', metadata: { from: 'scheduled', to: 'draft' } });
  });

  test('is not created for a post that is published or being published', async () => {
    const platforms = [await ada.aConnection()];
    const { body } = await ada.call('POST', '/create-post', { content: `Out ${driver}`, platforms, publishNow: true });
    const file = { postGroupId: body.postGroupId, fileName: 'a.png', contentType: 'image/png' };
    const setTo = (status: string) =>
      ours.database.pool.query('update post_groups set processing_status = $2 where id = $1', [
        file.postGroupId,
        status,
      ]);
    await setTo('processing');
    expect(await ask(file)).toMatchObject({
      status: 409,
      body: {
        error: 'Publishing has already started; media cannot be changed. Duplicate the post to recover its content.',
        code: 'POST_PUBLISH_IN_PROGRESS',
      },
    });
    await setTo('pending');
    await publishDue(ours.app);
    expect(await ask(file)).toMatchObject({
      status: 400,
      body: { error: 'Cannot upload media: post is currently in published status', code: 'POST_NOT_EDITABLE' },
    });
    expect(await ours.media(ada, file.postGroupId)).toEqual([]);
  });

  describe('from the dashboard', () => {
    test('has the same result under other names, for a session', async () => {
      const session = await signedIn(ours, ada);
      const postGroupId = await aScheduledPost();
      const file = { fileName: 'a b.png', contentType: 'image/png', postGroupId, metadata: { width: 1 } };
      const { status, body } = await ada.call('POST', '/media/generate-upload-url', file, session);
      expect([status, Object.keys(body).sort()]).toEqual([
        200,
        ['key', 'mediaId', 'message', 'postGroupDemoted', 'uploadUrl'],
      ]);
      expect(body).toMatchObject({ key: expect.stringMatching(/^images\/.*-a_b\.png$/), message: demotedMessage });
      expect((await ours.put(body.uploadUrl, image)).status).toBe(200);
      expect(await ours.complete(ada, body.mediaId)).toMatchObject({ status: 200 });
    });

    test.each([
      ['no name', { fileName: '' }, 400, 'fileName and contentType are required'],
      ['no type', { contentType: undefined }, 400, 'fileName and contentType are required'],
      ['no post', { postGroupId: undefined }, 400, 'postGroupId is required'],
      ['a malformed post id', { postGroupId: 'x' }, 400, 'Invalid postGroupId'],
      ['a type that is no media', { contentType: 'text/html' }, 400, onlyMedia],
      ['an unknown post', { postGroupId: unknown }, 404, 'Post group not found'],
    ])('is not created for %s', async (_, change, status, error) => {
      const session = await signedIn(ours, ada);
      const sent = { fileName: 'a.png', contentType: 'image/png', postGroupId: await ours.aDraft(ada), ...change };
      const answer = await ada.call('POST', '/media/generate-upload-url', sent, session);
      expect(answer).toMatchObject({ status, body: { error } });
    });

    test('is not created with an API key or for a post of another user', async () => {
      const file = { fileName: 'a.png', contentType: 'image/png', postGroupId: await ours.aDraft(ada) };
      expect((await ada.call('POST', '/media/generate-upload-url', file)).status).toBe(401);
      const session = await signedIn(ours, await ours.aUser());
      expect((await ada.call('POST', '/media/generate-upload-url', file, session)).status).toBe(404);
    });
  });
});
