import { createHash } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { anImage, aVideo, type TestFile } from '../../../test/support/files/media.ts';
import { memorySteps } from '../../../test/support/publishing/memory-steps.ts';
import { serve } from '../../../test/support/servers/local.ts';
import { mediaHost } from '../../../test/support/servers/media-host.ts';
import { failureOf } from '../../../test/support/stages/platform.ts';
import type { Json } from '../../foundation/lib/json.ts';
import { platformClient } from '../kit/http/client.ts';
import type { Media } from '../kit/index.ts';
import { RetryLater, stepRunner, until } from '../kit/steps.ts';
import { uploadAll } from './upload.ts';

interface VendorRequest {
  call: string;
  json?: unknown;
  form?: Record<string, string | Blob>;
}
type Answer = { status?: number; body?: Json };

/** A fake X with responses by method and path. It records the requests. */
async function vendor(answers: (call: string) => Answer) {
  const requests: VendorRequest[] = [];
  const steps = memorySteps();
  const server = await serve(async (request, response) => {
    const call = `${request.method} ${request.url}`;
    const type = request.headers['content-type'] ?? '';
    const sent = new Response(request, { headers: { 'content-type': type } });
    if (type.startsWith('multipart/')) requests.push({ call, form: Object.fromEntries(await sent.formData()) });
    else requests.push({ call, ...(type && { json: await sent.json() }) });
    const { status = 200, body } = answers(call);
    response.writeHead(status).end(body === undefined ? '' : JSON.stringify(body));
  });
  const account = { id: '1', handle: 'ann', displayName: '', avatarUrl: null, profileUrl: null, traits: {} };
  const credentials = { accessToken: 'access-token-1', refreshToken: 'refresh-token-1' };
  const run = (...media: Media[]) => {
    const client = platformClient(server.access(), 'twitter', new AbortController().signal);
    return uploadAll(media, { ...client, account, credentials, postId: 'p', step: stepRunner(steps.claim()), until });
  };
  return { ...server, requests, run, calls: () => requests.map(({ call }) => call) };
}

/** Accepts any file as id 7, ready immediately. */
const accepting = (call: string): Answer =>
  call.endsWith('/append') ? { status: 204 } : { body: { data: { id: '7' } } };

let host: Awaited<ReturnType<typeof mediaHost>>;
beforeAll(async () => {
  host = await mediaHost();
  return host.close;
});
const mediaOf = (file: TestFile) => host.media(file);

function longVideo(bytes: number): TestFile {
  const video = aVideo();
  const longer = Buffer.concat([video.bytes, Buffer.alloc(bytes - video.bytes.length)]);
  return { ...video, bytes: longer, sha256: createHash('sha256').update(longer).digest('hex') };
}

async function bytesIn(requests: VendorRequest | undefined): Promise<Buffer> {
  const media = requests?.form?.media;
  if (!(media instanceof Blob)) throw new Error('There is no file.');
  return Buffer.from(await media.arrayBuffer());
}

test('an image is uploaded in one call, followed by its description', async () => {
  const file = { ...(await anImage()), altText: 'Harbour at dawn' };
  await using x = await vendor(accepting);
  expect(await x.run(mediaOf(file))).toEqual(['7']);
  expect(x.requests).toMatchObject([
    { call: 'POST /2/media/upload', form: { media_category: 'tweet_image' } },
    { call: 'POST /2/media/metadata', json: { id: '7', metadata: { alt_text: { text: 'Harbour at dawn' } } } },
  ]);
  expect(x.requests[0]?.form?.media).toMatchObject({ type: 'image/jpeg' });
  expect(await bytesIn(x.requests[0])).toEqual(file.bytes);
});

test('a video is uploaded in chunks of 1 MB, in order', async () => {
  const file = longVideo(2_621_440);
  await using x = await vendor(accepting);
  await x.run(mediaOf(file));
  expect(x.requests).toMatchObject([
    {
      call: 'POST /2/media/upload/initialize',
      json: { media_type: 'video/mp4', total_bytes: 2_621_440, media_category: 'tweet_video' },
    },
    { call: 'POST /2/media/upload/7/append', form: { segment_index: '0' } },
    { call: 'POST /2/media/upload/7/append', form: { segment_index: '1' } },
    { call: 'POST /2/media/upload/7/append', form: { segment_index: '2' } },
    { call: 'POST /2/media/upload/7/finalize' },
  ]);
  expect(x.requests.at(-1)).toEqual({ call: 'POST /2/media/upload/7/finalize' });
  const chunks = await Promise.all(x.requests.slice(1, 4).map(bytesIn));
  expect(chunks.map(({ length }) => length)).toEqual([1_048_576, 1_048_576, 524_288]);
  expect(Buffer.concat(chunks).equals(file.bytes)).toBe(true);
});

