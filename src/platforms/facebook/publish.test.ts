import { describe, expect, test } from 'vitest';
import { anImage, aVideo } from '../../../test/support/files/media.ts';
import { failureOf, platformStage, toTheEnd } from '../../../test/support/stages/platform.ts';
import { facebook } from './index.ts';
import { publish } from './publish.ts';

const { sandbox, aMember, aPost, content, postsOf } = platformStage(facebook);
const bodyOf = (post: { request: { body: unknown } } | undefined) => post?.request.body;
const uploadCount = async () => (await sandbox().requests()).filter(({ path }) => /\/photos\b/.test(path)).length;

describe('a text', () => {
  test('is sent unchanged, and nothing else', async () => {
    const page = await aMember();
    const remote = await publish(content('Hello\n\nworld'), aPost(page)());
    const [post] = await postsOf(page);
    expect(bodyOf(post)).toEqual({ message: 'Hello\n\nworld' });
    expect(remote.id).toMatch(new RegExp(`^${page.account.id}_\\d+$`));
    expect(remote.url).toBe(post?.url);
  });

  test('with links shows a preview of the first one', async () => {
    const page = await aMember();
    const text = 'Hours: https://example.com/hours. Map: https://example.com/map';
    await publish(content(text), aPost(page)());
    expect(bodyOf((await postsOf(page))[0])).toEqual({ message: text, link: 'https://example.com/hours' });
  });

  test('is posted without a preview if Facebook refuses the link', async () => {
    const page = await aMember();
    const text = 'Our event: https://www.facebook.com/events/1';
    const remote = await publish(content(text), aPost(page)());
    const posts = await postsOf(page);
    expect(posts).toMatchObject([{ id: remote.id, text }]);
    expect(bodyOf(posts[0])).toEqual({ message: text });
  });

  test('that differs in a link only is not taken for the post', async () => {
    const page = await aMember();
    const run = aPost(page);
    await sandbox().fault({ operation: 'publish', kind: 'reset_before' });
    await failureOf(publish(content('Today: https://example.com/2'), run()));
    const other = await publish(content('Today: https://example.com/1'), aPost(page)());
    const remote = await publish(content('Today: https://example.com/2'), run());
    expect((await postsOf(page)).map(({ id }) => id)).toEqual([other.id, remote.id]);
  });
});

describe('photos', () => {
  test.for([1, 3])('%i of them are in one post with the unchanged text, without a preview', async (count) => {
    const page = await aMember();
    const files = await Promise.all(Array.from({ length: count }, () => anImage()));
    const text = 'Line one\nLine two https://example.com';
    const remote = await publish(content(text, {}, files), aPost(page)());
    const posts = await postsOf(page);
    expect(posts).toMatchObject([{ id: remote.id, text, media: files.map(({ sha256 }) => ({ sha256 })) }]);
    expect(bodyOf(posts[0])).toEqual({
      message: text,
      attached_media: files.map(() => ({ media_fbid: expect.stringMatching(/^\d+$/) })),
    });
  });

  test('need no text, and have their alt text', async () => {
    const page = await aMember();
    const file = { ...(await anImage()), altText: 'Harbour at dawn' };
    await publish(content('', {}, [file]), aPost(page)());
    const [post] = await postsOf(page);
    const { attached_media, ...others } = bodyOf(post) as { attached_media: { media_fbid: string }[] };
    expect(others).toEqual({});
    const address = new URL(`https://graph.facebook.com/v26.0/${attached_media[0]?.media_fbid}?fields=alt_text`);
    const headers = { authorization: `Bearer ${page.credentials.accessToken}` };
    const photo = await fetch(sandbox().route(address), { headers });
    expect(await photo.json()).toMatchObject({ alt_text: 'Harbour at dawn' });
  });

  test.for([1, 2])('%i in a post in doubt are recognised, without a second upload', async (count) => {
    const page = await aMember();
    const files = () => Promise.all(Array.from({ length: count }, () => anImage()));
    const run = aPost(page);
    const ours = content('', {}, await files());
    await sandbox().fault({ operation: 'publish', kind: 'reset_after' });
    await failureOf(publish(ours, run()));
    const other = await publish(content('', {}, await files()), aPost(page)());
    const uploads = await uploadCount();
    expect(uploads).toBeGreaterThanOrEqual(2 * count);
    const remote = await publish(ours, run());
    expect(await uploadCount()).toBe(uploads);
    expect((await postsOf(page)).map(({ id }) => id)).toEqual([remote.id, other.id]);
  });

  test('in another post with the same text are not taken for ours', async () => {
    const page = await aMember();
    const run = aPost(page);
    await sandbox().fault({ operation: 'publish', kind: 'reset_before' });
    await failureOf(publish(content('Look', {}, [await anImage()]), run()));
    const other = await publish(content('Look', {}, [await anImage()]), aPost(page)());
    const remote = await publish(content('Look', {}, [await anImage()]), run());
    expect((await postsOf(page)).map(({ id }) => id)).toEqual([other.id, remote.id]);
  });
});

test('a post with photos is not taken for one with the same text alone', async () => {
  const page = await aMember();
  const run = aPost(page);
  await sandbox().fault({ operation: 'publish', kind: 'reset_before' });
  await failureOf(publish(content('Look'), run()));
  const other = await publish(content('Look', {}, [await anImage()]), aPost(page)());
  const remote = await publish(content('Look'), run());
  expect((await postsOf(page)).map(({ id }) => id)).toEqual([other.id, remote.id]);
});

test('a request that is still in flight when the next run sends makes no second post', async () => {
  const page = await aMember();
  const run = aPost(page);
  await sandbox().fault({ operation: 'publish', kind: 'latency', latencyMs: 500 });
  await failureOf(publish(content('Overtaken'), run({ timeoutMs: 200 })));
  const remote = await publish(content('Overtaken'), run());
  // Once an equally slow request sent after it has its response, the slow request has arrived.
  await sandbox().fault({ operation: 'account', kind: 'latency', latencyMs: 500 });
  await facebook.testConnection(run());
  expect(await postsOf(page)).toMatchObject([{ id: remote.id }]);
});

test('a video among photos is rejected before anything is sent', async () => {
  const run = aPost(await aMember());
  const before = (await sandbox().requests()).length;
  const mixed = content('Mixed', {}, [await anImage(), aVideo()]);
  expect((await failureOf(toTheEnd(() => publish(mixed, run())))).kind).toBe('rejected');
  expect(await sandbox().requests()).toHaveLength(before);
});
