import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { aVideo } from '../../../test/support/files/media.ts';
import { memorySteps } from '../../../test/support/publishing/memory-steps.ts';
import { serve } from '../../../test/support/servers/local.ts';
import { mediaHost } from '../../../test/support/servers/media-host.ts';
import { failureOf } from '../../../test/support/stages/platform.ts';
import { lazyEgress } from '../../foundation/egress/lazy-egress.ts';
import { platformClient } from '../kit/http/client.ts';
import { NothingFound, reconcilingRunner, stepRunner, until } from '../kit/steps.ts';
import { uploadVideo } from './upload.ts';

const mebibyte = 1_048_576;
const chunk = 8 * mebibyte;
const metadata = {
  snippet: { title: 'Sea', description: 'The sea.\n\nAt dawn. ', categoryId: '22' },
  status: { privacyStatus: 'public' as const, selfDeclaredMadeForKids: false },
};

interface Answer {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
}
const started = (id = 'one'): Answer => ({
  headers: { location: `https://www.googleapis.com/upload/youtube/v3/videos?uploadType=resumable&upload_id=${id}` },
});
const has = (bytes: number): Answer => ({ status: 308, headers: bytes > 0 ? { range: `bytes=0-${bytes - 1}` } : {} });
const done: Answer = { status: 201, body: { kind: 'youtube#video', id: 'Ab3dEf-h1_K', status: {} } };
const gone: Answer = { status: 404, headers: { 'content-type': 'text/plain' }, body: 'Not Found' };
const serverError: Answer = { status: 503, body: { error: { code: 503, message: 'Backend Error' } } };
const hangUp = null;

/** A fake YouTube with these responses in order. It records the requests. */
async function vendor(...answers: (Answer | null)[]) {
  const requests: string[] = [];
  const authorizations = new Set<string | undefined>();
  const chunks: Buffer[] = [];
  const server = await serve(async (request, response) => {
    const bytes = Buffer.concat(await request.toArray());
    const range = request.headers['content-range'];
    const { pathname, searchParams } = new URL(request.url ?? '', 'https://www.googleapis.com');
    const session = searchParams.get('upload_id') ?? '';
    requests.push([request.method, ...(session ? [session] : [pathname]), range].filter(Boolean).join(' '));
    authorizations.add(request.headers.authorization);
    if (range && bytes.length > 0) chunks.push(bytes);
    const answer = answers.shift();
    if (!answer) return void request.socket.destroy();
    const body = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? '');
    response.writeHead(answer.status ?? 200, answer.headers).end(answer.body === undefined ? '' : body);
  });
  const host = await mediaHost();
  const steps = memorySteps();
  const account = { id: 'UC1', handle: 'ann', displayName: '', avatarUrl: null, profileUrl: null, traits: {} };
  const credentials = { accessToken: 'access-token-1', refreshToken: 'refresh-token-1', channelId: 'UC1' };
  const run = (bytes: number, { access = server.access(), runner = stepRunner } = {}) => {
    const ctx = {
      ...platformClient(access, 'youtube', new AbortController().signal),
      account,
      credentials,
      postId: 'p',
      until,
    };
    return uploadVideo(host.media(video(bytes)), metadata, { ...ctx, step: runner(steps.claim()) });
  };
  const close = () => Promise.all([server.close(), host.close()]);
  return {
    ...server,
    requests,
    chunks,
    authorizations,
    steps,
    run,
    [Symbol.asyncDispose]: async () => void (await close()),
  };
}

