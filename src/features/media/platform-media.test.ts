import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anImage, type TestFile } from '../../../test/support/files/media.ts';
import { publishDue } from '../../../test/support/publishing/publish-due.ts';
import { serveCounted } from '../../../test/support/servers/egress.ts';
import type { SandboxPost } from '../../../test/support/servers/sandbox.ts';
import { type MediaService, mediaService, signedIn } from '../../../test/support/service/media-service.ts';
import type { TestUser } from '../../../test/support/service/service.ts';
import { connectSandboxAccount } from '../connections/connect/sandbox.ts';

let ours: MediaService;
let ada: TestUser;
let pictures: TestFile[];
/** Calls `meanwhile` before it sends an image. */
let slowWeb: Awaited<ReturnType<typeof serveCounted>>;
let meanwhile: () => Promise<unknown> = async () => {};
beforeAll(async () => {
  pictures = await Promise.all([640, 660, 680].map((width) => anImage({ width })));
  slowWeb = await serveCounted((_, response) => void meanwhile().then(() => response.end(pictures[0]!.bytes)));
  ours = await mediaService('disk', { environment: { EGRESS_ALLOW: slowWeb.place } });
  ada = await ours.aUser({ plan: 'pro' });
});
afterAll(async () => {
  await ours.close();
  await slowWeb[Symbol.asyncDispose]();
});

const unknown = 'a'.repeat(24);
const update = (postGroupId: string, change: object, by = ada) => by.call('PUT', `/update-post/${postGroupId}`, change);
const change = (mediaId: string, body: object) => ada.call('PATCH', `/media/${mediaId}`, body);
const read = async (postGroupId: string) => (await ada.call('GET', `/get-post/${postGroupId}`)).body;
const inAnHour = () => new Date(ours.clock.now().getTime() + 3_600_000).toISOString();
const refusal = (error: string) => ({
  status: 400,
  body: { error, code: 'INVALID_PLATFORM_MEDIA', field: 'platformMedia' },
});

async function aPost(files = pictures.length, platforms: readonly ('mastodon' | 'bluesky' | 'instagram')[] = two) {
  const chosen = await Promise.all(platforms.map(aConnection));
  const { postGroupId } = (await ada.call('POST', '/create-post', { content: 'Draft', platforms: chosen })).body;
  const mediaIds: string[] = [];
  for (const { bytes } of pictures.slice(0, files)) {
    mediaIds.push((await ours.aReadyFile(ada, bytes, { postGroupId, contentType: 'image/jpeg' })).mediaId);
  }
  return { postGroupId, mediaIds, one: chosen[0]!, other: chosen[1]! };
}
const two = ['mastodon', 'bluesky'] as const;

let accounts = 0;
/** An account that exists on the simulated network. */
async function aConnection(platform: 'mastodon' | 'bluesky' | 'instagram') {
  if (platform !== 'bluesky') return ada.aConnection(platform);
  accounts += 1;
  const account = { platform, handle: `pictures-${accounts}` };
  return (await connectSandboxAccount(ours.app, ours.sandbox.url, ada.id, account)).platformId;
}

/** The list of each target. Undefined: the shared files. */
const lists = async (postGroupId: string) =>
  (await read(postGroupId)).posts.map(({ mediaIds }: { mediaIds?: string[] }) => mediaIds);

async function schedule(postGroupId: string, more: object = {}) {
  expect(await update(postGroupId, { status: 'scheduled', scheduledTime: inAnHour(), ...more })).toMatchObject({
    status: 200,
  });
}

/** Publishes the post, and returns the names of the pictures that each network has got, in order. */
async function published(postGroupId: string) {
  const content = `Different pictures ${postGroupId}`;
  expect(await update(postGroupId, { content, publishNow: true })).toMatchObject({ status: 200 });
  await publishDue(ours.app);
  expect((await read(postGroupId)).status).toBe('published');
  return shownOn(content);
}

async function shownOn(content: string) {
  const on = async (network: string) => {
    const found = await ours.sandbox.control<SandboxPost[]>('GET', `/posts?network=${network}`);
    return found
      .filter(({ text }) => text === content)
      .map(({ media }) => [
        network,
        media.map(({ sha256 }) => pictures.findIndex((picture) => picture.sha256 === sha256)),
      ]);
  };
  return Object.fromEntries([...(await on('mastodon')), ...(await on('bluesky'))]);
}

