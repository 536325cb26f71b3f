import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { anImage, aVideo, type TestFile } from '../../../test/support/files/media.ts';
import { memorySteps } from '../../../test/support/publishing/memory-steps.ts';
import { serve } from '../../../test/support/servers/local.ts';
import { mediaHost } from '../../../test/support/servers/media-host.ts';
import { toTheEnd } from '../../../test/support/stages/platform.ts';
import { platformClient } from '../kit/http/client.ts';
import { stepRunner, until } from '../kit/steps.ts';
import { publish } from './publish.ts';

// Link cards and videos use services other than the account's server. These tests use responses that the sandbox never
// returns.

const did = 'did:plc:ewvi7nxzyoun6zhxrhs64oiz';
const credentials = { pds: 'https://pds.example.com', did, appPassword: 'p', accessJwt: 'a', refreshJwt: 'r' };
const account = { id: did, handle: 'ann.example.com', displayName: '', avatarUrl: null, profileUrl: null, traits: {} };
const blob = { $type: 'blob', ref: { $link: 'bafkreia' }, mimeType: 'image/jpeg', size: 7 };
const page = { error: '', title: 'A page', description: 'About it', image: 'https://cardyb.bsky.app/v1/image?url=x' };
const link = 'https://example.com/a';

type Answer = { status?: number; json?: unknown; bytes?: Uint8Array; type?: string };
type Answers = Record<string, Answer>;
const stock: Answers = {
  '/v1/extract': { json: page },
  '/v1/image': { bytes: Buffer.from('image'), type: 'image/jpeg' },
  '/xrpc/com.atproto.repo.uploadBlob': { json: { blob } },
  '/xrpc/com.atproto.repo.putRecord': {
    json: { uri: `at://${did}/app.bsky.feed.post/3l2s5xxv2ze2c`, cid: 'bafyreia' },
  },
  '/xrpc/com.atproto.server.getServiceAuth': { json: { token: 'service-token' } },
  '/xrpc/app.bsky.video.getUploadLimits': {
    json: { canUpload: true, remainingDailyVideos: 3, remainingDailyBytes: 1e9 },
  },
  '/xrpc/app.bsky.video.uploadVideo': { json: { jobId: 'job-1', did, state: 'JOB_STATE_CREATED' } },
  '/xrpc/app.bsky.video.getJobStatus': {
    json: { jobStatus: { jobId: 'job-1', did, state: 'JOB_STATE_COMPLETED', blob } },
  },
};

/** Publishes a post, and returns the procedures that were called and the record that was sent. */
async function publishTo(answers: Answers, text: string, files: TestFile[] = []) {
  const known: Answers = { ...stock, ...answers };
  const called: string[] = [];
  let record: { embed?: Record<string, unknown> } | undefined;
  await using server = await serve(async (request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    called.push(path.split('/').at(-1) ?? '');
    const body = await new Response(request).text();
    if (path.endsWith('putRecord')) record = JSON.parse(body).record;
    const { status = 200, json, bytes, type = 'application/json' } = known[path] ?? { status: 404 };
    response.writeHead(status, { 'content-type': type }).end(bytes ?? JSON.stringify(json));
  });
  await using host = await openHost();
  const steps = memorySteps();
  const post = { text, media: files.map(host.media), settings: {}, thumbnail: null };
  const client = platformClient(server.access(), 'bluesky', new AbortController().signal);
  const ctx = { ...client, account, credentials, postId: randomUUID(), until };
  const published = toTheEnd(() => publish(post, { ...ctx, step: stepRunner(steps.claim()) }));
  const failure = await published.then(
    () => null,
    (error: unknown) => error,
  );
  return { failure, called, record };
}

async function openHost() {
  const host = await mediaHost();
  return { ...host, [Symbol.asyncDispose]: host.close };
}

describe('a link card', () => {
  test('shows the title, description and image of the page', async () => {
    const { record } = await publishTo({}, `Read ${link} and example.org`);
    expect(record?.embed).toEqual({
      $type: 'app.bsky.embed.external',
      external: { uri: link, title: 'A page', description: 'About it', thumb: blob },
    });
  });

  test.for<[title: string, Answers]>([
    ['is too large', { '/v1/image': { bytes: new Uint8Array(1_000_001), type: 'image/jpeg' } }],
    ['is empty', { '/v1/image': { bytes: new Uint8Array(), type: 'image/jpeg' } }],
    ['is not an image', { '/v1/image': { bytes: Buffer.from('<html>'), type: 'text/html' } }],
    ['does not exist', { '/v1/image': { status: 404, type: 'image/jpeg' } }],
    ['has no address', { '/v1/extract': { json: { ...page, image: '' } } }],
    ['has an invalid address', { '/v1/extract': { json: { ...page, image: '/relative.png' } } }],
    ['is refused', { '/xrpc/com.atproto.repo.uploadBlob': { status: 400, json: { error: 'InvalidMimeType' } } }],
  ])('has no image if it %s', async ([, answers]) => {
    const { record } = await publishTo(answers, link);
    expect(record?.embed).toEqual({
      $type: 'app.bsky.embed.external',
      external: { uri: link, title: 'A page', description: 'About it' },
    });
  });

  test.for<[title: string, Answers]>([
    ['cannot be read', { '/v1/extract': { status: 502 } }],
    ['may not be read so often', { '/v1/extract': { status: 429 } }],
    ['may not be read at all', { '/v1/extract': { status: 401 } }],
    ['has no title', { '/v1/extract': { json: { error: '', title: '', description: '' } } }],
    ['is not a page', { '/v1/extract': { json: { error: 'Unable to fetch' } } }],
    ['has an unreadable preview', { '/v1/extract': { bytes: Buffer.from('<html>') } }],
  ])('is left out if the page %s', async ([, answers]) => {
    const { failure, record } = await publishTo(answers, link);
    expect(failure).toBeNull();
    expect(record).not.toHaveProperty('embed');
  });

  test('is not made for a post with images or without a link', async () => {
    const beside = await publishTo({}, link, [await anImage()]);
    expect(beside.record?.embed).toMatchObject({ $type: 'app.bsky.embed.images' });
    expect(beside.called).not.toContain('extract');
    expect((await publishTo({}, 'No link')).called).toEqual(['com.atproto.repo.putRecord']);
  });

  test('fails the run if the post itself would fail as well', async () => {
    const expired = { status: 400, json: { error: 'ExpiredToken', message: 'Token has expired' } };
    const { failure, called } = await publishTo({ '/xrpc/com.atproto.repo.uploadBlob': expired }, link);
    expect(failure).toMatchObject({ kind: 'auth' });
    expect(called).not.toContain('com.atproto.repo.putRecord');
  });
});