function video(length: number) {
  const bytes = Buffer.alloc(length, 'sea');
  for (let at = 0; at < length; at += mebibyte) bytes.writeUInt32BE(at, at);
  return { ...aVideo(), bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
}

const start = 'POST /upload/youtube/v3/videos';

test('a video is uploaded in chunks of 8 MiB and arrives complete', async () => {
  const size = 20 * mebibyte;
  await using net = await vendor(started(), has(chunk), has(2 * chunk), done);
  expect(await net.run(size)).toMatchObject({ id: 'Ab3dEf-h1_K', at: expect.any(Number), isNew: true });
  expect(net.requests).toEqual([
    start,
    `PUT one bytes 0-${chunk - 1}/${size}`,
    `PUT one bytes ${chunk}-${2 * chunk - 1}/${size}`,
    `PUT one bytes ${2 * chunk}-${size - 1}/${size}`,
  ]);
  expect(Buffer.concat(net.chunks).equals(video(size).bytes)).toBe(true);
  expect([...net.authorizations]).toEqual(['Bearer access-token-1']);
});

test('if YouTube keeps a part of a chunk, the rest is sent again', async () => {
  const size = 9 * mebibyte;
  await using net = await vendor(started(), has(5 * mebibyte), done);
  await net.run(size);
  expect(net.requests.at(-1)).toBe(`PUT one bytes ${5 * mebibyte}-${size - 1}/${size}`);
});

test('the egress guard passes the answers to chunks on', async () => {
  await using net = await vendor(started(), has(chunk), done);
  const egress = lazyEgress({ allow: [new URL(net.url).host] });
  try {
    const { id } = await net.run(9 * mebibyte, { access: { ...net.access(), fetch: egress.fetch } });
    expect(id).toBe('Ab3dEf-h1_K');
  } finally {
    await egress.close();
  }
});

describe('an upload that broke off', () => {
  const size = 10 * mebibyte;

  test('is resumed after the last byte that YouTube has, in the same session', async () => {
    await using net = await vendor(started(), has(chunk), hangUp, serverError, has(chunk + mebibyte), done);
    expect((await failureOf(net.run(size))).kind).toBe('unavailable');
    await net.run(size);
    expect(net.requests.slice(-2)).toEqual([
      `PUT one bytes */${size}`,
      `PUT one bytes ${chunk + mebibyte}-${size - 1}/${size}`,
    ]);
    expect(net.requests.filter((one) => one === start)).toHaveLength(1);
  });

  test('starts at the first byte if YouTube has none', async () => {
    await using net = await vendor(started(), hangUp, has(0), has(chunk), done);
    await failureOf(net.run(size));
    await net.run(size);
    expect(net.requests.slice(2, 4)).toEqual([`PUT one bytes */${size}`, `PUT one bytes 0-${chunk - 1}/${size}`]);
  });

  test('after its last byte has already created the video', async () => {
    await using net = await vendor(started(), hangUp, done);
    expect((await failureOf(net.run(mebibyte))).mayHaveHappened).toBe(true);
    expect((await net.run(mebibyte)).id).toBe('Ab3dEf-h1_K');
    expect(net.requests).toHaveLength(3);
  });

  test('is only looked up when the post is given up, and nothing is sent', async () => {
    await using net = await vendor(started(), hangUp, done);
    await failureOf(net.run(mebibyte));
    expect((await net.run(mebibyte, { runner: reconcilingRunner })).id).toBe('Ab3dEf-h1_K');
    await using other = await vendor(started(), hangUp, has(0));
    await failureOf(other.run(mebibyte));
    await expect(other.run(mebibyte, { runner: reconcilingRunner })).rejects.toBeInstanceOf(NothingFound);
    expect(other.chunks).toHaveLength(1);
  });

  test('before it had a session starts one', async () => {
    await using net = await vendor(hangUp, started('two'), done);
    await failureOf(net.run(mebibyte));
    await net.run(mebibyte);
    expect(net.requests.slice(1)).toEqual([start, `PUT two bytes 0-${mebibyte - 1}/${mebibyte}`]);
  });
});

describe('a failure between two chunks', () => {
  const size = 18 * mebibyte;

  test('does not end an upload that makes progress', async () => {
    await using net = await vendor(started(), has(chunk), serverError, has(chunk), has(2 * chunk), hangUp, done);
    expect((await net.run(size)).id).toBe('Ab3dEf-h1_K');
    expect(net.requests.slice(3, 5)).toEqual([
      `PUT one bytes */${size}`,
      `PUT one bytes ${chunk}-${2 * chunk - 1}/${size}`,
    ]);
  });

  test('ends an upload that makes none', async () => {
    await using net = await vendor(started(), has(chunk), serverError, has(chunk), serverError);
    expect(await failureOf(net.run(size))).toMatchObject({ kind: 'unavailable', mayHaveHappened: true });
  });

  test('ends the upload if YouTube refuses it', async () => {
    const reason = { code: 401, message: 'Invalid Credentials', errors: [{ reason: 'authError' }] };
    await using net = await vendor(started(), has(chunk), { status: 401, body: { error: reason } });
    expect((await failureOf(net.run(size))).kind).toBe('auth');
    expect(net.steps.open()).toEqual([]);
  });

  test('includes a chunk of which YouTube keeps nothing', async () => {
    await using net = await vendor(started(), has(0), has(0), has(0));
    const failure = await failureOf(net.run(size));
    expect(failure).toMatchObject({ kind: 'unavailable', message: expect.stringContaining('no progress') });
    expect(net.chunks).toHaveLength(1);
  });

  test('includes a video that is not created although YouTube has all bytes', async () => {
    await using net = await vendor(started(), ...Array.from({ length: 4 }, () => has(mebibyte)));
    expect((await failureOf(net.run(mebibyte))).kind).toBe('unavailable');
    expect(net.chunks).toHaveLength(1);
  });
});

describe('an expired session', () => {
  const channel = {
    id: 'UC1',
    snippet: { title: 'Ann' },
    contentDetails: { relatedPlaylists: { uploads: 'UU1' } },
  };
  const channels: Answer = { body: { items: [channel] } };
  const item = (videoId: string, more: { title?: string; description?: string; minutesAgo?: number } = {}) => ({
    snippet: {
      title: more.title ?? 'Sea',
      description: more.description ?? 'The sea.\r\n\r\nAt dawn.',
      publishedAt: new Date(Date.now() - (more.minutesAgo ?? 0) * 60_000).toISOString(),
    },
    contentDetails: { videoId },
  });
  const uploads = (items: unknown[], nextPageToken?: string): Answer => ({ body: { items, nextPageToken } });
  const found = async (...lists: Answer[]) => {
    await using net = await vendor(started(), hangUp, gone, channels, ...lists);
    await failureOf(net.run(mebibyte));
    return (await net.run(mebibyte)).id;
  };

  test('is replaced by a new one if it created no video', async () => {
    await using net = await vendor(started(), gone, gone, channels, uploads([]), started('two'), done);
    expect(await failureOf(net.run(mebibyte))).toMatchObject({ kind: 'unavailable', mayHaveHappened: true });
    expect((await net.run(mebibyte)).id).toBe('Ab3dEf-h1_K');
    expect(net.requests.slice(2)).toEqual([
      `PUT one bytes */${mebibyte}`,
      'GET /youtube/v3/channels',
      'GET /youtube/v3/playlistItems',
      start,
      `PUT two bytes 0-${mebibyte - 1}/${mebibyte}`,
    ]);
  });

  test('has its video among the uploads of the channel', async () => {
    const younger = item('younger', { minutesAgo: -0.01 });
    expect(await found(uploads([younger, item('ours')]))).toBe('ours');
  });

  test('has its video on any page of the uploads', async () => {
    expect(await found(uploads([item('other', { title: 'Land' })], 'more'), uploads([item('ours')]))).toBe('ours');
  });

  test.for([
    ['with another title', item('other', { title: 'Land' })],
    ['with another description', item('other', { description: 'The sea at dusk.' })],
    ['from before it', item('other', { minutesAgo: 2 })],
  ] as const)('did not create a video %s', async ([, other]) => {
    expect(await found(uploads([other]), started('two'), done)).toBe('Ab3dEf-h1_K');
  });

  test('created none on a channel without a list of uploads', async () => {
    const error = { code: 404, message: 'The playlist cannot be found.', errors: [{ reason: 'playlistNotFound' }] };
    expect(await found({ status: 404, body: { error } }, started('two'), done)).toBe('Ab3dEf-h1_K');
  });

  test('is not replaced while the uploads cannot be read', async () => {
    await using net = await vendor(started(), hangUp, gone, channels, serverError, done);
    await failureOf(net.run(mebibyte));
    expect((await failureOf(net.run(mebibyte))).kind).toBe('unavailable');
    expect(net.steps.open()).toEqual(['video']);
    expect((await net.run(mebibyte)).id).toBe('Ab3dEf-h1_K');
    expect(net.chunks).toHaveLength(1);
  });

  test('is not replaced endlessly', async () => {
    const again = (next: string): Answer[] => [gone, channels, uploads([]), started(next), gone];
    await using net = await vendor(
      ...[started('one'), gone],
      ...again('two'),
      ...[gone, channels, uploads([]), ...again('three')],
      ...[gone, channels, uploads([]), gone, channels, uploads([]), gone, channels, uploads([])],
    );
    for (const _ of [1, 2, 3]) expect((await failureOf(net.run(mebibyte))).kind).toBe('unavailable');
    expect((await failureOf(net.run(mebibyte))).kind).toBe('rejected');
    expect(net.requests.filter((one) => one === start)).toHaveLength(3);
  });
});

test.for([
  'https://evil.example/upload',
  'https://evil-googleapis.com/upload',
  'http://www.googleapis.com/upload',
  'upload',
  '',
])('a session outside Google gets neither the token nor the video: "%s"', async (location) => {
  await using net = await vendor({ headers: { location } });
  expect((await failureOf(net.run(mebibyte))).kind).toBe('unavailable');
  expect(net.requests).toEqual([start]);
});

test('an answer without a video id is in doubt, and the session resolves it', async () => {
  await using net = await vendor(started(), { body: { kind: 'youtube#video' } }, done);
  expect(await failureOf(net.run(mebibyte))).toMatchObject({ kind: 'unavailable', mayHaveHappened: true });
  expect((await net.run(mebibyte)).id).toBe('Ab3dEf-h1_K');
  expect(net.chunks).toHaveLength(1);
});
