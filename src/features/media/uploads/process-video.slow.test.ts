import { randomUUID } from 'node:crypto';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { contractBody } from '../../../../test/support/documents/contract-body.ts';
import { fixture, pdf, videoNames } from '../../../../test/support/files/inspection.ts';
import { anImage, aVideo } from '../../../../test/support/files/media.ts';
import { testServer } from '../../../../test/support/service/app.ts';
import {
  anotherProcess,
  drivers,
  type MediaService,
  mediaService,
  signedIn,
} from '../../../../test/support/service/media-service.ts';
import { beginForm, type FormPart, sendForm } from '../../../../test/support/service/send-form.ts';
import type { Answer, TestUser } from '../../../../test/support/service/service.ts';
import { plans } from '../../../config/plans.ts';
import { type SlowClientLimits, slowClientLimits } from '../../../foundation/http/requests/slow-clients.ts';
import type { Server } from '../../../foundation/http/server.ts';
import { type Storage, StorageError } from '../../../foundation/storage/storage.ts';
import { buildServer } from '../../../surfaces/server.ts';
import { requireApiKey } from '../../auth/access/api-key.ts';
import { requireKeyOrSession } from '../../auth/access/api-key-or-session.ts';
import { requireSession } from '../../auth/access/session.ts';
import { type UploadOptions, videoRoutes } from './routes.ts';

/** POST /process-video and GET /processing-progress (contract.md#process-video). */

const mb = 1_048_576;
let service: MediaService;
let ada: TestUser;
let group: string;

const query = async (text: string, values: unknown[] = []) => (await service.database.pool.query(text, values)).rows;
/** Deletes all records and files. */
async function startEmpty() {
  await query('delete from media');
  await query(`update orphaned_files set delete_after = '2000-01-01', delete_again_at = null`);
  await service.keptKeys();
}
const refusal = ({ status, body }: Answer) => [status, body.error];
const leftovers = async () => [
  await service.keptKeys(),
  await query('select * from orphaned_files'),
  await query('select * from media'),
];
const nothing = [[], [], []];

interface Sent {
  base?: string;
  headers?: Record<string, string>;
  chunked?: boolean;
}
const ownBase = () => service.reach(service.app.publicUrl);
const formOf = (parts: readonly FormPart[], { base = ownBase(), headers, chunked = false }: Sent = {}) => ({
  url: `${base}/api/v1/process-video`,
  headers: headers ?? { 'x-service-key': ada.apiKey },
  parts,
  chunked,
});
const send = (parts: readonly FormPart[], sent?: Sent) => sendForm(formOf(parts, sent));
const sendVideo = (bytes: Uint8Array | Iterable<Uint8Array> = aVideo().bytes, sent?: Sent) =>
  send(
    [
      ['postGroupId', group],
      ['video', { name: 'my film.mp4', bytes }],
    ],
    sent,
  );

/** All events until the end of the stream. */
async function listen(sessionId: string, { base = ownBase(), headers }: Sent = {}) {
  const url = `${base}/api/v1/processing-progress/${sessionId}`;
  const opened = Promise.withResolvers<IncomingMessage>();
  const request = httpGet(url, { agent: false, headers: headers ?? { 'x-service-key': ada.apiKey } }, opened.resolve);
  request.on('error', opened.reject);
  const response = await opened.promise;
  const lines: string[] = [];
  const ended = (async () => {
    for await (const chunk of response) lines.push(String(chunk));
    return lines.join('');
  })();
  ended.catch(() => {});
  return { response, ended, soFar: () => lines.join(''), hangUp: () => request.destroy() };
}
const eventsOf = (text: string) =>
  [...text.matchAll(/event: (\w+)\ndata: (.*)\n\n/g)].map(([, event, data]) => [event, JSON.parse(data!)]);

/** Only these routes, with limits and timeouts for this test. */
async function smallServer(
  { slowClients = slowClientLimits, ...options }: UploadOptions & { slowClients?: SlowClientLimits },
  faults: Partial<Storage> = {},
  process = service.app,
) {
  const app = { ...process, storage: { ...process.storage, ...faults } };
  const routes = (server: Server) => {
    server.addHook('onRequest', requireKeyOrSession(app, requireApiKey(app), requireSession(app)));
    server.register(async (scope) => videoRoutes(scope as unknown as Server, app, options));
  };
  const server = await testServer(app, routes, { slowClients });
  const base = await server.listen({ port: 0, host: '127.0.0.1' });
  return {
    base,
    async [Symbol.asyncDispose]() {
      await server.close();
    },
  };
}

