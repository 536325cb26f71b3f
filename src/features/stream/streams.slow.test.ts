import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { anImage } from '../../../test/support/files/media.ts';
import { killableApi } from '../../../test/support/processes/killable-api.ts';
import { publishDue } from '../../../test/support/publishing/publish-due.ts';
import { testApp } from '../../../test/support/service/app.ts';
import { type EventClient, openEvents } from '../../../test/support/service/event-stream.ts';
import { type MediaService, mediaService, signedIn } from '../../../test/support/service/media-service.ts';
import type { TestUser } from '../../../test/support/service/service.ts';
import { testPassword } from '../../../test/support/service/user.ts';
import { webhookEvents } from '../../foundation/events/catalogue.ts';
import { streamChanges } from '../../foundation/events/stream-events.ts';
import { buildServer } from '../../surfaces/server.ts';
import { setAccess } from '../accounts/operator/switches.ts';
import { openStreamCount } from './metrics.ts';
import { currentCursor, deleteOldChanges, recordChanges } from './queries.ts';
import { openStreams, streamLimits } from './streams.ts';

let service: MediaService;
let base: string;
let ada: TestUser;
let connection: string;
const opened: EventClient[] = [];

beforeAll(async () => {
  service = await mediaService();
  base = service.reach(service.app.publicUrl);
});
afterAll(() => service.close());
beforeEach(async () => {
  ada = await service.aUser();
  connection = await ada.aConnection();
  await recorded(ada);
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((client) => client.close()));
});

/**
 * A stream sends `reload` if a transaction that began before its recording is long-running. It may belong to another
 * database, because a server numbers all transactions together, and other tests share the server. So start the
 * recording before the test.
 */
async function recorded({ id }: TestUser): Promise<void> {
  await recordChanges(service.app.db, [id]);
  await eventually(async () => expect((await currentCursor(service.app.db, [id])).isSettled).toBe(true));
}

interface Opening {
  by?: TestUser;
  at?: string;
  query?: string;
  after?: string | undefined;
  headers?: Record<string, string>;
}

async function listen({ by = ada, at = base, query = '', after, headers }: Opening = {}): Promise<EventClient> {
  const credentials = headers ?? { 'x-service-key': by.apiKey };
  const resumed: Record<string, string> = after === undefined ? {} : { 'last-event-id': after };
  const client = await openEvents(`${at}/api/v1/events${query}`, { ...credentials, ...resumed });
  opened.push(client);
  return client;
}

async function aDraft(content = 'Hello', by = ada, platform = connection): Promise<string> {
  const { body } = await by.call('POST', '/create-post', { content, platforms: [platform] });
  return body.postGroupId;
}

/** Creates a last post and waits for its event, so that the test can assert that nothing else arrived. */
async function lastly(client: EventClient, by = ada): Promise<void> {
  const { body } = await by.call('POST', '/create-post', {
    content: 'The last',
    platforms: [by === ada ? connection : await by.aConnection()],
  });
  await eventually(() => expect(client.of('post').map(({ postGroupId }) => postGroupId)).toContain(body.postGroupId));
}

