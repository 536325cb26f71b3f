import { createHash } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { serve } from '../../../test/support/local-server.ts';
import { anImage, aVideo, mediaHost, type TestFile } from '../../../test/support/media-files.ts';
import { memorySteps } from '../../../test/support/memory-steps.ts';
import { failureOf } from '../../../test/support/platform-stage.ts';
import type { Json } from '../../lib/json.ts';
import { platformClient } from '../kit/client.ts';
import type { Media } from '../kit/index.ts';
import { RetryLater, stepRunner, until } from '../kit/steps.ts';
import { uploadAll } from './upload.ts';

interface Asked {
  call: string;
  json?: unknown;
  form?: Record<string, string | Blob>;
}
type Answer = { status?: number; body?: Json };

/** A network that gives these answers, by method and path, and remembers what it was asked. */
async function vendor(answers: (call: string) => Answer) {
  const asked: Asked[] = [];
  const steps = memorySteps();
  const server = await serve(async (request, response) => {
    const call = `${request.method} ${request.url}`;
    const type = request.headers['content-type'] ?? '';
    const sent = new Response(request, { headers: { 'content-type': type } });
    if (type.startsWith('multipart/')) asked.push({ call, form: Object.fromEntries(await sent.formData()) });
    else asked.push({ call, ...(type && { json: await sent.json() }) });
    const { status = 200, body } = answers(call);
    response.writeHead(status).end(body === undefined ? '' : JSON.stringify(body));
  });
  const account = { id: '1', handle: 'ann', displayName: '', avatarUrl: null, profileUrl: null, traits: {} };
  const credentials = { accessToken: 'access-token-1', refreshToken: 'refresh-token-1' };
  const run = (...media: Media[]) => {
    const client = platformClient(server.access(), 'twitter', new AbortController().signal);
    return uploadAll(media, { ...client, account, credentials, postId: 'p', step: stepRunner(steps.claim()), until });
  };
  return { ...server, asked, run, calls: () => asked.map(({ call }) => call) };
}

/** Takes anything under id 7, and has no more work with it. */
const willing = (call: string): Answer =>
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

async function bytesIn(asked: Asked | undefined): Promise<Buffer> {
  const media = asked?.form?.media;
  if (!(media instanceof Blob)) throw new Error('There is no file.');
  return Buffer.from(await media.arrayBuffer());
}

test('a picture goes in one call, and its description follows', async () => {
  const file = { ...(await anImage()), altText: 'Harbour at dawn' };
  await using x = await vendor(willing);
  expect(await x.run(mediaOf(file))).toEqual(['7']);
  expect(x.asked).toMatchObject([
    { call: 'POST /2/media/upload', form: { media_category: 'tweet_image' } },
    { call: 'POST /2/media/metadata', json: { id: '7', metadata: { alt_text: { text: 'Harbour at dawn' } } } },
  ]);
  expect(x.asked[0]?.form?.media).toMatchObject({ type: 'image/jpeg' });
  expect(await bytesIn(x.asked[0])).toEqual(file.bytes);
});

test('too long a description is cut between two characters', async () => {
  await using x = await vendor(willing);
  await x.run(mediaOf({ ...(await anImage()), altText: '🌊'.repeat(1001) }));
  expect(x.asked[1]?.json).toMatchObject({ metadata: { alt_text: { text: '🌊'.repeat(1000) } } });
});

test('a video goes in pieces of 1 MB, in order', async () => {
  const file = longVideo(2_621_440);
  await using x = await vendor(willing);
  await x.run(mediaOf(file));
  expect(x.asked).toMatchObject([
    {
      call: 'POST /2/media/upload/initialize',
      json: { media_type: 'video/mp4', total_bytes: 2_621_440, media_category: 'tweet_video' },
    },
    { call: 'POST /2/media/upload/7/append', form: { segment_index: '0' } },
    { call: 'POST /2/media/upload/7/append', form: { segment_index: '1' } },
    { call: 'POST /2/media/upload/7/append', form: { segment_index: '2' } },
    { call: 'POST /2/media/upload/7/finalize' },
  ]);
  const pieces = await Promise.all(x.asked.slice(1, 4).map(bytesIn));
  expect(pieces.map(({ length }) => length)).toEqual([1_048_576, 1_048_576, 524_288]);
  expect(Buffer.concat(pieces).equals(file.bytes)).toBe(true);
});

test('a GIF moves where it stands alone, and is a picture among others', async () => {
  const gif = mediaOf(await anImage({ type: 'gif' }));
  await using alone = await vendor(willing);
  await alone.run(gif);
  expect(alone.asked[0]?.json).toMatchObject({ media_type: 'image/gif', media_category: 'tweet_gif' });
  await using among = await vendor(willing);
  await among.run(gif, mediaOf(await anImage()));
  expect(among.asked.map(({ form }) => form?.media_category)).toEqual(['tweet_image', 'tweet_image']);
});

/** Takes a video and works on it: the states that it tells, one after the other. */
function working(...states: Json[]) {
  return (call: string): Answer => {
    if (call.includes('STATUS')) return { body: { data: { id: '7', processing_info: states.shift() ?? null } } };
    const processing_info = { state: 'pending', check_after_secs: 2 };
    return call.endsWith('/finalize') ? { body: { data: { id: '7', processing_info } } } : willing(call);
  };
}

test('a video is looked at again when X says, without a second upload', async () => {
  await using x = await vendor(
    working({ state: 'in_progress', check_after_secs: 11, progress_percent: 40 }, { state: 'succeeded' }),
  );
  const video = mediaOf(aVideo());
  const waiting = await x.run(video).catch((error: unknown) => error);
  expect(waiting).toBeInstanceOf(RetryLater);
  expect(waiting).toMatchObject({ seconds: 11 });
  expect(await x.run(video)).toEqual(['7']);
  const look = 'GET /2/media/upload?command=STATUS&media_id=7';
  expect(x.calls().slice(-3)).toEqual(['POST /2/media/upload/7/finalize', look, look]);
});

test("a video that X cannot process fails in X's own words", async () => {
  const message = 'Duration 2.minutes+29.seconds exceeds max duration of 2.minutes+20.seconds';
  await using x = await vendor(working({ state: 'failed', error: { code: 3, name: 'UnsupportedMedia', message } }));
  expect(await failureOf(x.run(mediaOf(aVideo())))).toMatchObject({ kind: 'rejected', reason: message });
});

test('a video that X has forgotten since does not stop a post that may be out already', async () => {
  const finished = working();
  await using x = await vendor((call) =>
    call.includes('STATUS') ? { status: 400, body: { title: 'BadRequest', detail: 'Not found' } } : finished(call),
  );
  expect(await x.run(mediaOf(aVideo()))).toEqual(['7']);
});

test('trouble while X is asked about a video is not taken for an answer', async () => {
  const finished = working();
  await using x = await vendor((call) => (call.includes('STATUS') ? { status: 503 } : finished(call)));
  expect((await failureOf(x.run(mediaOf(aVideo())))).kind).toBe('unavailable');
});

test('an upload that breaks off begins anew, and those before it stay', async () => {
  let troubles = 1;
  await using x = await vendor((call) =>
    call.endsWith('/append') && troubles-- > 0 ? { status: 413 } : willing(call),
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