describe.each(drivers)('with files on %s', (driver) => {
  beforeAll(async () => {
    service = await mediaService(driver);
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    await startEmpty();
    ada = await service.aUser();
    group = await service.aDraft(ada);
  });

  test('[process-video.response] a video is stored, attached and inspected', async () => {
    const answer = await sendVideo();
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        success: true,
        sessionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        mediaId: expect.stringMatching(/^[0-9a-f]{24}$/),
        url: expect.stringMatching(/my_film\.mp4$/),
      },
    ]);
    expect(await service.media(ada, group)).toMatchObject([
      {
        mediaId: answer.body.mediaId,
        status: 'ready',
        type: 'video',
        mimeType: 'video/mp4',
        sourceFileName: 'my_film.mp4',
      },
    ]);
    expect(await query('select metadata from media')).toMatchObject([
      {
        metadata: {
          width: 320,
          height: 180,
          codecName: 'h264',
          duration: expect.closeTo(4, 0),
          frameRate: expect.any(Number),
          bitRate: expect.any(Number),
        },
      },
    ]);
    const stored = await fetch(service.reach(answer.body.url));
    expect(Buffer.from(await stored.arrayBuffer()).equals(aVideo().bytes)).toBe(true);
    expect(await query('select * from orphaned_files')).toEqual([]);
  });

  test('[process-video.demotes] a scheduled post becomes a draft, with an event', async () => {
    const platforms = [await ada.aConnection()];
    const scheduledTime = new Date(service.clock.now().getTime() + 86_400_000).toISOString();
    const { body: post } = await ada.call('POST', '/create-post', { content: 'Soon', platforms, scheduledTime });
    group = post.postGroupId;
    const { body } = await sendVideo();
    expect(body).toMatchObject({
      postGroupDemoted: true,
      message: 'Post was returned to draft because its media changed. Schedule it again with update-post.',
    });
    expect(await service.demotions(group)).toEqual([
      { postGroupId: group, reason: 'media_changed', changeType: 'attach', mediaFileId: body.mediaId },
    ]);
    expect((await ada.call('GET', `/get-post/${group}`)).body.status).toBe('draft');
  });

  test.each(videoNames)('[process-video.formats] %s is known by its bytes', async (name) => {
    const { status } = await send([
      ['postGroupId', group],
      ['video', { name: 'x.bin', bytes: fixture(name) }],
    ]);
    expect([status, (await service.media(ada, group))[0].status]).toEqual([200, 'ready']);
  });

  test('[process-video.response] a damaged video is attached with status failed', async () => {
    const sessionId = randomUUID();
    const whole = fixture('moov-last.mp4');
    const bytes = whole.subarray(0, whole.length / 2);
    const { status, body } = await send([
      ['sessionId', sessionId],
      ['postGroupId', group],
      ['video', { bytes }],
    ]);
    expect(status).toBe(200);
    expect(await service.media(ada, group)).toMatchObject([{ mediaId: body.mediaId, status: 'failed' }]);
    expect(eventsOf(await (await listen(sessionId)).ended).at(-1)).toEqual(['error', { code: 'PROBE_FAILED' }]);
  });

  test('[process-video.fields] the fields may be sent in any order, with or without Content-Length', async () => {
    const [id, file] = [
      ['postGroupId', group],
      ['video', { bytes: aVideo().bytes }],
    ] as const satisfies FormPart[];
    for (const parts of [
      [id, file],
      [file, id],
    ]) {
      for (const chunked of [false, true]) expect((await send(parts, { chunked })).status).toBe(200);
    }
    expect(await service.media(ada, group)).toHaveLength(4);
  });

  test.each<[string, (file: FormPart) => FormPart[], string]>([
    ['no postGroupId', (file) => [file], 'postGroupId is required'],
    ['no id before the file', (file) => [['postGroupId', 'x'], file], 'Invalid postGroupId'],
    ['no id after the file', (file) => [file, ['postGroupId', 'x']], 'Invalid postGroupId'],
    ['no file', () => [['postGroupId', group]], 'No video file uploaded'],
    [
      'the empty file of a browser',
      () => [
        ['postGroupId', group],
        ['video', { name: '', bytes: Buffer.of() }],
      ],
      'No video file uploaded',
    ],
    [
      'a session id that is none',
      (file) => [['sessionId', 'mine'], ['postGroupId', group], file],
      'sessionId must be a UUID',
    ],
    ['two files', (file) => [['postGroupId', group], file, file], 'Send one file as video'],
  ])('[process-video.missing] %s is refused, and nothing is stored', async (_, parts, error) => {
    expect(refusal(await send(parts(['video', { bytes: aVideo().bytes }])))).toEqual([400, error]);
    expect(await leftovers()).toEqual(nothing);
  });

  test.each<[string, () => Promise<Buffer> | Buffer]>([
    ['an image', async () => (await anImage()).bytes],
    ['a PDF', () => pdf(1)],
    ['text', () => Buffer.from('Once upon a time')],
    ['nothing', () => Buffer.of()],
    ['zeros', () => Buffer.alloc(mb)],
  ])('[process-video.formats] %s is no video, and nothing is stored', async (_, make) => {
    const error = 'Unsupported video format. Allowed: MP4, MOV, AVI, MKV, WebM';
    expect(refusal(await sendVideo(await make()))).toEqual([400, error]);
    expect(await leftovers()).toEqual(nothing);
  });

  test('[process-video.state] an unknown post and a post of another user are not found, before or after the file', async () => {
    const eve = await service.aUser();
    const file: FormPart = ['video', { bytes: aVideo().bytes }];
    for (const id of ['f'.repeat(24), await service.aDraft(eve)]) {
      const named: FormPart = ['postGroupId', id];
      for (const parts of [
        [named, file],
        [file, named],
      ]) {
        expect(refusal(await send(parts))).toEqual([404, 'Post group not found']);
      }
    }
    expect(await leftovers()).toEqual(nothing);
  });

  test('[process-video.state] a post that is published or being published is not changed', async () => {
    await query(`update post_groups set processing_status = 'processing' where id = $1`, [group]);
    expect((await sendVideo()).body.code).toBe('POST_PUBLISH_IN_PROGRESS');
    await query(`update post_groups set status = 'published', processing_status = 'finished' where id = $1`, [group]);
    expect(refusal(await sendVideo())).toEqual([400, 'Cannot upload media: post is currently in published status']);
    expect(await leftovers()).toEqual(nothing);
  });

  test('[process-video.too-large] a video announced as larger than 512 MB is refused before it is sent', async () => {
    const tooLong = { 'x-service-key': ada.apiKey, 'content-length': String(513 * mb) };
    const form = formOf(
      [
        ['postGroupId', group],
        ['video', { bytes: aVideo().bytes }],
      ],
      { headers: tooLong },
    );
    const request = await beginForm(form, 1_000);
    const answered = Promise.withResolvers<IncomingMessage>();
    request.on('response', answered.resolve);
    const response = await answered.promise;
    let body = '';
    for await (const chunk of response) body += chunk;
    expect([response.statusCode, contractBody(JSON.parse(body))]).toEqual([
      413,
      { error: 'Video must be 512 MB or smaller' },
    ]);
    request.destroy();
    expect(await leftovers()).toEqual(nothing);
  });

  /** Begins to send a video of 4 MB. */
  const beginVideo = (user: TestUser, postGroupId: string, base?: string) =>
    beginForm(
      formOf(
        [
          ['postGroupId', postGroupId],
          ['video', { bytes: [aVideo().bytes, ...Array(4).fill(Buffer.alloc(mb))] }],
        ],
        { headers: { 'x-service-key': user.apiKey }, ...(base && { base }) },
      ),
      2 * mb,
    );
  const countedBytes = async () => {
    const [usage] = await query('select bytes::float from quota_usage where user_id = $1', [ada.id]);
    return usage.bytes;
  };

  test('videos that are received at the same time fit into the quota together', async () => {
    const full = plans.pro.quotas.bytes - 6 * mb;
    await query(
      'insert into quota_usage (user_id, bytes) values ($1, $2) on conflict (user_id) do update set bytes = $2',
      [ada.id, full],
    );
    const first = await beginVideo(ada, group);
    await expect.poll(countedBytes).toBeGreaterThan(full + 4 * mb);
    const second = await sendVideo([aVideo().bytes, ...Array(4).fill(Buffer.alloc(mb))]);
    expect([second.status, second.body.code]).toEqual([403, 'STORAGE_LIMIT_REACHED']);
    first.destroy();
    await expect.poll(countedBytes).toBe(full);
    await expect.poll(leftovers).toEqual(nothing);
    expect((await sendVideo()).status).toBe(200);
    expect(await countedBytes()).toBe(full + aVideo().bytes.length);
  });

  test('a video that is refused after it has arrived is deleted immediately', async () => {
    const { status } = await send([
      ['video', { bytes: aVideo().bytes }],
      ['postGroupId', 'f'.repeat(24)],
    ]);
    expect([status, await service.storedKeys(), await query('select * from orphaned_files')]).toEqual([404, [], []]);
  });

  test('two videos of an owner are received at a time, and those of others meanwhile', async () => {
    await using small = await smallServer({ turnMs: 100 });
    const eve = await service.aUser();
    const groupOfEve = await service.aDraft(eve);
    const held = [await beginVideo(eve, groupOfEve, small.base), await beginVideo(eve, groupOfEve, small.base)];
    await expect.poll(async () => (await query('select from orphaned_files')).length).toBe(2);
    const third = () =>
      send(
        [
          ['postGroupId', groupOfEve],
          ['video', { bytes: aVideo().bytes }],
        ],
        { base: small.base, headers: { 'x-service-key': eve.apiKey } },
      );
    const { status, body, headers } = await third();
    expect([status, body.code, headers['retry-after']]).toEqual([429, 'VIDEO_UPLOADS_BUSY', '30']);
    expect((await sendVideo(aVideo().bytes, { base: small.base })).status).toBe(200);
    for (const request of held) request.destroy();
    await expect.poll(async () => (await third()).status).toBe(200);
  });

  test.each([false, true])(
    '[process-video.too-large] a video that turns out too large is refused, nothing stored; chunked: %s',
    async (chunked) => {
      await using small = await smallServer({ maxBytes: 6 * mb });
      const fits = [aVideo().bytes, ...Array(5).fill(Buffer.alloc(mb))];
      const over = [...fits, Buffer.alloc(mb)];
      expect((await sendVideo(fits, { base: small.base, chunked })).status).toBe(200);
      await startEmpty();
      const answer = await sendVideo(over, { base: small.base, chunked });
      expect(refusal(answer)).toEqual([413, 'Video must be 512 MB or smaller']);
      expect(await leftovers()).toEqual(nothing);
    },
  );

  test('an interrupted upload leaves nothing behind, and listeners get an error', async () => {
    const sessionId = randomUUID();
    const listener = await listen(sessionId);
    const bytes = [aVideo().bytes, ...Array(12).fill(Buffer.alloc(mb))];
    const parts: FormPart[] = [
      ['sessionId', sessionId],
      ['postGroupId', group],
      ['video', { bytes }],
    ];
    const request = await beginForm(formOf(parts), 7 * mb);
    await expect.poll(listener.soFar).toContain('event: progress');
    expect((await query('select * from orphaned_files')).length).toBe(1);
    request.destroy();
    expect(eventsOf(await listener.ended).at(-1)).toEqual(['error', { code: 'UPLOAD_BROKEN_OFF' }]);
    await expect.poll(leftovers).toEqual(nothing);
  });

  test('a stalled upload is aborted', async () => {
    await using small = await smallServer({ slowClients: { ...slowClientLimits, transferWindowMs: 200 } });
    const form = formOf(
      [
        ['postGroupId', group],
        ['video', { bytes: aVideo().bytes }],
      ],
      { base: small.base },
    );
    const request = await beginForm(form, 5_000);
    await new Promise((resolve) => request.once('close', resolve));
    await expect.poll(leftovers).toEqual(nothing);
  });

  test.each<[string, Partial<Storage>, number, string]>([
    [
      'has no room',
      { write: () => Promise.reject(new StorageError('full', 'Full.')) },
      507,
      'The service has no storage space left for this file. Contact its operator.',
    ],
    [
      'does not answer',
      { write: () => Promise.reject(new StorageError('unavailable', 'Down.')) },
      503,
      'The service cannot reach its file storage. Try again in a few seconds.',
    ],
    ['does the unforeseen', { write: () => Promise.reject(new Error('A bug.')) }, 500, 'Failed to process video'],
  ])('a storage that %s is reported, and nothing is left behind', async (_, faults, status, error) => {
    const server = await buildServer({ ...service.app, storage: { ...service.app.storage, ...faults } });
    const base = await server.listen({ port: 0, host: '127.0.0.1' });
    expect(refusal(await sendVideo(aVideo().bytes, { base }))).toEqual([status, error]);
    expect(await leftovers()).toEqual(nothing);
    await server.close();
  });

  test('[process-video] an API key or a session is required', async () => {
    const headers = await signedIn(service, ada);
    const { status, body } = await sendVideo(aVideo().bytes, { headers });
    expect([status, (await service.media(ada, group)).length]).toEqual([200, 1]);
    const events = eventsOf(await (await listen(body.sessionId, { headers })).ended);
    expect(events.at(-1)).toEqual(['done', { mediaId: body.mediaId }]);
    expect(refusal(await sendVideo(aVideo().bytes, { headers: {} }))).toEqual([401, 'API key is required']);
    const wrongKey = { ...headers, 'x-service-key': 'wrong' };
    expect(refusal(await sendVideo(aVideo().bytes, { headers: wrongKey }))).toEqual([401, 'Invalid API key']);
    const wrongToken = { authorization: 'Bearer wrong' };
    expect(refusal(await sendVideo(aVideo().bytes, { headers: wrongToken }))).toEqual([401, 'API key is required']);
    const endedSession = { authorization: `Bearer ${'a'.repeat(32)}` };
    expect(refusal(await sendVideo(aVideo().bytes, { headers: endedSession }))).toEqual([401, 'Sign in to continue']);
  });

  test('a page of another origin cannot use the cookie of a session', async () => {
    const { authorization } = await signedIn(service, ada);
    const cookie = `crier.session_token=${authorization!.replace('Bearer ', '')}.x`;
    const foreign = { cookie, origin: 'https://evil.example' };
    expect(refusal(await sendVideo(aVideo().bytes, { headers: foreign }))).toEqual([
      403,
      'Requests from this origin are not allowed',
    ]);
    expect((await sendVideo(aVideo().bytes, { headers: { cookie } })).status).toBe(200);
  });
});