describe('platformMedia', () => {
  test('[platform-media.publishing] two networks get different files, each in its order', async () => {
    const { postGroupId, mediaIds, one, other } = await aPost();
    const platformMedia = { [one]: [mediaIds[2], mediaIds[0]], [other]: [mediaIds[1]] };
    expect(await update(postGroupId, { platformMedia })).toMatchObject({ status: 200 });
    expect(await published(postGroupId)).toEqual({ mastodon: [2, 0], bluesky: [1] });
  });

  test('[platform-media.none] an empty list sends no file', async () => {
    const { postGroupId, one } = await aPost(1);
    await update(postGroupId, { platformMedia: { [one]: [] } });
    expect(await published(postGroupId)).toEqual({ mastodon: [], bluesky: [0] });
  });

  test('[platform-media.shared] null gives the shared files again, and others stay as they are', async () => {
    const { postGroupId, mediaIds, one, other } = await aPost();
    await update(postGroupId, { platformMedia: { [one]: [mediaIds[1]!], [other]: [] } });
    await update(postGroupId, { platformMedia: { [one]: null } });
    await update(postGroupId, { content: 'Another text' });
    expect(await lists(postGroupId)).toEqual([undefined, []]);
    expect(await published(postGroupId)).toEqual({ mastodon: [0, 1, 2], bluesky: [] });
  });

  test('a target without a list has no mediaIds in get-post', async () => {
    const { postGroupId, mediaIds, other } = await aPost(1);
    await update(postGroupId, { platformMedia: { [other]: [mediaIds[0]!.toUpperCase()] } });
    const [first, second] = (await read(postGroupId)).posts;
    expect(first).not.toHaveProperty('mediaIds');
    expect(second.mediaIds).toEqual(mediaIds);
    const editable = await ada.call('GET', `/dashboard/posts/${postGroupId}`, undefined, await signedIn(ours, ada));
    expect(editable.body.platformMedia).toEqual({ [other]: mediaIds });
  });

  test('[platform-media.file] only files of the post are accepted', async () => {
    const [{ postGroupId, one }, elsewhere] = [await aPost(1), await aPost(1)];
    const eve = await ours.aUser();
    const { mediaId: hers } = await ours.aReadyFile(eve, pictures[0]!.bytes, { contentType: 'image/jpeg' });
    for (const id of [unknown, elsewhere.mediaIds[0]!, hers]) {
      const expected = refusal(`platformMedia names the file ${id}, which is not a file of this post`);
      expect(await update(postGroupId, { platformMedia: { [one]: [id] } })).toMatchObject(expected);
      const post = { content: 'x', platforms: [one], platformMedia: { [one]: [id] } };
      expect(await ada.call('POST', `/validate-post?postGroupId=${postGroupId}`, post)).toMatchObject(expected);
      expect(await ada.call('POST', '/create-post', post)).toMatchObject(expected);
    }
    expect(await lists(postGroupId)).toEqual([undefined, undefined]);
    expect((await update(postGroupId, { platformMedia: {} }, eve)).status).toBe(404);
  });

  test('[platform-media.connection] only connections of the post are accepted', async () => {
    const { postGroupId, mediaIds } = await aPost(1);
    const another = await ada.aConnection('telegram');
    const answer = await update(postGroupId, { platformMedia: { [another]: mediaIds } });
    expect(answer).toMatchObject(refusal(`platformMedia names ${another}, which is not in platforms`));
  });

  test.for([
    7,
    [],
    { a: 'b' },
    { a: [7] },
    { a: ['x'] },
    { a: [unknown, unknown] },
    { a: Array.from({ length: 101 }, (_, index) => index.toString(16).padStart(24, '0')) },
  ])('[platform-media.invalid] %j is refused', async (platformMedia) => {
    const { postGroupId, one } = await aPost(0);
    const expected = refusal(
      'platformMedia must be an object with null, or a list of up to 100 different media ids, for each connection id',
    );
    expect(await update(postGroupId, { platformMedia })).toMatchObject(expected);
    expect(await ada.call('POST', '/create-post', { content: 'x', platforms: [one], platformMedia })).toMatchObject(
      expected,
    );
  });

  test('[platform-media.too-many] all lists of a post together are bounded', async () => {
    const platforms: string[] = [];
    for (let index = 0; index < 101; index += 1) platforms.push(await ada.aConnection('mastodon'));
    const { postGroupId } = (await ada.call('POST', '/create-post', { content: 'Draft', platforms })).body;
    const ids = Array.from({ length: 100 }, (_, index) => index.toString(16).padStart(24, '0'));
    await ours.database.pool.query('update post_groups set media_ids = $2 where id = $1', [postGroupId, ids]);
    const platformMedia = (from: number, to: number) =>
      Object.fromEntries(platforms.slice(from, to).map((id) => [id, ids]));
    expect((await update(postGroupId, { platformMedia: platformMedia(0, 50) })).status).toBe(200);
    expect((await update(postGroupId, { platformMedia: platformMedia(50, 100) })).status).toBe(200);
    expect(await update(postGroupId, { platformMedia: platformMedia(100, 101) })).toMatchObject(
      refusal('The lists of a post in platformMedia can have at most 10000 files together'),
    );
    const replaced = { [platforms[0]!]: null, ...platformMedia(100, 101) };
    expect((await update(postGroupId, { platformMedia: replaced })).status).toBe(200);
  });

  test('[platform-media.create] create-post can send no file to a connection', async () => {
    const platforms = [await ada.aConnection('mastodon'), await ada.aConnection('bluesky')];
    const post = {
      content: 'Text only on one',
      platforms,
      platformMedia: { [platforms[0]!]: [], [platforms[1]!]: null },
    };
    const { body } = await ada.call('POST', '/create-post', { ...post, mediaUrls: [`${slowWeb.url}/a.jpg`] });
    expect(await lists(body.postGroupId)).toEqual([[], undefined]);
    const plain = await ada.call('POST', '/create-post', { ...post, content: 'Without files' });
    expect(await lists(plain.body.postGroupId)).toEqual([[], undefined]);
  });

  test('[platform-media.removed-connection] a connection that is removed and added again has no list', async () => {
    const { postGroupId, mediaIds, one, other } = await aPost();
    await update(postGroupId, { platformMedia: { [one]: [mediaIds[0]], [other]: [mediaIds[1]] } });
    await update(postGroupId, { platforms: [other] });
    await update(postGroupId, { platforms: [one, other] });
    expect(await lists(postGroupId)).toEqual([undefined, [mediaIds[1]]]);
  });

  test('[platform-media.validation] each target is validated with its own files', async () => {
    const { postGroupId, mediaIds, one, other } = await aPost(1, ['instagram', 'mastodon']);
    const post = { content: 'x', platforms: [one, other] };
    const validate = async (platformMedia: object) => {
      const { body } = await ada.call('POST', `/validate-post?postGroupId=${postGroupId}`, { ...post, platformMedia });
      return body.validation.errors.map(({ platform, code }: { platform: string; code: string }) => [platform, code]);
    };
    expect(await validate({ [other]: [] })).toEqual([]);
    expect(await validate({ [one]: [] })).toEqual([['instagram', 'MEDIA_REQUIRED']]);
    const refused = await update(postGroupId, { publishNow: true, platformMedia: { [one]: [] } });
    expect(refused.body.validation.errors).toMatchObject([{ platform: 'instagram', code: 'MEDIA_REQUIRED' }]);
    expect(await lists(postGroupId)).toEqual([undefined, undefined]);
    await schedule(postGroupId, { platformMedia: { [one]: mediaIds, [other]: [] } });
  });

  test('[platform-media.scheduled] a scheduled post stays scheduled and is validated again', async () => {
    const { postGroupId, mediaIds, one } = await aPost(1, ['instagram', 'mastodon']);
    await schedule(postGroupId);
    const refused = await update(postGroupId, { platformMedia: { [one]: [] } });
    expect(refused.body.validation.errors).toMatchObject([{ code: 'MEDIA_REQUIRED' }]);
    expect(await update(postGroupId, { platformMedia: { [one]: mediaIds } })).toMatchObject({ status: 200 });
    expect(await read(postGroupId)).toMatchObject({ status: 'scheduled', posts: [{ mediaIds }, {}] });
    expect(await ours.demotions(postGroupId)).toEqual([]);
  });

  test('a file that goes to no target need not be ready', async () => {
    const { postGroupId, mediaIds, one, other } = await aPost(1);
    await ours.anAddress(ada, postGroupId);
    const platformMedia = { [one]: mediaIds, [other]: mediaIds };
    const refused = await update(postGroupId, { publishNow: true, platformMedia: { [one]: mediaIds } });
    expect(refused).toMatchObject({ status: 503, body: { code: 'MEDIA_UPLOAD_PENDING' } });
    await update(postGroupId, { platformMedia });
    expect(await published(postGroupId)).toEqual({ mastodon: [0], bluesky: [0] });
  });
});