describe('what a stream tells', () => {
  test('a post is created, changed and deleted, in this order', async () => {
    const client = await listen();
    expect(client.response.headers.get('content-type')).toBe('text/event-stream');
    const postGroupId = await aDraft();
    await ada.call('PUT', `/update-post/${postGroupId}`, { content: 'Changed' });
    await ada.call('DELETE', `/delete-post/${postGroupId}`);
    const changes = await client.until('post', 3);
    expect(changes.map(({ change }) => change)).toEqual(['created', 'updated', 'deleted']);
    for (const each of changes) expect(each).toEqual(streamChanges.post.data.parse({ ...each, postGroupId }));
  });

  test('a target goes from scheduled to published, and its first comment is posted', async () => {
    const client = await listen();
    const { body } = await ada.call('POST', '/create-post', {
      content: 'Now',
      platforms: [connection],
      publishNow: true,
      firstComment: { text: 'First' },
    });
    await publishDue(service.app);
    await publishDue(service.app);
    await eventually(() => expect(client.of('comment').at(-1)?.statuses).toEqual(['posted']));
    const { posts } = (await ada.call('GET', `/get-post/${body.postGroupId}`)).body;
    const [{ _id, postedId, permalink }] = posts;
    const last = client.of('target').at(-1);
    expect(last).toMatchObject({ postId: _id, status: 'published', postedId, permalink, errorCode: null });
    const statuses = client.of('target').map(({ status }) => status);
    expect([...new Set(statuses)]).toEqual(['pending', 'processing', 'published']);
    expect(client.of('post').at(-1)).toMatchObject({ change: 'updated', status: 'published' });
    for (const each of client.of('target')) expect(streamChanges.target.data.parse(each)).toEqual(each);
    for (const each of client.of('comment')) expect(streamChanges.comment.data.parse(each)).toEqual(each);
  });

  test('connections, files and webhooks change', async () => {
    const client = await listen();
    const other = await ada.aConnection();
    const postGroupId = await aDraft();
    const { mediaId } = await service.aReadyFile(ada, (await anImage({ type: 'png' })).bytes, { postGroupId });
    const hook = { name: 'Mine', url: 'https://example.com/hook', events: [webhookEvents.postFailed.name] };
    const { _id: webhookId } = (await ada.call('POST', '/webhooks', hook)).body.webhook;
    await ada.call('PATCH', `/webhooks/${webhookId}`, { isActive: false });
    await ada.call('DELETE', `/webhooks/${webhookId}`);
    const webhooks = await client.until('webhook', 3);
    expect(client.of('connection')[0]).toEqual({
      change: 'created',
      platformId: other,
      platform: 'mastodon',
      needsReconnect: false,
    });
    expect(client.of('media')).toEqual([
      { change: 'created', mediaId, postGroupId, status: 'uploading' },
      { change: 'updated', mediaId, postGroupId, status: 'ready' },
    ]);
    expect(webhooks).toEqual([
      { change: 'created', webhookId, isActive: true },
      { change: 'updated', webhookId, isActive: false },
      { change: 'deleted', webhookId, isActive: false },
    ]);
  });

  test('what happens to a post without being seen is not sent', async () => {
    await aDraft();
    const client = await listen();
    await service.database.pool.query('update platform_posts set run_at = null, updated_at = now()');
    await service.database.pool.query('update post_groups set updated_at = now()');
    await lastly(client);
    expect(client.of('target')).toEqual([]);
    expect(client.of('post')).toHaveLength(1);
  });

  test('says which parameters do not exist, because it has no other answer', async () => {
    const client = await listen({ query: '?formt=webhook' });
    const field = { code: 'UNKNOWN_FIELD', field: 'formt', didYouMean: 'format', message: expect.any(String) };
    expect(client.of('ready')).toEqual([{ warnings: [field] }]);
    expect((await listen()).of('ready')).toEqual([{}]);
  });

  test('only the events that are asked for', async () => {
    const client = await listen({ query: '?events=connection,webhook' });
    await aDraft();
    await ada.aConnection();
    await client.until('connection');
    expect(client.of('post')).toEqual([]);
    const refused = await listen({ query: '?events=post,nonsense' });
    expect([refused.response.status, await refused.response.json()]).toMatchObject([
      400,
      { code: 'STREAM_EVENTS_UNKNOWN', field: 'events', hint: expect.stringContaining('connection') },
    ]);
  });

  test('nothing of another user, with or without their cursor', async () => {
    const eve = await service.aUser();
    const mine = await listen();
    await aDraft();
    await mine.until('post');
    const [fresh, resumed] = [await listen({ by: eve }), await listen({ by: eve, after: mine.lastId() })];
    const postGroupId = await aDraft();
    await mine.until('post', 2);
    await lastly(fresh, eve);
    await lastly(resumed, eve);
    for (const client of [fresh, resumed]) expect(JSON.stringify(client.events())).not.toContain(postGroupId);
  });

  test('a session is as good as a key, and nothing is sent without either', async () => {
    const client = await listen({ headers: await signedIn(service, ada) });
    await aDraft();
    await client.until('post');
    const anonymous = await listen({ headers: {} });
    expect(anonymous.response.status).toBe(401);
  });

  test('what another process changes', async () => {
    const client = await listen();
    const { app, close } = await testApp({ database: service.database });
    const server = await buildServer(app);
    const made = await server.inject({
      method: 'POST',
      url: '/api/v1/create-post',
      headers: { 'x-service-key': ada.apiKey },
      payload: { content: 'From there', platforms: [connection] },
    });
    const { postGroupId } = made.json();
    expect(await client.until('post')).toEqual([{ change: 'created', postGroupId, status: 'draft' }]);
    await server.close();
    await close();
  });
});

