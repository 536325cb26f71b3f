import { createHash } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { aVideo, type TestFile } from '../../../test/support/files/media.ts';
import { memorySteps } from '../../../test/support/publishing/memory-steps.ts';
import { publishTwice } from '../../../test/support/publishing/overtaken-request.ts';
import { failureOf, platformStage, toTheEnd } from '../../../test/support/stages/platform.ts';
import { tiktok } from './index.ts';
import { publish } from './publish.ts';

const minuteMs = 60_000;
let offsetMs = 0;
beforeEach(() => {
  offsetMs = 0;
});
const { sandbox, aMember, aPost, content, postsOf } = platformStage(tiktok, { now: () => Date.now() + offsetMs });

/** The init calls and uploaded chunks. */
const callsSince = async (before: number) =>
  (await sandbox().requests())
    .slice(before)
    .map(({ operation }) => operation)
    .filter((operation) => operation === 'publish' || operation === 'upload');
const callCount = async () => (await sandbox().requests()).length;

function videoOf(bytes: number): TestFile {
  const video = aVideo();
  const longer = Buffer.concat([video.bytes, Buffer.alloc(bytes - video.bytes.length, bytes % 251)]);
  return { ...video, bytes: longer, sha256: createHash('sha256').update(longer).digest('hex') };
}
/** Two chunks; the second is longer. */
const inTwoChunks = () => content('In chunks', {}, [videoOf(25_000_000)]);
const sha256OfChunks = videoOf(25_000_000).sha256;

test('a large video is uploaded in chunks and arrives complete', async () => {
  const member = await aMember();
  const run = aPost(member);
  const before = await callCount();
  const remote = await toTheEnd(() => publish(inTwoChunks(), run()));
  expect(await callsSince(before)).toEqual(['publish', 'upload', 'upload']);
  expect(await postsOf(member)).toMatchObject([{ id: remote.id, media: [{ sha256: sha256OfChunks }] }]);
});

test.for([
  ['TikTok never read it', 'reset_before', ['upload']],
  ['TikTok has it', 'reset_after', []],
] as const)('an upload whose last chunk broke off is resumed where it stopped: %s', async ([, kind, sent]) => {
  const member = await aMember();
  const run = aPost(member);
  await sandbox().fault({ operation: 'upload', kind, skip: 1 });
  expect(await failureOf(publish(inTwoChunks(), run()))).toMatchObject({ kind: 'network', mayHaveHappened: true });
  const before = await callCount();
  const remote = await toTheEnd(() => publish(inTwoChunks(), run()));
  expect(await callsSince(before)).toEqual(sent);
  expect(await postsOf(member)).toMatchObject([{ id: remote.id, media: [{ sha256: sha256OfChunks }] }]);
});

test('a chunk that is still in flight when the next run sends it again creates no second post', async () => {
  const member = await aMember();
  const post = content('Overtaken', {}, [aVideo()]);
  const send = (ctx: Parameters<typeof publish>[1]) => publish(post, ctx);
  const remote = await publishTwice(tiktok, sandbox(), 'upload', aPost(member), send);
  expect(await postsOf(member)).toMatchObject([{ id: remote.id }]);
});

test('a process that dies after the last chunk leaves a post that the next run only waits for', async () => {
  const member = await aMember();
  const steps = memorySteps();
  const post = content('Killed', {}, [aVideo()]);
  // Another run takes over while the first sends its last chunk, so the first run's result is lost as if it had been
  // killed.
  await sandbox().fault({ operation: 'upload', kind: 'latency', latencyMs: 300 });
  const run = aPost(member, steps);
  const killed = publish(post, run()).catch((error: unknown) => error);
  await expect.poll(async () => (await postsOf(member)).length, { interval: 5 }).toBe(1);
  const next = run();
  await killed;
  const before = await callCount();
  const remote = await toTheEnd(() => publish(post, next));
  expect(await callsSince(before)).toEqual([]);
  expect(await postsOf(member)).toMatchObject([{ id: remote.id }]);
});

test('an upload that was never completed starts over once its address has expired', async () => {
  const member = await aMember();
  const run = aPost(member);
  await sandbox().fault({ operation: 'upload', kind: 'status', status: 503, skip: 1 });
  expect((await failureOf(publish(inTwoChunks(), run()))).kind).toBe('unavailable');
  offsetMs = 61 * minuteMs;
  const failure = await failureOf(publish(inTwoChunks(), run()));
  expect(failure).toMatchObject({ kind: 'unavailable', mayHaveHappened: false });
  const before = await callCount();
  const remote = await toTheEnd(() => publish(inTwoChunks(), run()));
  expect(await callsSince(before)).toEqual(['publish', 'upload', 'upload']);
  expect(await postsOf(member)).toMatchObject([{ id: remote.id, media: [{ sha256: sha256OfChunks }] }]);
});

test('an upload that was completed is not repeated, however late that is noticed', async () => {
  const member = await aMember();
  const run = aPost(member);
  const post = content('Long ago', {}, [aVideo()]);
  await sandbox().fault({ operation: 'upload', kind: 'reset_after' });
  await failureOf(publish(post, run()));
  offsetMs = 90 * minuteMs;
  const remote = await toTheEnd(() => publish(post, run()));
  expect(await postsOf(member)).toMatchObject([{ id: remote.id }]);
});

test('a video that TikTok rejects fails the post, and nothing is published', async () => {
  const member = await aMember();
  const steps = memorySteps();
  await sandbox().fault({ operation: 'upload', kind: 'status', status: 400 });
  const failure = await failureOf(publish(content('No', {}, [aVideo()]), aPost(member, steps)()));
  expect(failure).toMatchObject({ kind: 'rejected', status: 400, reason: expect.stringContaining('400') });
  expect(await postsOf(member)).toEqual([]);
});
