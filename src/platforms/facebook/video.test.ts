import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { aVideo, type TestFile } from '../../../test/support/files/media.ts';
import { memorySteps } from '../../../test/support/publishing/memory-steps.ts';
import { serve } from '../../../test/support/servers/local.ts';
import { failureOf, platformStage, toTheEnd } from '../../../test/support/stages/platform.ts';
import { platformClient } from '../kit/http/client.ts';
import type { PublishContext } from '../kit/index.ts';
import { RetryLater, stepRunner, until } from '../kit/steps.ts';
import type { Credentials } from './api.ts';
import { facebook } from './index.ts';
import { publish } from './publish.ts';

const { sandbox, aMember, aPost, content, postsOf } = platformStage(facebook);
const videoCalls = async () => (await sandbox().requests()).filter(({ path }) => /\/videos\b/.test(path)).length;

/** Larger than two of the sandbox's upload chunks. */
function aLongVideo(): TestFile {
  const video = aVideo();
  const bytes = Buffer.concat([video.bytes, Buffer.alloc(2_500_000, 'video')]);
  return { ...video, bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
}

describe('a video', () => {
  test('is uploaded in chunks, and arrives complete with its text', async () => {
    const [page, file] = [await aMember(), aLongVideo()];
    const run = aPost(page);
    const before = await videoCalls();
    const remote = await toTheEnd(() => publish(content('Video\n\nhttps://example.com', {}, [file]), run()));
    const posts = await postsOf(page);
    expect(posts).toMatchObject([{ id: remote.id, text: 'Video\n\nhttps://example.com', url: remote.url }]);
    expect(posts[0]?.media).toMatchObject([{ kind: 'video', sha256: file.sha256 }]);
    const chunks = Math.ceil(file.bytes.length / 1_048_576);
    expect((await videoCalls()) - before).toBe(1 + chunks + 1);
  });

  test('is uploaded again when a chunk was lost', async () => {
    const [page, file] = [await aMember(), aLongVideo()];
    const run = aPost(page);
    await sandbox().fault({ operation: 'upload', kind: 'reset_after', skip: 2 });
    await failureOf(toTheEnd(() => publish(content('Video', {}, [file]), run())));
    await toTheEnd(() => publish(content('Video', {}, [file]), run()));
    expect(await postsOf(page)).toMatchObject([{ media: [{ sha256: file.sha256 }] }]);
  });

  test.for(['reset_after', 'reset_before'] as const)(
    'is published once, although Facebook hung up at the end (%s)',
    async (kind) => {
      const [page, post] = [await aMember(), content('Video', {}, [aVideo()])];
      const run = aPost(page);
      await sandbox().fault({ operation: 'publish', kind });
      expect((await failureOf(toTheEnd(() => publish(post, run())))).mayHaveHappened).toBe(true);
      const before = await videoCalls();
      const remote = await toTheEnd(() => publish(post, run()));
      expect(await postsOf(page)).toMatchObject([{ id: remote.id }]);
      // Not uploaded again; finished again only if that had not happened.
      expect((await videoCalls()) - before).toBe(kind === 'reset_before' ? 1 : 0);
    },
  );

  test('is waited for while Facebook returns errors', async () => {
    const page = await aMember();
    const run = aPost(page);
    await sandbox().fault({ operation: 'status', kind: 'status', status: 503, times: 5 });
    const remote = await toTheEnd(() => publish(content('Video', {}, [aVideo()]), run()));
    expect(await postsOf(page)).toMatchObject([{ id: remote.id }]);
  });
});

interface Script {
  transfer?: object;
  finish?: object | 'hang up';
  /** The successive states that Facebook reports for the video. The last one stays. */
  states?: object[];
}

/** A fake Facebook that accepts any video as number 55, in one chunk. */
async function scripted({ transfer = uploadedAll, finish = { success: true }, states = [] }: Script) {
  const steps = memorySteps();
  let finished = 0;
  let laterMs = 0;
  const server = await serve(async (incoming, response) => {
    const type = incoming.headers['content-type'] ?? '';
    const body = await new Response(incoming, { headers: { 'content-type': type } }).text();
    const answer = incoming.method === 'GET' ? next() : phase(body);
    if (answer === 'hang up') return void incoming.socket.destroy();
    response.writeHead('error' in answer ? 400 : 200).end(JSON.stringify(answer));
  });
  const next = () => (states.length > 1 ? states.shift() : states[0]) ?? working;
  function phase(body: string): object | 'hang up' {
    if (body.includes('"start"')) {
      return { upload_session_id: '77', video_id: '55', start_offset: '0', end_offset: '9999999' };
    }
    if (!body.includes('"finish"')) return transfer;
    finished += 1;
    return finish;
  }
  const account = { id: '1043', handle: 'bakery', displayName: '', avatarUrl: null, profileUrl: null, traits: {} };
  const vendor = { ...server.access(), applications: { facebook: { id: 'app', secret: 'app-secret' } } };
  const now = () => new Date(Date.now() + laterMs);
  const run = (): PublishContext<Credentials> => ({
    ...platformClient({ ...vendor, now }, 'facebook', new AbortController().signal),
    account,
    credentials: { accessToken: 'EAAP-token', pageId: '1043' },
    postId: 'p',
    step: stepRunner(steps.claim()),
    until,
  });
  const publishVideo = () => publish(content('Video', {}, [aVideo()]), run());
  return {
    steps,
    publishVideo,
    finished: () => finished,
    pass: (ms: number) => {
      laterMs += ms;
    },
    [Symbol.asyncDispose]: server.close,
  };
}

const uploadedAll = { start_offset: '9999999', end_offset: '9999999' };
const state = (video_status: string, more: object = {}) => ({ status: { video_status, ...more } });
const uploaded = state('upload_complete', { processing_phase: { status: 'not_started' } });
const working = state('processing', { processing_phase: { status: 'in_progress' } });
const ready = (more: object = {}) => ({ ...state('ready', { publishing_phase: { status: 'complete' } }), ...more });
const refusal = (code: number, error_subcode?: number) => ({ error: { code, error_subcode, message: 'No.' } });

describe('a published video', () => {
  test.for<[title: string, video: object, remote: object]>([
    [
      'has an id with the Page’s, and a URL without a host',
      ready({ post_id: '1043_66', permalink_url: '/reel/55/' }),
      { id: '1043_66', url: 'https://www.facebook.com/reel/55/' },
    ],
    [
      'has an id without the Page’s',
      ready({ post_id: '66', permalink_url: 'https://www.facebook.com/x/videos/55' }),
      { id: '1043_66', url: 'https://www.facebook.com/x/videos/55' },
    ],
    ['has no id or URL of its own', ready(), { id: '1043_55', url: 'https://www.facebook.com/1043/videos/55' }],
  ])('%s', async ([, video, remote]) => {
    await using vendor = await scripted({ states: [video] });
    expect(await vendor.publishVideo()).toEqual(remote);
  });

  test('counts when Facebook has published it, not when it has processed it', async () => {
    const processed = state('ready', { publishing_phase: { status: 'not_started' } });
    await using vendor = await scripted({ states: [working, processed, ready({ post_id: '66' })] });
    await expect(vendor.publishVideo()).rejects.toBeInstanceOf(RetryLater);
    await expect(vendor.publishVideo()).rejects.toBeInstanceOf(RetryLater);
    expect(await vendor.publishVideo()).toMatchObject({ id: '1043_66' });
    expect(vendor.finished()).toBe(1);
  });
});

describe('a video that Facebook accepted', () => {
  test.for<[title: string, video: object, reason: string]>([
    [
      'could not be processed',
      state('error', { processing_phase: { status: 'error', errors: [{ code: 1363047, message: 'Bad codec' }] } }),
      'Bad codec',
    ],
    [
      'could not be published',
      state('ready', { publishing_phase: { status: 'error', errors: [{ message: 'Copyright' }] } }),
      'Copyright',
    ],
    ['has expired', state('expired'), 'expired'],
    ['is gone', refusal(100, 33), '(#100/33) No.'],
  ])('and that %s is rejected with the reason', async ([, video, reason]) => {
    await using vendor = await scripted({ states: [video] });
    expect(await failureOf(vendor.publishVideo())).toMatchObject({ kind: 'rejected', reason });
  });

  test('and does not show has an unknown outcome, because it may be published', async () => {
    await using vendor = await scripted({ states: [refusal(190, 460)] });
    expect(await failureOf(vendor.publishVideo())).toMatchObject({
      kind: 'unknown_outcome',
      reason: '(#190/460) No.',
    });
  });

  test('and processes for hours has an unknown outcome', async () => {
    await using vendor = await scripted({ states: [working] });
    await expect(vendor.publishVideo()).rejects.toBeInstanceOf(RetryLater);
    vendor.pass(2 * 3_600_000 + 1000);
    expect((await failureOf(vendor.publishVideo())).kind).toBe('unknown_outcome');
  });
});

describe('an upload that Facebook refuses to finish', () => {
  test('was finished before, if Facebook is processing it', async () => {
    await using vendor = await scripted({
      finish: refusal(6000, 1363041),
      states: [working, ready({ post_id: '66' })],
    });
    expect(await vendor.publishVideo()).toMatchObject({ id: '1043_66' });
  });

  test('is lost, if Facebook is not processing it', async () => {
    await using vendor = await scripted({ finish: refusal(6000, 1363041), states: [uploaded] });
    expect(await failureOf(vendor.publishVideo())).toMatchObject({
      kind: 'rejected',
      message: expect.stringMatching(/Publish the post again/),
    });
  });

  test('because of its content fails with the reason', async () => {
    await using vendor = await scripted({ finish: refusal(352, 1363024), states: [uploaded] });
    expect(await failureOf(vendor.publishVideo())).toMatchObject({ kind: 'rejected', reason: '(#352/1363024) No.' });
    expect(vendor.steps.open()).toEqual([]);
  });
});

test('an upload whose end Facebook does not confirm stays open', async () => {
  await using vendor = await scripted({ finish: { success: false }, states: [uploaded] });
  expect(await failureOf(vendor.publishVideo())).toMatchObject({ kind: 'unavailable', mayHaveHappened: true });
  expect(vendor.steps.open()).toEqual(['post']);
});

test('an upload that makes no progress ends', async () => {
  await using vendor = await scripted({ transfer: { start_offset: '0', end_offset: '1024' } });
  const failed = await failureOf(vendor.publishVideo());
  expect(failed).toMatchObject({ kind: 'unavailable', message: expect.stringMatching(/makes no progress/) });
});
