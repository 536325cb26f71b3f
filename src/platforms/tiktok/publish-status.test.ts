import { beforeAll, expect, test } from 'vitest';
import { anImage, aVideo, type TestFile } from '../../../test/support/files/media.ts';
import { memorySteps } from '../../../test/support/publishing/memory-steps.ts';
import { serve } from '../../../test/support/servers/local.ts';
import { mediaHost } from '../../../test/support/servers/media-host.ts';
import { failureOf } from '../../../test/support/stages/platform.ts';
import type { Json } from '../../foundation/lib/json.ts';
import { platformClient } from '../kit/http/client.ts';
import { NothingFound, RetryLater, reconcilingRunner, stepRunner, until } from '../kit/steps.ts';
import { publish } from './publish.ts';
import { settings } from './settings.ts';

const account = { id: '-000ann', handle: 'ann', displayName: 'Ann', avatarUrl: null, profileUrl: null, traits: {} };
const credentials = { accessToken: 'act.access-1', refreshToken: 'rft.refresh-1', openId: '-000ann' };
const minuteMs = 60_000;

type Status = { status?: string; http?: number; code?: string; [name: string]: Json | undefined };

/** A fake TikTok that accepts everything. The test decides the status of the post. */
async function vendor(now: { ms: number }, statusNow: () => Status) {
  const paths: string[] = [];
  const steps = memorySteps();
  const server = await serve(async (request, response) => {
    await new Response(request).arrayBuffer();
    const path = (request.url ?? '').replace(/\?.*/, '');
    paths.push(path);
    if (path === '/video/') return void response.writeHead(201).end();
    const { http = 200, code = 'ok', ...data } = path.endsWith('/status/fetch/') ? statusNow() : answers(path);
    response.writeHead(http).end(JSON.stringify({ data, error: { code, message: '', log_id: '1' } }));
  });
  let published = 0;
  function answers(path: string): Status {
    if (path.endsWith('/creator_info/query/')) return { privacy_level_options: ['PUBLIC_TO_EVERYONE', 'SELF_ONLY'] };
    published += 1;
    return { publish_id: `pub-${published}`, upload_url: 'https://open-upload.tiktokapis.com/video/?upload_id=1' };
  }
  const access = { ...server.access(), now: () => new Date(now.ms) };
  const run = (file: TestFile, runner = stepRunner) => {
    const client = platformClient(access, 'tiktok', new AbortController().signal);
    const ctx = { ...client, account, credentials, postId: 'p', step: runner(steps.claim()), until };
    return publish({ text: 'Hello', media: [host.media(file)], thumbnail: null, settings: settings.parse({}) }, ctx);
  };
  const initiated = () => paths.filter((path) => path.endsWith('/init/')).length;
  return { ...server, run, initiated, steps };
}

let host: Awaited<ReturnType<typeof mediaHost>>;
let image: TestFile;
beforeAll(async () => {
  [host, image] = await Promise.all([mediaHost(), anImage()]);
  return host.close;
});

const processing = { status: 'PROCESSING_UPLOAD', uploaded_bytes: aVideo().bytes.length };
const failed = (fail_reason: string) => ({ status: 'FAILED', fail_reason });
const outcomeOf = (work: Promise<unknown>) => work.catch((error: unknown) => error);

test('a post in processing is checked again, less often the longer it takes', async () => {
  const now = { ms: 0 };
  await using tiktok = await vendor(now, () => processing);
  const waits: unknown[] = [];
  for (const minutes of [0, 2, 20, 120]) {
    now.ms = minutes * minuteMs;
    const outcome = await outcomeOf(tiktok.run(aVideo()));
    expect(outcome).toBeInstanceOf(RetryLater);
    waits.push(outcome instanceof RetryLater && outcome.seconds);
  }
  expect(waits).toEqual([5, 12, 120, 300]);
  expect(tiktok.initiated()).toBe(1);
});

test('after a day of processing the outcome is unknown', async () => {
  const now = { ms: 0 };
  await using tiktok = await vendor(now, () => processing);
  await outcomeOf(tiktok.run(aVideo()));
  now.ms = 24 * 60 * minuteMs;
  expect((await failureOf(tiktok.run(aVideo()))).kind).toBe('unknown_outcome');
});