describe('a video', () => {
  const limits = '/xrpc/app.bsky.video.getUploadLimits';
  const upload = '/xrpc/app.bsky.video.uploadVideo';
  const job = '/xrpc/app.bsky.video.getJobStatus';
  const video = (answers: Answers) => publishTo(answers, 'Video', [aVideo()]);

  test.for<[title: string, json: object, message: RegExp, reason: string]>([
    [
      'used up',
      { canUpload: false, remainingDailyVideos: 0, message: 'Daily limit' },
      /daily video limit/,
      'Daily limit',
    ],
    [
      'too small',
      { canUpload: true, remainingDailyBytes: 10 },
      /daily video limit/,
      '{"canUpload":true,"remainingDailyBytes":10}',
    ],
    ['none', { canUpload: false, error: 'unconfirmed_email' }, /Confirm its email/, 'unconfirmed_email'],
  ])('is not uploaded when the daily limit is %s', async ([, json, message, reason]) => {
    const { failure, called } = await video({ [limits]: { json } });
    expect(failure).toMatchObject({ kind: 'rejected', reason, message: expect.stringMatching(message) });
    expect(called).not.toContain('app.bsky.video.uploadVideo');
  });

  test.for<[title: string, Answers]>([
    [
      'in the form of the schema',
      { [upload]: { json: { jobStatus: { jobId: 'job-1', did, state: 'JOB_STATE_CREATED' } } } },
    ],
    ['in the form of the service', {}],
    [
      'that has the job of an earlier upload',
      {
        [upload]: { status: 409, json: { error: 'already_exists', jobId: 'job-1', did, state: 'JOB_STATE_COMPLETED' } },
      },
    ],
    [
      'that already has the video',
      { [upload]: { status: 409, json: { error: 'already_exists', blob } }, [job]: { status: 404 } },
    ],
  ])('is read from an answer %s', async ([, answers]) => {
    expect((await video(answers)).record?.embed).toMatchObject({ $type: 'app.bsky.embed.video', video: blob });
  });

  test.for<[title: string, Answer]>([
    ['no such page', { status: 404, json: {} }],
    ['no such method', { status: 501, json: { error: 'MethodNotImplemented', message: 'Method Not Implemented' } }],
  ])('is stored as an image is where the video service answers: %s', async ([, answer]) => {
    const { record, called } = await video({ [limits]: answer });
    expect(record?.embed).toMatchObject({ $type: 'app.bsky.embed.video', video: blob });
    expect(called).toEqual([
      'com.atproto.server.getServiceAuth',
      'app.bsky.video.getUploadLimits',
      'com.atproto.repo.uploadBlob',
      'com.atproto.repo.putRecord',
    ]);
  });

  test('goes through the video service although that is in trouble', async () => {
    const { failure, called } = await video({ [limits]: { status: 503, json: { error: 'ServiceOverloaded' } } });
    expect(failure).toMatchObject({ kind: 'unavailable', status: 503 });
    expect(called).not.toContain('com.atproto.repo.uploadBlob');
  });

  test('that the service cannot process is rejected with its reason', async () => {
    const json = {
      jobStatus: {
        jobId: 'job-1',
        did,
        state: 'JOB_STATE_FAILED',
        failureCode: 'encoding_failure',
        message: 'No frames',
      },
    };
    const { failure, called } = await video({ [job]: { json } });
    expect(failure).toMatchObject({ kind: 'rejected', reason: 'No frames' });
    expect(called).not.toContain('com.atproto.repo.putRecord');
    const conflict = await video({ [upload]: { status: 409, json: { error: 'conflict', message: 'Busy' } } });
    expect(conflict.failure).toMatchObject({ kind: 'rejected', reason: 'Busy' });
  });

  test('whose service token was rejected leaves the connection usable', async () => {
    const { failure } = await video({
      [upload]: { status: 401, json: { error: 'JwtExpired', message: 'jwt expired' } },
    });
    expect(failure).toMatchObject({ kind: 'unavailable', mayHaveHappened: false, reason: 'JwtExpired: jwt expired' });
  });
});

test.for(['com.atproto.repo.putRecord', 'app.bsky.video.uploadVideo', 'app.bsky.video.getJobStatus'])(
  'an unreadable answer to %s is "unavailable"',
  async (name) => {
    const { failure } = await publishTo({ [`/xrpc/${name}`]: { json: { jobId: 7, uri: 7 } } }, 'Video', [aVideo()]);
    expect(failure).toMatchObject({ kind: 'unavailable', status: 200, mayHaveHappened: true });
  },
);
