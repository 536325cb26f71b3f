import { expect, test } from 'vitest';
import { anImage, aVideo } from '../../../test/support/media-files.ts';
import { memorySteps } from '../../../test/support/memory-steps.ts';
import { failureOf, platformStage, toTheEnd } from '../../../test/support/platform-stage.ts';
import { RetryLater } from '../kit/steps.ts';
import { mastodon } from './index.ts';
import { publish } from './publish.ts';

let laterMs = 0;
const now = () => Date.now() + laterMs;
const { sandbox, aMember, aPost, content, postsOf } = platformStage(mastodon, { now });
const hours = (count: number) => count * 3_600_000;

async function operationsOf(work: () => Promise<unknown>): Promise<string[]> {
  const before = (await sandbox().requests()).length;
  await work();
  return (await sandbox().requests()).slice(before).map(({ operation }) => operation);
}

test('a picture without a word is a status', async () => {
  const member = await aMember();
  const remote = await publish(content('', {}, [await anImage()]), aPost(member)());
  expect(await postsOf(member)).toMatchObject([{ id: remote.id, text: '', media: [{ kind: 'image' }] }]);
});

test('a file is described to those who cannot see it', async () => {
  const member = await aMember();
  const image = { ...(await anImage()), altText: 'Two cats "on" a sofa 🛋️' };
  const { id } = await publish(content('Look', {}, [image]), aPost(member)());
  const page = await fetch(sandbox().route(new URL(`https://mastodon.social/api/v1/statuses/${id}`)));
  expect(await page.json()).toMatchObject({ media_attachments: [{ description: image.altText }] });
});

test('a picture that is there at once is not asked for again', async () => {
  const member = await aMember();
  const post = content('Look', {}, [await anImage(), await anImage()]);
  expect(await operationsOf(() => publish(post, aPost(member)()))).toEqual(['upload', 'upload', 'publish']);
});

test('the worker is free while the server is at work on a video, and nothing is uploaded again', async () => {
  const member = await aMember();
  const [run, post] = [aPost(member), content('Film', {}, [aVideo()])];
  const first = await operationsOf(() => expect(publish(post, run())).rejects.toBeInstanceOf(RetryLater));
  expect(first).toEqual(['upload', 'status']);
  laterMs += 1000;
  expect(await operationsOf(() => publish(post, run()))).toEqual(['status', 'publish']);
});

test('a status with a video is found again, although the server no longer lists the file by itself', async () => {
  const member = await aMember();
  const run = aPost(member, memorySteps({ now: () => new Date(now()) }));
  const post = content('Film', {}, [aVideo()]);
  await sandbox().fault({ operation: 'publish', kind: 'reset_after' });
  await failureOf(toTheEnd(() => publish(post, run())));
  laterMs += hours(5);
  const remote = await publish(post, run());
  expect(await postsOf(member)).toMatchObject([{ id: remote.id, media: [{ kind: 'video' }] }]);
});

test('the same words with fewer pictures are not taken for ours', async () => {
  const member = await aMember();
  const run = aPost(member);
  const [one, two] = [await anImage(), await anImage()];
  await sandbox().fault({ operation: 'publish', kind: 'reset_before' });
  await failureOf(publish(content('Cats', {}, [one, two]), run()));
  await publish(content('Cats', {}, [one]), aPost(member)());
  await publish(content('Cats'), aPost(member)());
  const remote = await publish(content('Cats', {}, [one, two]), run());
  const posts = await postsOf(member);
  expect(posts.map(({ media }) => media.length)).toEqual([1, 0, 2]);
  expect(posts.at(-1)?.id).toBe(remote.id);
});

test('a file that the server has forgotten since is a clean failure, and nothing is posted', async () => {
  const member = await aMember();
  const [run, post] = [aPost(member), content('Old film', {}, [aVideo()])];
  await expect(publish(post, run())).rejects.toBeInstanceOf(RetryLater);
  laterMs += hours(25);
  expect(await failureOf(publish(post, run()))).toMatchObject({
    kind: 'rejected',
    message: 'Mastodon no longer has the files of this post. Post it anew.',
    reason: expect.stringMatching(/Media \d+ not found/),
  });
  expect(await postsOf(member)).toEqual([]);
});

test('a picture that the server fails at once is tried again', async () => {
  const member = await aMember();
  await sandbox().fault({ operation: 'upload', kind: 'processing_failed' });
  await publish(content('Second try', {}, [await anImage()]), aPost(member)());
  expect(await postsOf(member)).toMatchObject([{ text: 'Second try', media: [{ kind: 'image' }] }]);
});

test('a picture that the server fails twice is refused for good', async () => {
  const member = await aMember();
  await sandbox().fault({ operation: 'upload', kind: 'processing_failed', times: 2 });
  expect(await failureOf(publish(content('Broken', {}, [await anImage()]), aPost(member)()))).toMatchObject({
    kind: 'rejected',
    message: 'Mastodon cannot read a file of this post.',
    reason: 'Error processing thumbnail for uploaded media',
  });
  expect(await postsOf(member)).toEqual([]);
});

test('a file over what stands before the server lets pass is "too_large"', async () => {
  const member = await aMember();
  await sandbox().fault({ operation: 'upload', kind: 'status', status: 413 });
  const failure = await failureOf(publish(content('Large', {}, [aVideo()]), aPost(member)()));
  expect(failure).toMatchObject({ kind: 'too_large', mayHaveHappened: false });
});