test('a GIF is animated if it is the only file, and an image among others', async () => {
  const gif = mediaOf(await anImage({ type: 'gif' }));
  await using alone = await vendor(accepting);
  await alone.run(gif);
  expect(alone.requests[0]?.json).toMatchObject({ media_type: 'image/gif', media_category: 'tweet_gif' });
  await using among = await vendor(accepting);
  await among.run(gif, mediaOf(await anImage()));
  expect(among.requests.map(({ form }) => form?.media_category)).toEqual(['tweet_image', 'tweet_image']);
});

/** Accepts a video and processes it, with these states in order. */
function processing(...states: Json[]) {
  return (call: string): Answer => {
    if (call.includes('STATUS')) return { body: { data: { id: '7', processing_info: states.shift() ?? null } } };
    const processing_info = { state: 'pending', check_after_secs: 2 };
    return call.endsWith('/finalize') ? { body: { data: { id: '7', processing_info } } } : accepting(call);
  };
}

test('a video is checked again when X says, without a second upload', async () => {
  await using x = await vendor(
    processing({ state: 'in_progress', check_after_secs: 11, progress_percent: 40 }, { state: 'succeeded' }),
  );
  const video = mediaOf(aVideo());
  const waiting = await x.run(video).catch((error: unknown) => error);
  expect(waiting).toBeInstanceOf(RetryLater);
  expect(waiting).toMatchObject({ seconds: 11 });
  expect(await x.run(video)).toEqual(['7']);
  const check = 'GET /2/media/upload?command=STATUS&media_id=7';
  expect(x.calls().slice(-3)).toEqual(['POST /2/media/upload/7/finalize', check, check]);
});

test('a time that X gives for the next check does not stop the checks', async () => {
  await using x = await vendor(processing({ state: 'in_progress', check_after_secs: 1e300 }));
  await expect(x.run(mediaOf(aVideo()))).rejects.toMatchObject({ name: 'RetryLater', seconds: 300 });
});

test("a video that X cannot process fails with X's own reason", async () => {
  const message = 'Duration 2.minutes+29.seconds exceeds max duration of 2.minutes+20.seconds';
  await using x = await vendor(processing({ state: 'failed', error: { code: 3, name: 'UnsupportedMedia', message } }));
  expect(await failureOf(x.run(mediaOf(aVideo())))).toMatchObject({ kind: 'rejected', reason: message });
});

test('a video that X has deleted since does not stop a post that may be published already', async () => {
  const finished = processing();
  await using x = await vendor((call) =>
    call.includes('STATUS') ? { status: 400, body: { title: 'BadRequest', detail: 'Not found' } } : finished(call),
  );
  expect(await x.run(mediaOf(aVideo()))).toEqual(['7']);
});

test('an error while checking a video is not taken for an answer', async () => {
  const finished = processing();
  await using x = await vendor((call) => (call.includes('STATUS') ? { status: 503 } : finished(call)));
  expect((await failureOf(x.run(mediaOf(aVideo())))).kind).toBe('unavailable');
});

test('an upload that breaks off starts over, and those before it are kept', async () => {
  let failures = 1;
  await using x = await vendor((call) =>
    call.endsWith('/append') && failures-- > 0 ? { status: 413 } : accepting(call),
  );
  const [image, video] = [mediaOf(await anImage()), mediaOf(aVideo())];
  expect((await failureOf(x.run(image, video))).kind).toBe('too_large');
  expect(await x.run(image, video)).toEqual(['7', '7']);
  expect(x.calls()).toEqual([
    'POST /2/media/upload',
    'POST /2/media/upload/initialize',
    'POST /2/media/upload/7/append',
    'POST /2/media/upload/initialize',
    'POST /2/media/upload/7/append',
    'POST /2/media/upload/7/finalize',
  ]);
});