describe('a file that is not shared', () => {
  test('[media-record.shared] goes only to connections that list it', async () => {
    const { postGroupId, mediaIds, other } = await aPost();
    expect(await change(mediaIds[2]!, { shared: false })).toMatchObject({ body: { media: { shared: false } } });
    await update(postGroupId, { platformMedia: { [other]: [mediaIds[2], mediaIds[0]] } });
    expect((await ours.media(ada, postGroupId)).map(({ shared }) => shared)).toEqual([true, true, false]);
    expect(await published(postGroupId)).toEqual({ mastodon: [0, 1], bluesky: [2, 0] });
  });

  test('is added as such by every request that adds a file', async () => {
    const { postGroupId, mediaIds } = await aPost(1);
    const upload = { postGroupId, fileName: 'a.jpg', contentType: 'image/jpeg', shared: false };
    await ada.call('POST', '/get-upload-url', upload);
    await ada.call('POST', '/media/generate-upload-url', upload, await signedIn(ours, ada));
    const file = { download_url: `${slowWeb.url}/b.jpg`, file_id: 'b' };
    await ada.call('POST', `/attach-media/${postGroupId}`, { file, shared: false });
    await ada.call('POST', `/post/${postGroupId}/media`, { mediaIds, shared: false });
    expect((await ours.media(ada, postGroupId)).map(({ shared }) => shared)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  test('is shared in the other posts to which it is attached', async () => {
    const [from, to] = [await aPost(1), await aPost(0)];
    await change(from.mediaIds[0]!, { shared: false });
    expect(await ada.call('POST', `/post/${to.postGroupId}/media`, { mediaIds: from.mediaIds })).toMatchObject({
      status: 200,
    });
    expect(await ours.media(ada, to.postGroupId)).toMatchObject([{ shared: true }]);
    expect(await ours.media(ada, from.postGroupId)).toMatchObject([{ shared: false }]);
  });

  test('needs a post', async () => {
    const upload = { fileName: 'a.jpg', contentType: 'image/jpeg' };
    const { mediaId } = (await ada.call('POST', '/media', upload)).body;
    const error = 'The file belongs to no post. Send shared with the request that attaches it to one.';
    expect(await change(mediaId, { shared: false })).toMatchObject({ status: 400, body: { error, field: 'shared' } });
  });

  test.for(['false', 0, null])('%j is refused', async (shared) => {
    const { postGroupId, mediaIds } = await aPost(1);
    const invalid = { status: 400, body: { error: 'shared must be true or false', field: 'shared' } };
    const upload = { postGroupId, fileName: 'a.jpg', contentType: 'image/jpeg', shared };
    expect(await change(mediaIds[0]!, { shared })).toMatchObject(invalid);
    expect(await ada.call('POST', '/get-upload-url', upload)).toMatchObject(invalid);
    expect(await ada.call('POST', `/post/${postGroupId}/media`, { mediaIds, shared })).toMatchObject(invalid);
  });

  test('[media-record.shared-demotes] a change returns a scheduled post to draft, once', async () => {
    const { postGroupId, mediaIds } = await aPost();
    await schedule(postGroupId);
    expect((await change(mediaIds[0]!, { shared: true, altText: 'Same' })).body).not.toHaveProperty('postGroupDemoted');
    expect((await change(mediaIds[0]!, { shared: false })).body).toMatchObject({ postGroupDemoted: true });
    expect((await read(postGroupId)).status).toBe('draft');
    expect(await ours.demotions(postGroupId)).toMatchObject([
      { changeType: 'detach', reason: 'media_changed', mediaFileId: mediaIds[0] },
    ]);
  });

  test('does not count as missing alt text limits of networks that do not get it', async () => {
    const { postGroupId, mediaIds, other } = await aPost(2);
    await change(mediaIds[1]!, { shared: false });
    await update(postGroupId, { platformMedia: { [other]: [mediaIds[1]] } });
    await schedule(postGroupId);
    expect(await change(mediaIds[1]!, { altText: 'a'.repeat(1600) })).toMatchObject({ status: 200 });
    expect(await change(mediaIds[0]!, { altText: 'a'.repeat(1600) })).toMatchObject({ status: 400 });
  });
});

describe('while a post changes', () => {
  test('[platform-media.deleted-file] deleting a file removes it from the lists, also of a scheduled post', async () => {
    const { postGroupId, mediaIds, one, other } = await aPost();
    await schedule(postGroupId, { platformMedia: { [one]: [mediaIds[2], mediaIds[0]], [other]: [mediaIds[0]] } });
    const { body } = await ada.call('DELETE', `/media/${mediaIds[0]}`);
    expect(body).toMatchObject({ success: true, postGroupDemoted: true });
    expect(await lists(postGroupId)).toEqual([[mediaIds[2]], []]);
    expect(await published(postGroupId)).toEqual({ mastodon: [2], bluesky: [] });
  });

  test('so does removing the reference to a missing file', async () => {
    const { postGroupId, mediaIds, one } = await aPost(2);
    await update(postGroupId, { platformMedia: { [one]: [mediaIds[1], mediaIds[0]] } });
    await ours.database.pool.query('delete from media where id = $1', [mediaIds[1]]);
    await ada.call('DELETE', `/post/${postGroupId}/media/${mediaIds[1]}`);
    expect(await lists(postGroupId)).toEqual([[mediaIds[0]], undefined]);
  });

  test('a listed file that is lost after scheduling returns the post to draft', async () => {
    const { postGroupId, mediaIds, one } = await aPost(2);
    await change(mediaIds[1]!, { shared: false });
    await schedule(postGroupId, { platformMedia: { [one]: [mediaIds[1]] } });
    await ours.database.pool.query('delete from media where id = $1', [mediaIds[1]]);
    ours.advance(3600);
    await publishDue(ours.app);
    expect((await read(postGroupId)).status).toBe('draft');
    expect(await ours.demotions(postGroupId)).toMatchObject([
      { errorCode: 'MEDIA_REFERENCE_MISSING', mediaFileId: mediaIds[1] },
    ]);
  });

  test('a list that was chosen before a file was deleted is not stored', async () => {
    const { postGroupId, mediaIds, one } = await aPost(2);
    meanwhile = () => ada.call('DELETE', `/media/${mediaIds[1]}`);
    const answer = await update(postGroupId, {
      platformMedia: { [one]: [mediaIds[1]] },
      mediaUrls: [`${slowWeb.url}/slow.jpg`],
    });
    meanwhile = async () => {};
    expect([answer.status, answer.body.code]).toEqual([409, 'POST_GROUP_VERSION_CONFLICT']);
    expect(await lists(postGroupId)).toEqual([undefined, undefined]);
  });

  test('[platform-media.publishing-started] nothing changes the files of a post that is being published', async () => {
    const { postGroupId, mediaIds, one } = await aPost(2);
    await schedule(postGroupId, { platformMedia: { [one]: [mediaIds[1]] } });
    await ours.database.pool.query(`update post_groups set processing_status = 'processing' where id = $1`, [
      postGroupId,
    ]);
    const started = { status: 409, body: { code: 'POST_PUBLISH_IN_PROGRESS' } };
    expect(await update(postGroupId, { platformMedia: { [one]: null } })).toMatchObject(started);
    expect(await change(mediaIds[1]!, { shared: false })).toMatchObject(started);
    expect(await ada.call('DELETE', `/media/${mediaIds[1]}`)).toMatchObject(started);
    expect(await lists(postGroupId)).toEqual([[mediaIds[1]], undefined]);
    expect((await ours.media(ada, postGroupId)).map(({ shared }) => shared)).toEqual([true, true]);
  });

  test('an edit that has read the post before its publishing started is refused', async () => {
    const { postGroupId, mediaIds, one } = await aPost(1);
    const content = `Different pictures ${postGroupId}`;
    await schedule(postGroupId, { content });
    ours.advance(3600);
    meanwhile = () => publishDue(ours.app);
    const answer = await update(postGroupId, { platformMedia: { [one]: [] }, mediaUrls: [`${slowWeb.url}/slow.jpg`] });
    meanwhile = async () => {};
    expect([answer.status, await lists(postGroupId)]).toEqual([409, [undefined, undefined]]);
    expect(await shownOn(content)).toEqual({ mastodon: [0], bluesky: [0] });
    expect(mediaIds).toHaveLength(1);
  });

  test('a retry sends the files of its target', async () => {
    const { postGroupId, mediaIds, one } = await aPost(2);
    const content = `Different pictures ${postGroupId}`;
    await update(postGroupId, { content, platformMedia: { [one]: [mediaIds[1]] } });
    const fault = { network: 'mastodon', operation: 'publish', kind: 'status', status: 503, times: 1 };
    await ours.sandbox.control('POST', '/faults', fault);
    await update(postGroupId, { publishNow: true });
    await publishDue(ours.app);
    expect(await shownOn(content)).toEqual({ bluesky: [0, 1] });
    ours.advance(60);
    await publishDue(ours.app);
    expect(await shownOn(content)).toEqual({ mastodon: [1], bluesky: [0, 1] });
  });
});
