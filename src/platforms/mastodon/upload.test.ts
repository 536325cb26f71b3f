import { expect, test } from 'vitest';
import { z } from 'zod';
import { anImage, aVideo } from '../../../test/support/files/media.ts';
import { memorySteps } from '../../../test/support/publishing/memory-steps.ts';
import { failureOf, platformStage, standingClock, toTheEnd } from '../../../test/support/stages/platform.ts';
import { RetryLater } from '../kit/steps.ts';
import { mastodon } from './index.ts';
import { publish } from './publish.ts';

const { now, skip } = standingClock();
const { sandbox, aMember, aPost, content, postsOf } = platformStage(mastodon, { now });
const hours = (count: number) => count * 3600;

async function operationsOf(work: () => Promise<unknown>): Promise<string[]> {
  const before = (await sandbox().requests()).length;
  await work();
  return (await sandbox().requests()).slice(before).map(({ operation }) => operation);
}

test('an image needs no text', async () => {
  const member = await aMember();
  const remote = await publish(content('', {}, [await anImage()]), aPost(member)());
  expect(await postsOf(member)).toMatchObject([{ id: remote.id, text: '', media: [{ kind: 'image' }] }]);
});

test('a file has its alt text', async () => {
  const member = await aMember();
  const image = { ...(await anImage()), altText: 'Two cats "on" a sofa 🛋️' };
  const { id } = await publish(content('Look', {}, [image]), aPost(member)());
  const page = await fetch(sandbox().route(new URL(`https://mastodon.social/api/v1/statuses/${id}`)));
  expect(await page.json()).toMatchObject({ media_attachments: [{ description: image.altText }] });
});

test('on a server that stores files under their names, no image takes the place of another', async () => {
  const member = await aMember('ann@small.mastodon.example');
  const [first, second, third] = [await anImage(), await anImage(), await anImage()];
  await publish(content('Two', {}, [first, second]), aPost(member)());
  await publish(content('One', {}, [third]), aPost(member)());
  const shown = (await postsOf(member)).flatMap(({ media }) => media.map(({ sha256 }) => sha256));
  expect(shown).toEqual([first, second, third].map(({ sha256 }) => sha256));
});

test('a status with images is found again on a server that lists them under other ids', async () => {
  const member = await aMember('bob@small.mastodon.example');
  const run = aPost(member);
  const post = content('Cats', {}, [await anImage(), await anImage()]);
  await publish(content('Cats', {}, [await anImage(), await anImage()]), aPost(member)());
  await sandbox().fault({ operation: 'publish', kind: 'reset_after' });
  await failureOf(publish(post, run()));
  const remote = await publish(post, run());
  expect((await postsOf(member)).map(({ id }) => id)).toEqual([expect.any(String), remote.id]);
});

test('an image that is ready immediately is not checked again', async () => {
  const member = await aMember();
  const post = content('Look', {}, [await anImage(), await anImage()]);
  expect(await operationsOf(() => publish(post, aPost(member)()))).toEqual(['upload', 'upload', 'publish']);
});

test('the worker is free while the server processes a video, and nothing is uploaded again', async () => {
  const member = await aMember();
  const [run, post] = [aPost(member), content('Video', {}, [aVideo()])];
  const first = await operationsOf(() => expect(publish(post, run())).rejects.toBeInstanceOf(RetryLater));
  expect(first).toEqual(['upload', 'status']);
  skip(1);
  expect(await operationsOf(() => publish(post, run()))).toEqual(['status', 'publish']);
});

test('a video that an earlier version uploaded, which stored no time, is waited for', async () => {
  const [member, steps] = [await aMember(), memorySteps({ now: () => new Date(now()) })];
  const [run, post] = [aPost(member, steps), content('Video', {}, [aVideo()])];
  await expect(publish(post, run())).rejects.toBeInstanceOf(RetryLater);
  const store = steps.claim();
  const stored = z.object({ result: z.object({ id: z.string() }) }).parse(await store.begin('upload 0', false));
  await store.finish('upload 0', { id: stored.result.id, isReady: false }, true);
  await expect(publish(post, run())).rejects.toBeInstanceOf(RetryLater);
  skip(1);
  const remote = await publish(post, run());
  expect(await postsOf(member)).toMatchObject([{ id: remote.id }]);
});

test('a status with a video is found again although the file itself is no longer listed', async () => {
  const member = await aMember();
  const run = aPost(member, memorySteps({ now: () => new Date(now()) }));
  const post = content('Video', {}, [aVideo()]);
  await sandbox().fault({ operation: 'publish', kind: 'reset_after' });
  await failureOf(toTheEnd(() => publish(post, run()), skip));
  skip(hours(5));
  const remote = await publish(post, run());
  expect(await postsOf(member)).toMatchObject([{ id: remote.id, media: [{ kind: 'video' }] }]);
});

test('the same text with fewer images is not mistaken for ours', async () => {
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

test('a file that the server has deleted since fails the post, and nothing is posted', async () => {
  const member = await aMember();
  const [run, post] = [aPost(member), content('Old video', {}, [aVideo()])];
  await expect(publish(post, run())).rejects.toBeInstanceOf(RetryLater);
  skip(hours(25));
  expect(await failureOf(publish(post, run()))).toMatchObject({
    kind: 'rejected',
    message: 'Mastodon no longer has the media of this post. Publish the post again.',
    reason: expect.stringMatching(/Media \d+ not found/),
  });
  expect(await postsOf(member)).toEqual([]);
});

test('an image that the server fails to process is uploaded again', async () => {
  const member = await aMember();
  await sandbox().fault({ operation: 'upload', kind: 'processing_failed' });
  await publish(content('Second try', {}, [await anImage()]), aPost(member)());
  expect(await postsOf(member)).toMatchObject([{ text: 'Second try', media: [{ kind: 'image' }] }]);
});

test('an image that the server fails to process twice is rejected', async () => {
  const member = await aMember();
  await sandbox().fault({ operation: 'upload', kind: 'processing_failed', times: 2 });
  expect(await failureOf(publish(content('Broken', {}, [await anImage()]), aPost(member)()))).toMatchObject({
    kind: 'rejected',
    message: 'Mastodon could not read a file of this post. Check the file and upload it again.',
    reason: 'Error processing thumbnail for uploaded media',
  });
  expect(await postsOf(member)).toEqual([]);
});

test('a file that a proxy in front of the server refuses as too large is "too_large"', async () => {
  const member = await aMember();
  await sandbox().fault({ operation: 'upload', kind: 'status', status: 413 });
  const failure = await failureOf(publish(content('Large', {}, [aVideo()]), aPost(member)()));
  expect(failure).toMatchObject({ kind: 'too_large', mayHaveHappened: false });
});