describe('[process-video.progress] processing-progress', () => {
  beforeAll(async () => {
    service = await mediaService('disk');
    ada = await service.aUser();
    group = await service.aDraft(ada);
  });
  afterAll(() => service.close());

  const video = [aVideo().bytes, ...Array(4).fill(Buffer.alloc(mb))];
  const sendAs = (sessionId: string, sent?: Sent) =>
    send(
      [
        ['sessionId', sessionId],
        ['postGroupId', group],
        ['video', { bytes: video }],
      ],
      sent,
    );

  test('a listener that connects before the upload gets each percent once, then the end', async () => {
    const sessionId = randomUUID();
    const listener = await listen(sessionId);
    expect(listener.response.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
    });
    const { body } = await sendAs(sessionId);
    expect(body.sessionId).toBe(sessionId);
    const events = eventsOf(await listener.ended);
    const percents = events.slice(0, -1).map(([, { percent }]) => percent);
    expect(events.slice(0, -1).every(([event]) => event === 'progress')).toBe(true);
    expect(percents.length).toBeGreaterThan(3);
    expect(percents).toEqual([...new Set(percents)].sort((a, b) => a - b));
    expect([percents.at(-1), events.at(-1)]).toEqual([99, ['done', { mediaId: body.mediaId }]]);
  });

  test('a listener that connects during the upload gets the current percentage, one after it the outcome', async () => {
    const sessionId = randomUUID();
    const parts: FormPart[] = [
      ['sessionId', sessionId],
      ['postGroupId', group],
      ['video', { bytes: video }],
    ];
    const request = await beginForm(formOf(parts), 2 * mb);
    const early = await listen(sessionId);
    await expect.poll(early.soFar).toMatch(/event: progress\ndata: \{"percent":[1-9]/);
    const late = await listen(sessionId);
    await expect.poll(late.soFar).toMatch(/^: listening\n\nevent: progress\ndata: \{"percent":[1-9]/);
    request.destroy();
    const end = ['error', { code: 'UPLOAD_BROKEN_OFF' }];
    expect(eventsOf(await early.ended).at(-1)).toEqual(end);
    expect(eventsOf(await late.ended).at(-1)).toEqual(end);
    expect(eventsOf(await (await listen(sessionId)).ended)).toEqual([end]);
  });

  test.each<[string, () => Promise<unknown>, FormPart[], string]>([
    ['is no video', async () => {}, [['video', { bytes: Buffer.from('text') }]], 'VIDEO_FORMAT_REFUSED'],
    ['does not come', async () => {}, [], 'VIDEO_MISSING'],
    [
      'is for a post on its way',
      () => query(`update post_groups set processing_status = 'processing' where id = $1`, [group]),
      [['video', { bytes: video }]],
      'POST_PUBLISH_IN_PROGRESS',
    ],
  ])('a listener for a file that %s gets an error', async (_, before, parts, code) => {
    group = await service.aDraft(ada);
    await before();
    const sessionId = randomUUID();
    const listener = await listen(sessionId);
    await send([['sessionId', sessionId], ['postGroupId', group], ...parts]);
    expect(eventsOf(await listener.ended).at(-1)).toEqual(['error', { code }]);
    group = await service.aDraft(ada);
  });

  test('a listener that is connected to another process gets the same events', async () => {
    const sessionId = randomUUID();
    await using other = await anotherProcess(service);
    await using elsewhere = await smallServer({}, {}, other.app);
    await expect.poll(() => other.app.listener.connected).toBe(true);
    const [here, there] = [await listen(sessionId), await listen(sessionId, { base: elsewhere.base })];
    const { body } = await sendAs(sessionId);
    const events = eventsOf(await there.ended);
    expect(events.at(-1)).toEqual(['done', { mediaId: body.mediaId }]);
    expect(events.length).toBeGreaterThan(3);
    expect(events).toEqual(eventsOf(await here.ended));
    const late = await listen(sessionId, { base: elsewhere.base });
    expect(eventsOf(await late.ended)).toEqual([['done', { mediaId: body.mediaId }]]);
  });

  test('another user gets no events, even with the id of the session', async () => {
    const eve = await service.aUser();
    const sessionId = randomUUID();
    const stranger = await listen(sessionId, { headers: { 'x-service-key': eve.apiKey } });
    await sendAs(sessionId);
    const after = await listen(sessionId, { headers: { 'x-service-key': eve.apiKey } });
    expect(eventsOf(await (await listen(sessionId)).ended).at(-1)).toMatchObject(['done', {}]);
    expect([stranger.soFar(), after.soFar()]).toEqual([': listening\n\n', ': listening\n\n']);
    stranger.hangUp();
    after.hangUp();
  });

  test('a listener for an unknown session gets an error after some heartbeats', async () => {
    await using small = await smallServer({ sessionTimeoutMs: 400, heartbeatMs: 100 });
    const text = await (await listen(randomUUID(), { base: small.base })).ended;
    expect(text).toContain(': still here\n\n');
    expect(eventsOf(text)).toEqual([['error', { code: 'SESSION_NOT_FOUND' }]]);
  });

  test('a listener whose key is revoked hears no more', async () => {
    await using small = await smallServer({ heartbeatMs: 100 });
    const eve = await service.aUser();
    const listener = await listen(randomUUID(), { base: small.base, headers: { 'x-service-key': eve.apiKey } });
    await expect.poll(listener.soFar).toContain(': still here\n\n');
    await service.database.pool.query('update api_keys set revoked_at = now() where user_id = $1', [eve.id]);
    expect(eventsOf(await listener.ended)).toEqual([]);
  });

  test('a malformed id is refused', async () => {
    const answer = await ada.call('GET', '/processing-progress/nonsense');
    expect(refusal(answer)).toEqual([400, 'sessionId must be a UUID']);
  });

  test('a server that stops ends all streams', async () => {
    const server = await buildServer(service.app);
    const base = await server.listen({ port: 0, host: '127.0.0.1' });
    const listener = await listen(randomUUID(), { base });
    await server.close();
    expect(await listener.ended).toBe(': listening\n\n');
  });
});