describe('a client that comes back', () => {
  test('gets what it missed, from another process after its own was killed', async () => {
    await using api = await killableApi(service);
    const first = await listen({ at: api.url });
    const seen = await aDraft('Seen');
    await first.until('post');
    await eventually(() => expect(first.lastId()).toBeDefined());
    await api.kill();
    await first.ended;
    const missed = [await aDraft('Missed'), await aDraft('Missed, too')];
    const second = await listen({ after: first.lastId() });
    const received = (await second.until('post', 2)).map(({ postGroupId }) => postGroupId);
    expect(received).toEqual(missed);
    expect(received).not.toContain(seen);
    const later = await aDraft('Later');
    expect((await second.until('post', 3)).at(-1)).toMatchObject({ postGroupId: later });
    expect(second.of('reload')).toEqual([]);
  });

  test('gets a change whose transaction began earlier and commits later than what it has seen', async () => {
    const [early, late] = [await aDraft(), await aDraft()];
    const client = await listen();
    const change = `update post_groups set version = version + 1 where id = $1`;
    const transaction = await service.database.pool.connect();
    await transaction.query('begin');
    await transaction.query(change, [early]);
    await service.database.pool.query(change, [late]);
    expect(await client.until('post')).toMatchObject([{ postGroupId: late }]);
    await eventually(() => expect(client.lastId()).toMatch(/^\d+:\d+:\d+/));
    const lastId = client.lastId();
    await client.close();
    const during = await listen({ after: lastId });
    await transaction.query('commit');
    transaction.release();
    const after = await listen({ after: lastId });
    for (const each of [during, after]) {
      expect(await each.until('post')).toMatchObject([{ postGroupId: early }]);
      expect(each.of('reload')).toEqual([]);
    }
  });

  test('is asked to reload if what it missed is deleted', async () => {
    const client = await listen();
    const lastId = client.lastId();
    await client.close();
    await aDraft();
    await service.database.pool.query(`update changes set created_at = now() - interval '61 minutes'`);
    await deleteOldChanges(service.app.db);
    const back = await listen({ after: lastId });
    await back.until('reload');
    expect(back.of('post')).toEqual([]);
    await lastly(back);
    expect(back.of('reload')).toHaveLength(1);
  });

  test('is asked to reload if the recording has ended', async () => {
    const client = await listen();
    const lastId = client.lastId();
    await client.close();
    await service.database.pool.query(`update stream_users set expires_at = now() - interval '1 second'`);
    await deleteOldChanges(service.app.db);
    await aDraft();
    const back = await listen({ after: lastId });
    await back.until('reload');
    expect(back.of('post')).toEqual([]);
  });

  test('is asked to reload if it missed more than can be replayed', async () => {
    const client = await listen();
    const lastId = client.lastId();
    await client.close();
    await service.database.pool.query(
      `insert into changes (user_id, kind, data) select $1, 'post', '{}' from generate_series(1, 2001)`,
      [ada.id],
    );
    const back = await listen({ after: lastId });
    await back.until('reload');
    expect(back.of('post')).toEqual([]);
  });

  test.each([
    'nonsense',
    '1',
    '5:4:',
    '1:5:9',
    '3:5:4,3',
    '0:0:',
    '9'.repeat(3000),
    "1:1:'; drop table users",
    '1:2:,',
  ])('is asked to reload if its cursor is %s', async (after) => {
    const client = await listen({ after });
    expect(client.response.status).toBe(200);
    await client.until('reload');
    await lastly(client);
  });

  test('a cursor from the future or the distant past does no harm', async () => {
    for (const after of ['1:1:', '9000000000000000000:9000000000000000000:']) {
      const client = await listen({ after });
      await lastly(client);
    }
  });
});

test('a change that was under way when the stream opened leads to a reload, once it is visible', async () => {
  const eve = await service.aUser();
  const postGroupId = await aDraft('Under way', eve, await eve.aConnection());
  const transaction = await service.database.pool.connect();
  await transaction.query('begin');
  await transaction.query('update post_groups set version = version + 1 where id = $1', [postGroupId]);
  const client = await listen({ by: eve });
  expect(client.of('reload')).toEqual([]);
  await lastly(client, eve);
  await transaction.query('commit');
  transaction.release();
  await client.until('reload');
  expect(client.of('reload')).toHaveLength(1);
});

test('rows from the future, as after a restore on another server, do no harm', async () => {
  const future = '9000000000000000000';
  await service.database.pool.query('update stream_users set complete_from = $1::text::xid8', [future]);
  await service.database.pool.query(
    `insert into changes (user_id, xid, kind, data) values ($1, $2::text::xid8, 'media', '{}')`,
    [ada.id, future],
  );
  const second = await listen();
  await lastly(second);
  await second.close();
  await aDraft();
  const third = await listen({ after: second.lastId() });
  await lastly(third);
  expect([...second.events(), ...third.events()].map(({ name }) => name)).toEqual([
    'ready',
    'post',
    'ready',
    'post',
    'post',
  ]);
});

