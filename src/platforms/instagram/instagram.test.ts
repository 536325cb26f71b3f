import { expect, test } from 'vitest';
import { anImage, aVideo, type TestFile } from '../../../test/support/files/media.ts';
import { failureOf, platformStage, standingClock, toTheEnd } from '../../../test/support/stages/platform.ts';
import { RetryLater } from '../kit/steps.ts';
import type { Post } from './container.ts';
import { instagram } from './index.ts';

const clock = standingClock();
const { sandbox, aMember, aPost, content, media, postsOf } = platformStage(instagram, {
  now: clock.now,
});
type Run = ReturnType<typeof aPost>;
const publish = (post: Post, run: Run) => toTheEnd(() => instagram.publish(post, run()), clock.skip);
const shown = ({ sha256, kind }: TestFile) => ({ sha256, kind });

test('a Reel arrives with its cover, and off the feed', async () => {
  const member = await aMember();
  const video = aVideo();
  const cover = (await media(await anImage()).url()).href;
  const remote = await publish(content('Video', { shareToFeed: false, coverUrl: cover }, [video]), aPost(member));
  const [post] = await postsOf(member);
  expect(post).toMatchObject({ id: remote.id, text: 'Video', media: [shown(video)], url: remote.url });
  expect(post?.request.body).toMatchObject({
    container: { media_type: 'REELS', share_to_feed: 'false', cover_url: cover },
  });
  expect(remote.url).toMatch(/^https:\/\/www\.instagram\.com\/reel\/[\w-]+\/$/);
});

test.for([
  ['an image', anImage],
  ['a video', aVideo],
] as const)('%s can be a story', async ([, make]) => {
  const member = await aMember();
  const file = await make();
  const remote = await publish(content('Not shown', { videoType: 'STORIES' }, [file]), aPost(member));
  expect(await postsOf(member)).toMatchObject([{ id: remote.id, text: '', media: [shown(file)] }]);
  expect(remote.url).toMatch(/\/stories\//);
});

test('a story in doubt is found, and not taken for the one before', async () => {
  const member = await aMember();
  const story = async () => content('', { videoType: 'STORIES' }, [await anImage()]);
  const first = await publish(await story(), aPost(member));
  const [second, run] = [await story(), aPost(member)];
  await sandbox().fault({ operation: 'publish', kind: 'reset_after' });
  await failureOf(publish(second, run));
  const remote = await publish(second, run);
  expect((await postsOf(member)).map(({ id }) => id)).toEqual([first.id, remote.id]);
});

test('of two posts with the same text, the one in doubt is found', async () => {
  const member = await aMember();
  const first = await publish(content('Again', {}, [await anImage()]), aPost(member));
  const [second, run] = [content('Again', {}, [await anImage()]), aPost(member)];
  await sandbox().fault({ operation: 'publish', kind: 'reset_after' });
  await failureOf(publish(second, run));
  const remote = await publish(second, run);
  expect((await postsOf(member)).map(({ id }) => id)).toEqual([first.id, remote.id]);
});

test('a carousel holds images and videos, in order', async () => {
  const member = await aMember();
  const files = [await anImage(), aVideo(), await anImage()];
  const remote = await publish(content('Mixed', {}, files), aPost(member));
  expect(await postsOf(member)).toMatchObject([{ id: remote.id, text: 'Mixed', media: files.map(shown) }]);
});

test('a video whose container expired while it waited gets another one', async () => {
  const member = await aMember();
  const [post, run] = [content('Slow', {}, [aVideo()]), aPost(member)];
  await expect(instagram.publish(post, run())).rejects.toBeInstanceOf(RetryLater);
  clock.skip(25 * 3600);
  const remote = await publish(post, run);
  expect(await postsOf(member)).toMatchObject([{ id: remote.id, text: 'Slow' }]);
});

test('an image that Instagram does not accept is rejected with the reason', async () => {
  const member = await aMember();
  const failure = await failureOf(
    publish(content('No', {}, [await anImage({ width: 1600, height: 320 })]), aPost(member)),
  );
  expect(failure).toMatchObject({ kind: 'rejected', message: expect.stringContaining('ratio') });
});

test('a file that Instagram cannot download may succeed later', async () => {
  const member = await aMember();
  const [image] = content('', {}, [await anImage()]).media;
  const gone = { ...image!, url: async () => new URL('http://127.0.0.1:1/gone.jpg') };
  const failure = await failureOf(publish({ ...content('Gone'), media: [gone] }, aPost(member)));
  expect(failure).toMatchObject({ kind: 'unavailable', mayHaveHappened: false });
});
