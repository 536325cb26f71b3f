import { createHash } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { aVideo, type TestFile } from '../../../test/support/media-files.ts';
import { memorySteps } from '../../../test/support/memory-steps.ts';
import { failureOf, platformStage, toTheEnd } from '../../../test/support/platform-stage.ts';
import { tiktok } from './index.ts';
import { publish } from './publish.ts';

const minuteMs = 60_000;
let offsetMs = 0;
beforeEach(() => {
  offsetMs = 0;
});
const { sandbox, aMember, aPost, content, postsOf } = platformStage(tiktok, { now: () => Date.now() + offsetMs });

/** Announcements and pieces of files. */
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
/** Two pieces, of which the second is longer. */
const inTwoPieces = () => content('In pieces', {}, [videoOf(25_000_000)]);
const sha256OfPieces = videoOf(25_000_000).sha256;

test('a large video goes in pieces, and arrives whole', async () => {
  const member = await aMember();
  const run = aPost(member);
  const before = await callCount();
  const remote = await toTheEnd(() => publish(inTwoPieces(), run()));
  expect(await callsSince(before)).toEqual(['publish', 'upload', 'upload']);
  expect(await postsOf(member)).toMatchObject([{ id: remote.id, media: [{ sha256: sha256OfPieces }] }]);
});

test.for([
  ['the network never read it', 'reset_before', ['upload']],
  ['the network took it', 'reset_after', []],
] as const)('an upload whose last piece broke off goes on where it stopped: %s', async ([, kind, sent]) => {
  const member = await aMember();
  const run = aPost(member);
  await sandbox().fault({ operation: 'upload', kind, skip: 1 });
  expect(await failureOf(publish(inTwoPieces(), run()))).toMatchObject({ kind: 'network', mayHaveHappened: true });
  const before = await callCount();
  const remote = await toTheEnd(() => publish(inTwoPieces(), run()));
  expect(await callsSince(before)).toEqual(sent);
  expect(await postsOf(member)).toMatchObject([{ id: remote.id, media: [{ sha256: sha256OfPieces }] }]);
});

test('a piece that is still on its way when the next run sends it again makes no second post', async () => {
  const member = await aMember();
  const run = aPost(member);
  const post = content('Overtaken', {}, [aVideo()]);
  await sandbox().fault({ operation: 'upload', kind: 'latency', latencyMs: 500 });
  await failureOf(publish(post, run({ timeoutMs: 200 })));
  const remote = await toTheEnd(() => publish(post, run()));
  // The slow piece is through when a call sent after it, as slow, is answered.
  await sandbox().fault({ operation: 'account', kind: 'latency', latencyMs: 500 });
  await tiktok.testConnection(run());
  expect(await postsOf(member)).toMatchObject([{ id: remote.id }]);
});

test('a process that dies after the last piece leaves a post that the next run only waits for', async () => {
  const member = await aMember();
  const steps = memorySteps();
  const post = content('Killed', {}, [aVideo()]);
  // Another run takes over while the first is at its last piece: what that one learns is lost, as when it is killed.
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

test('an upload that was never completed is begun anew once its address has expired', async () => {
  const member = await aMember();
  const run = aPost(member);
  await sandbox().fault({ operation: 'upload', kind: 'status', status: 503, skip: 1 });
  expect((await failureOf(publish(inTwoPieces(), run()))).kind).toBe('unavailable');
  offsetMs = 61 * minuteMs;
  const failure = await failureOf(publish(inTwoPieces(), run()));
  expect(failure).toMatchObject({ kind: 'unavailable', mayHaveHappened: false });
  const before = await callCount();
  const remote = await toTheEnd(() => publish(inTwoPieces(), run()));
  expect(await callsSince(before)).toEqual(['publish', 'upload', 'upload']);
  expect(await postsOf(member)).toMatchObject([{ id: remote.id, media: [{ sha256: sha256OfPieces }] }]);
});

test('an upload that was completed is not begun anew, however late we learn of it', async () => {
  const member = await aMember();
  const run = aPost(member);
  const post = content('Long ago', {}, [aVideo()]);
  await sandbox().fault({ operation: 'upload', kind: 'reset_after' });
  await failureOf(publish(post, run()));
  offsetMs = 90 * minuteMs;
  const remote = await toTheEnd(() => publish(post, run()));
  expect(await postsOf(member)).toMatchObject([{ id: remote.id }]);
});

test('a video that TikTok does not take is refused, and is not on its way', async () => {
  const member = await aMember();
  const steps = memorySteps();
  await sandbox().fault({ operation: 'upload', kind: 'status', status: 400 });
  const failure = await failureOf(publish(content('No', {}, [aVideo()]), aPost(member, steps)()));
  expect(failure).toMatchObject({ kind: 'rejected', status: 400, reason: expect.stringContaining('400') });
  expect(await postsOf(member)).toEqual([]);
});