describe('the end of a stream', () => {
  test('a user can have 20 streams', async () => {
    const clients = await Promise.all(Array.from({ length: 21 }, () => listen()));
    const statuses = clients.map(({ response }) => response.status).sort();
    expect(statuses).toEqual([...Array(20).fill(200), 429]);
    const [refused] = clients.filter(({ response }) => response.status === 429);
    expect(await refused!.response.json()).toMatchObject({ code: 'TOO_MANY_STREAMS' });
    await clients.find(({ response }) => response.ok)!.close();
    await eventually(async () => expect((await listen()).response.status).toBe(200));
  });

  test('it ends when its key is revoked', async () => {
    const client = await listen();
    await service.database.pool.query('update api_keys set revoked_at = now() where user_id = $1', [ada.id]);
    await client.ended;
    expect((await listen()).response.status).toBe(401);
  });

  describe('it ends with its session, without waiting for the next check,', () => {
    const newPassword = { currentPassword: testPassword, newPassword: 'copper lantern drifting' };
    type Credentials = Record<string, string>;
    const call = (method: 'GET' | 'POST' | 'DELETE', path: string, headers: Credentials, payload?: object) =>
      service.server.inject({ method, url: `/api/v1/auth/${path}`, headers, ...(payload && { payload }) });

    test.for<[way: string, end: (own: Credentials, other: Credentials) => ReturnType<typeof call>]>([
      ['when its user signs out', (own) => call('POST', 'signout', own)],
      ['when another session ends it', (_, other) => call('DELETE', 'sessions', other)],
      ['when the password changes', (_, other) => call('POST', 'password/change', other, newPassword)],
    ])('%s', { timeout: 60_000 }, async ([, end]) => {
      const [own, other] = [await signedIn(service, ada), await signedIn(service, ada)];
      const streams = openStreams(service.app, { ...streamLimits, recheckMs: 3_600_000 });
      const body = await streams.open({
        userId: ada.id,
        ownerId: ada.id,
        lastEventId: undefined,
        asWebhook: false,
        names: null,
        isAllowed: async () => (await call('GET', 'session', own)).statusCode === 200,
      });
      const ended = once(body.resume(), 'end');
      expect((await end(own, other)).statusCode).toBe(200);
      await ended;
      await streams.close();
    });
  });

  test('it ends when the user it is about leaves the workspace, whether the owner listens with a key or a session', async () => {
    const owner = await service.aUser();
    await setAccess(service.app, owner.id, { workspace: true });
    await service.database.pool.query('update users set parent_user_id = $1 where id = $2', [owner.id, ada.id]);
    const acting = { 'x-service-user-id': ada.id };
    const session = await signedIn(service, owner);
    const byKey = await listen({ headers: { 'x-service-key': owner.apiKey, ...acting } });
    const bySession = await listen({ headers: { ...session, ...acting } });
    expect([byKey.response.status, bySession.response.status]).toEqual([200, 200]);
    expect((await owner.call('DELETE', `/workspace/users/${ada.id}`)).status).toBe(200);
    await Promise.all([byKey.ended, bySession.ended]);
    expect((await listen({ headers: { ...session, ...acting } })).response.status).toBe(403);
  });

  test('a client that does not read is dropped, and others are served meanwhile', async () => {
    const socket = connect({ port: Number(new URL(base).port), host: '127.0.0.1' });
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write(`GET /api/v1/events HTTP/1.1\r\nhost: x\r\nx-service-key: ${ada.apiKey}\r\n\r\n`);
    await once(socket, 'data');
    socket.pause();
    const client = await listen();
    const openStreams = async () => Number((await openStreamCount.get()).values[0]?.value);
    await eventually(async () => expect(await openStreams()).toBe(2));
    // One after the other: changes that arrive together are too long for one batch, and become a short "reload".
    for (let sent = 1; (await openStreams()) > 1; sent += 1) {
      expect(sent).toBeLessThan(100);
      await service.database.pool.query(
        `insert into changes (user_id, kind, data) values ($1, 'media', jsonb_build_object('text', repeat('x', 500000)))`,
        [ada.id],
      );
      await client.until('media', sent);
    }
    await lastly(client);
    socket.destroy();
  });

  test('a server that closes ends its streams immediately', async () => {
    const { app, close } = await testApp({ database: service.database });
    const server = await buildServer(app);
    const at = await server.listen({ port: 0, host: '127.0.0.1' });
    const client = await listen({ at });
    const begun = performance.now();
    await Promise.all([server.close(), client.ended]);
    expect(performance.now() - begun).toBeLessThan(3000);
    await close();
  });

  test('limits for slow clients do not concern it', async () => {
    const { app, close } = await testApp({ database: service.database });
    const limits = { headersMs: 200, bodyMs: 200, transferWindowMs: 200, transferBytesPerSecond: 10_000 };
    const server = await buildServer(app, { slowClients: limits });
    const client = await listen({ at: await server.listen({ port: 0, host: '127.0.0.1' }) });
    const outcome = await Promise.race([
      client.ended.then(() => 'ended'),
      new Promise((resolve) => setTimeout(resolve, 1500, 'still open')),
    ]);
    expect(outcome).toBe('still open');
    await lastly(client);
    await server.close();
    await close();
  });
});
