import { expect, test } from 'vitest';
import { anImage, aVideo, type TestFile } from '../../../test/support/files/media.ts';
import { failureOf, type Member, platformStage, toTheEnd } from '../../../test/support/stages/platform.ts';
import type { Credentials } from './api.ts';
import { tiktok } from './index.ts';
import { publish } from './publish.ts';

const { sandbox, aMember, aPost, content, postsOf } = platformStage(tiktok);
type Settings = Parameters<typeof content>[1];

async function posted(member: Member<Credentials>, settings: Settings, files: TestFile[] = [aVideo()]) {
  const run = aPost(member);
  const remote = await toTheEnd(() => publish(content('Hello', settings, files), run()));
  const post = (await postsOf(member)).at(-1);
  return { remote, post, sent: post?.request.body as { post_info?: unknown } | undefined };
}

const initCount = async () => (await sandbox().requests()).filter(({ path }) => path.endsWith('/init/')).length;

test('a video is initiated with its text, its settings and its chunks', async () => {
  const video = aVideo();
  const { sent, remote, post } = await posted(await aMember(), {}, [video]);
  expect(sent).toEqual({
    post_info: {
      title: 'Hello',
      privacy_level: 'PUBLIC_TO_EVERYONE',
      disable_comment: false,
      disable_duet: true,
      disable_stitch: true,
      brand_content_toggle: false,
      brand_organic_toggle: false,
    },
    source_info: {
      source: 'FILE_UPLOAD',
      video_size: video.bytes.length,
      chunk_size: video.bytes.length,
      total_chunk_count: 1,
    },
  });
  expect(remote).toEqual({ id: post?.id, url: post?.url });
});

test('images are initiated by their addresses, with the text as the description', async () => {
  const member = await aMember();
  const files = [await anImage(), await anImage()];
  const { sent, remote, post } = await posted(member, { allowComments: false }, files);
  expect(sent).toEqual({
    media_type: 'PHOTO',
    post_mode: 'DIRECT_POST',
    post_info: {
      description: 'Hello',
      privacy_level: 'PUBLIC_TO_EVERYONE',
      disable_comment: true,
      brand_content_toggle: false,
      brand_organic_toggle: false,
    },
    source_info: {
      source: 'PULL_FROM_URL',
      photo_images: files.map(({ sha256 }) => expect.stringMatching(new RegExp(`/${sha256}$`))),
      photo_cover_index: 0,
    },
  });
  expect(remote).toEqual({ id: post?.id, url: post?.url });
  expect(remote.url).toContain('/photo/');
});

test.for<[Settings, Record<string, unknown>]>([
  [{ allowComments: false }, { disable_comment: true }],
  [{ allowDuet: true }, { disable_duet: false, disable_stitch: true }],
  [{ allowStitch: true }, { disable_duet: true, disable_stitch: false }],
  [{ viewerSetting: 'MUTUAL_FOLLOW_FRIENDS' }, { privacy_level: 'MUTUAL_FOLLOW_FRIENDS' }],
  [
    { commercialContent: true, brandOrganic: true },
    { brand_organic_toggle: true, brand_content_toggle: false },
  ],
  [
    { commercialContent: true, brandedContent: true },
    { brand_organic_toggle: false, brand_content_toggle: true },
  ],
  [
    { commercialContent: false, brandOrganic: true, brandedContent: true },
    { brand_organic_toggle: false, brand_content_toggle: false },
  ],
])('%j is sent', async ([settings, sentInfo]) => {
  const { sent } = await posted(await aMember(), settings);
  expect(sent?.post_info).toMatchObject(sentInfo);
});

test('what the creator has switched off is sent as off', async () => {
  const member = await aMember('quiet.private');
  const { sent } = await posted(member, { viewerSetting: 'SELF_ONLY', allowDuet: true, allowStitch: true });
  expect(sent?.post_info).toMatchObject({ privacy_level: 'SELF_ONLY', disable_duet: true, disable_stitch: true });
});

