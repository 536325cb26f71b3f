import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { serve } from '../../../test/support/local-server.ts';
import { aVideo, mediaHost } from '../../../test/support/media-files.ts';
import { memorySteps } from '../../../test/support/memory-steps.ts';
import { failureOf } from '../../../test/support/platform-stage.ts';
import { lazyEgress } from '../../egress/lazy-egress.ts';
import { platformClient } from '../kit/client.ts';
import { NothingFound, reconcilingRunner, stepRunner, until } from '../kit/steps.ts';
import { uploadVideo } from './upload.ts';

const mebibyte = 1_048_576;
const piece = 8 * mebibyte;
const draft = {
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
const trouble: Answer = { status: 503, body: { error: { code: 503, message: 'Backend Error' } } };
const hangUp = null;

/** A network that gives these answers, one after the other, and remembers what it was asked. */
async function vendor(...answers: (Answer | null)[]) {
  const asked: string[] = [];
  const authorizations = new Set<string | undefined>();
  const pieces: Buffer[] = [];
  const server = await serve(async (request, response) => {
    const bytes = Buffer.concat(await request.toArray());
    const range = request.headers['content-range'];
    const { pathname, searchParams } = new URL(request.url ?? '', 'https://www.googleapis.com');
    const session = searchParams.get('upload_id') ?? '';
    asked.push([request.method, ...(session ? [session] : [pathname]), range].filter(Boolean).join(' '));
    authorizations.add(request.headers.authorization);
    if (range && bytes.length > 0) pieces.push(bytes);
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
    return uploadVideo(host.media(video(bytes)), draft, { ...ctx, step: runner(steps.claim()) });
  };
  const close = () => Promise.all([server.close(), host.close()]);
  return {
    ...server,
    asked,
    pieces,
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

test('a video goes in pieces of 8 MiB, and arrives whole', async () => {
  const size = 20 * mebibyte;
  await using net = await vendor(started(), has(piece), has(2 * piece), done);
  expect(await net.run(size)).toEqual({ videoId: 'Ab3dEf-h1_K', at: expect.any(Number), isNew: true });
  expect(net.asked).toEqual([
    start,
    `PUT one bytes 0-${piece - 1}/${size}`,
    `PUT one bytes ${piece}-${2 * piece - 1}/${size}`,
    `PUT one bytes ${2 * piece}-${size - 1}/${size}`,
  ]);
  expect(Buffer.concat(net.pieces).equals(video(size).bytes)).toBe(true);
  expect([...net.authorizations]).toEqual(['Bearer access-token-1']);
});

test('of a piece that YouTube kept in part, the rest follows', async () => {
  const size = 9 * mebibyte;
  await using net = await vendor(started(), has(5 * mebibyte), done);
  await net.run(size);
  expect(net.asked.at(-1)).toBe(`PUT one bytes ${5 * mebibyte}-${size - 1}/${size}`);
});

test('the guard through which the service goes out lets the answers to pieces pass', async () => {
  await using net = await vendor(started(), has(piece), done);
  const egress = lazyEgress({ allow: [new URL(net.url).host] });
  try {
    const { videoId } = await net.run(9 * mebibyte, { access: { ...net.access(), fetch: egress.fetch } });
    expect(videoId).toBe('Ab3dEf-h1_K');
  } finally {
    await egress.close();
  }
});

describe('an upload that broke off', () => {
  const size = 10 * mebibyte;

  test('goes on from the byte that YouTube has, in the same session', async () => {
    await using net = await vendor(started(), has(piece), hangUp, trouble, has(piece + mebibyte), done);
    expect((await failureOf(net.run(size))).kind).toBe('unavailable');
    await net.run(size);
    expect(net.asked.slice(-2)).toEqual([
      `PUT one bytes */${size}`,
      `PUT one bytes ${piece + mebibyte}-${size - 1}/${size}`,
    ]);
    expect(net.asked.filter((one) => one === start)).toHaveLength(1);
  });

  test('begins at the first byte where YouTube has none', async () => {
    await using net = await vendor(started(), hangUp, has(0), has(piece), done);
    await failureOf(net.run(size));
    await net.run(size);
    expect(net.asked.slice(2, 4)).toEqual([`PUT one bytes */${size}`, `PUT one bytes 0-${piece - 1}/${size}`]);
  });

  test('after its last byte has made the video already', async () => {
    await using net = await vendor(started(), hangUp, done);
    expect((await failureOf(net.run(mebibyte))).mayHaveHappened).toBe(true);
    expect((await net.run(mebibyte)).videoId).toBe('Ab3dEf-h1_K');
    expect(net.asked).toHaveLength(3);
  });

  test('is looked up for good when we give up on the post, and nothing is sent', async () => {
    await using net = await vendor(started(), hangUp, done);
    await failureOf(net.run(mebibyte));
    expect((await net.run(mebibyte, { runner: reconcilingRunner })).videoId).toBe('Ab3dEf-h1_K');
    await using other = await vendor(started(), hangUp, has(0));
    await failureOf(other.run(mebibyte));
    await expect(other.run(mebibyte, { runner: reconcilingRunner })).rejects.toBeInstanceOf(NothingFound);
    expect(other.pieces).toHaveLength(1);
  });

  test('before a session was had starts one', async () => {
    await using net = await vendor(hangUp, started('two'), done);
    await failureOf(net.run(mebibyte));
    await net.run(mebibyte);
    expect(net.asked.slice(1)).toEqual([start, `PUT two bytes 0-${mebibyte - 1}/${mebibyte}`]);
  });
});

describe('trouble between two pieces', () => {
  const size = 18 * mebibyte;

  test('does not end a run that gets on', async () => {
    await using net = await vendor(started(), has(piece), trouble, has(piece), has(2 * piece), hangUp, done);
    expect((await net.run(size)).videoId).toBe('Ab3dEf-h1_K');
    expect(net.asked.slice(3, 5)).toEqual([
      `PUT one bytes */${size}`,
      `PUT one bytes ${piece}-${2 * piece - 1}/${size}`,
    ]);
  });

  test('ends one that does not', async () => {
    await using net = await vendor(started(), has(piece), trouble, has(piece), trouble);
    expect(await failureOf(net.run(size))).toMatchObject({ kind: 'unavailable', mayHaveHappened: true });
  });

  test('is never the word of YouTube that it wants no more', async () => {
    const reason = { code: 401, message: 'Invalid Credentials', errors: [{ reason: 'authError' }] };
    await using net = await vendor(started(), has(piece), { status: 401, body: { error: reason } });
    expect((await failureOf(net.run(size))).kind).toBe('auth');
    expect(net.steps.open()).toEqual([]);
  });

  test('is also an answer after which nothing more was kept', async () => {
    await using net = await vendor(started(), has(0), has(0), has(0));
    const failure = await failureOf(net.run(size));
    expect(failure).toMatchObject({ kind: 'unavailable', message: expect.stringContaining('get on') });
    expect(net.pieces).toHaveLength(1);
  });

  test('is also a video that is not made although all bytes are there', async () => {
    await using net = await vendor(started(), ...Array.from({ length: 4 }, () => has(mebibyte)));
    expect((await failureOf(net.run(mebibyte))).kind).toBe('unavailable');
    expect(net.pieces).toHaveLength(1);
  });
});

describe('a session that YouTube has forgotten', () => {
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
    return (await net.run(mebibyte)).videoId;
  };

  test('makes room for a new one if it made no video', async () => {
    await using net = await vendor(started(), gone, gone, channels, uploads([]), started('two'), done);
    expect(await failureOf(net.run(mebibyte))).toMatchObject({ kind: 'unavailable', mayHaveHappened: true });
    expect((await net.run(mebibyte)).videoId).toBe('Ab3dEf-h1_K');
    expect(net.asked.slice(2)).toEqual([
      `PUT one bytes */${mebibyte}`,
      'GET /youtube/v3/channels',
      'GET /youtube/v3/playlistItems',
      start,
      `PUT two bytes 0-${mebibyte - 1}/${mebibyte}`,
    ]);
  });

  test('has its video among the uploads of the channel', async () => {
    expect(await found(uploads([item('younger'), item('ours')]))).toBe('ours');
  });

  test('has its video on whatever page of them', async () => {
    expect(await found(uploads([item('other', { title: 'Land' })], 'more'), uploads([item('ours')]))).toBe('ours');
  });

  test.for([
    ['with another title', item('other', { title: 'Land' })],
    ['with another description', item('other', { description: 'The sea at dusk.' })],
    ['from before it', item('other', { minutesAgo: 2 })],
  ] as const)('did not make a video %s', async ([, other]) => {
    expect(await found(uploads([other]), started('two'), done)).toBe('Ab3dEf-h1_K');
  });

  test('made none on a channel that has no list of uploads yet', async () => {
    const error = { code: 404, message: 'The playlist cannot be found.', errors: [{ reason: 'playlistNotFound' }] };
    expect(await found({ status: 404, body: { error } }, started('two'), done)).toBe('Ab3dEf-h1_K');
  });

  test('is not given up on while the uploads cannot be seen', async () => {
    await using net = await vendor(started(), hangUp, gone, channels, trouble, done);
    await failureOf(net.run(mebibyte));
    expect((await failureOf(net.run(mebibyte))).kind).toBe('unavailable');
    expect(net.steps.open()).toEqual(['video']);
    expect((await net.run(mebibyte)).videoId).toBe('Ab3dEf-h1_K');
    expect(net.pieces).toHaveLength(1);
  });

  test('is not replaced for ever', async () => {
    const again = (next: string): Answer[] => [gone, channels, uploads([]), started(next), gone];
    await using net = await vendor(
      ...[started('one'), gone],
      ...again('two'),
      ...[gone, channels, uploads([]), ...again('three')],
      ...[gone, channels, uploads([]), gone, channels, uploads([]), gone, channels, uploads([])],
    );
    for (const _ of [1, 2, 3]) expect((await failureOf(net.run(mebibyte))).kind).toBe('unavailable');
    expect((await failureOf(net.run(mebibyte))).kind).toBe('rejected');
    expect(net.asked.filter((one) => one === start)).toHaveLength(3);
  });
});

test.for([
  'https://evil.example/upload',
  'https://evil-googleapis.com/upload',
  'http://www.googleapis.com/upload',
  'upload',
  '',
])('a session elsewhere than at Google gets neither token nor video: "%s"', async (location) => {
  await using net = await vendor({ headers: { location } });
  expect((await failureOf(net.run(mebibyte))).kind).toBe('unavailable');
  expect(net.asked).toEqual([start]);
});

test('an answer that names no video is in doubt, and cleared up by the session', async () => {
  await using net = await vendor(started(), { body: { kind: 'youtube#video' } }, done);
  expect(await failureOf(net.run(mebibyte))).toMatchObject({ kind: 'unavailable', mayHaveHappened: true });
  expect((await net.run(mebibyte)).videoId).toBe('Ab3dEf-h1_K');
  expect(net.pieces).toHaveLength(1);
});