test.for([
  ['internal', 'unavailable'],
  ['photo_pull_failed', 'unavailable'],
  ['spam_risk_too_many_posts', 'rate_limited'],
  ['file_format_check_failed', 'rejected'],
  ['duration_check_failed', 'rejected'],
  ['frame_rate_check_failed', 'rejected'],
  ['picture_size_check_failed', 'rejected'],
  ['spam_risk_text', 'rejected'],
  ['auth_removed', 'auth'],
  ['something_new', 'rejected'],
] as const)('a post that failed with %s is "%s", and the next run makes another attempt', async ([reason, kind]) => {
  let status: Status = failed(reason);
  await using tiktok = await vendor({ ms: 0 }, () => status);
  expect(await failureOf(tiktok.run(image))).toMatchObject({ kind, reason, mayHaveHappened: false });
  expect(tiktok.steps.open()).toEqual([]);
  status = { status: 'PUBLISH_COMPLETE', publicaly_available_post_id: ['7'] };
  expect(await tiktok.run(image)).toEqual({ id: '7', url: 'https://www.tiktok.com/@ann/photo/7' });
  expect(tiktok.initiated()).toBe(2);
});

test.for([
  [{ http: 429, code: 'rate_limit_exceeded' }, 'rate_limited'],
  [{ http: 401, code: 'access_token_invalid' }, 'auth'],
  [{ http: 500, code: 'internal_error' }, 'unavailable'],
  [{ http: 400, code: 'invalid_publish_id' }, 'rejected'],
] as const)('if the status cannot be read (%j), the post stays in doubt', async ([status, kind]) => {
  await using tiktok = await vendor({ ms: 0 }, () => status);
  expect(await failureOf(tiktok.run(aVideo()))).toMatchObject({ kind, mayHaveHappened: true });
  expect(tiktok.steps.open()).toEqual(['post 1', 'processing 1']);
  expect(await outcomeOf(tiktok.run(aVideo(), reconcilingRunner))).not.toBeInstanceOf(NothingFound);
  expect(tiktok.initiated()).toBe(1);
});

test.for<[string, Status, unknown]>([
  [
    'is published',
    { status: 'PUBLISH_COMPLETE', publicaly_available_post_id: ['7'] },
    { id: '7', url: 'https://www.tiktok.com/@ann/video/7' },
  ],
  [
    'is published, although its id is not known yet',
    { status: 'PUBLISH_COMPLETE' },
    { id: 'pub-1', url: 'https://www.tiktok.com/@ann' },
  ],
  ['failed', failed('internal'), expect.any(NothingFound)],
  ['was never uploaded', { status: 'PROCESSING_UPLOAD', uploaded_bytes: 1 }, expect.any(NothingFound)],
  ['may still be published', processing, expect.objectContaining({ kind: 'unknown_outcome' })],
])('the last check of a post that is given up finds that it %s', async ([, status, outcome]) => {
  let current: Status = { http: 500, code: 'internal_error' };
  await using tiktok = await vendor({ ms: 0 }, () => current);
  await failureOf(tiktok.run(aVideo()));
  current = status;
  expect(await outcomeOf(tiktok.run(aVideo(), reconcilingRunner))).toEqual(outcome);
});

test('a public post waits for its id', async () => {
  let ids: string[] = [];
  await using tiktok = await vendor({ ms: 0 }, () => ({
    status: 'PUBLISH_COMPLETE',
    publicaly_available_post_id: ids,
  }));
  expect(await outcomeOf(tiktok.run(aVideo()))).toBeInstanceOf(RetryLater);
  ids = ['7400000000000000123'];
  const remote = { id: '7400000000000000123', url: 'https://www.tiktok.com/@ann/video/7400000000000000123' };
  expect(await tiktok.run(aVideo())).toEqual(remote);
  expect(tiktok.initiated()).toBe(1);
});

test.for<[string, Status]>([
  ['does not arrive', { status: 'PUBLISH_COMPLETE' }],
  ['cannot be read', { http: 500, code: 'internal_error' }],
])('a post whose id %s is published all the same, with the publish id', async ([, later]) => {
  const now = { ms: 0 };
  let status: Status = { status: 'PUBLISH_COMPLETE' };
  await using tiktok = await vendor(now, () => status);
  expect(await outcomeOf(tiktok.run(aVideo()))).toBeInstanceOf(RetryLater);
  status = later;
  now.ms = 3 * minuteMs;
  expect(await tiktok.run(aVideo())).toEqual({ id: 'pub-1', url: 'https://www.tiktok.com/@ann' });
});