test('viewers that the account does not allow are refused with those it does, before anything is initiated', async () => {
  const member = await aMember('shy.private');
  const before = await initCount();
  const failure = await failureOf(publish(content('Hello', {}, [aVideo()]), aPost(member)()));
  expect(failure).toMatchObject({ kind: 'rejected', mayHaveHappened: false });
  expect(failure.message).toContain('Choose one of: FOLLOWER_OF_CREATOR, MUTUAL_FOLLOW_FRIENDS, SELF_ONLY.');
  expect(await initCount()).toBe(before);
});

test('branded content for the account alone is refused', async () => {
  const settings = { viewerSetting: 'SELF_ONLY', commercialContent: true, brandedContent: true } as const;
  const failure = await failureOf(publish(content('Ad', settings, [aVideo()]), aPost(await aMember())()));
  expect(failure).toMatchObject({ kind: 'rejected', message: expect.stringContaining('another viewerSetting') });
});

test('a video that is too long for the account is refused with the allowed length', async () => {
  const member = await aMember('brief.private');
  const video = { ...aVideo(), seconds: 181.4 };
  const before = await initCount();
  const post = content('Long', { viewerSetting: 'SELF_ONLY' }, [video]);
  const failure = await failureOf(publish(post, aPost(member)()));
  expect(failure).toMatchObject({ kind: 'too_large', message: expect.stringMatching(/181 seconds.*up to 180/) });
  expect(await initCount()).toBe(before);
});

test('an unaudited application is refused with the hint that only SELF_ONLY works, and that works', async () => {
  const member = await aMember('new.unaudited');
  const failure = await failureOf(publish(content('Hello', {}, [aVideo()]), aPost(member)()));
  expect(failure).toMatchObject({ kind: 'rejected', status: 403, message: expect.stringContaining('SELF_ONLY') });
  const { remote } = await posted(member, { viewerSetting: 'SELF_ONLY' });
  expect(remote.id).toMatch(/^v_pub_file~/);
});

test('a private post has the publish id, and the profile as its address', async () => {
  const member = await aMember();
  const { remote } = await posted(member, { viewerSetting: 'SELF_ONLY' });
  expect(remote).toEqual({
    id: expect.stringMatching(/^v_pub_file~/),
    url: `https://www.tiktok.com/@${member.made.handle}`,
  });
});

test.for([
  ['accepted before the connection was lost', 'reset_after', 1],
  ['may not have read', 'reset_before', 0],
] as const)('images that TikTok %s have an unknown outcome for good', async ([, kind, kept]) => {
  const member = await aMember();
  const run = aPost(member);
  const post = content('Who knows', {}, [await anImage()]);
  await sandbox().fault({ operation: 'publish', kind });
  for (let time = 1; time <= 2; time += 1) {
    expect((await failureOf(publish(post, run()))).kind).toBe('unknown_outcome');
  }
  expect(await postsOf(member)).toHaveLength(kept);
});

test('an error before the images are initiated leaves nothing in doubt', async () => {
  const member = await aMember();
  const run = aPost(member);
  const post = content('Later', {}, [await anImage()]);
  await sandbox().fault({ operation: 'other', kind: 'status', status: 503 });
  const failure = await failureOf(publish(post, run()));
  expect(failure).toMatchObject({ kind: 'unavailable', status: 503, mayHaveHappened: false });
  await toTheEnd(() => publish(post, run()));
  expect(await postsOf(member)).toHaveLength(1);
});

test.for<[string, ('image' | 'video')[]]>([
  ['nothing', []],
  ['two videos', ['video', 'video']],
  ['an image beside a video', ['image', 'video']],
])('%s is rejected', async ([, kinds]) => {
  const files = await Promise.all(kinds.map((kind) => (kind === 'video' ? aVideo() : anImage())));
  const failure = await failureOf(publish(content('Mixed', {}, files), aPost(await aMember())()));
  expect(failure).toMatchObject({ kind: 'rejected', mayHaveHappened: false });
});
