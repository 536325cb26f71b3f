import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type EventClient, openEvents } from '../../../test/support/service/event-stream.ts';
import { type MediaService, mediaService, signedIn } from '../../../test/support/service/media-service.ts';
import type { TestUser } from '../../../test/support/service/service.ts';
import { streamChanges } from '../../foundation/events/stream-events.ts';

let service: MediaService;
let ada: Writer;
const streams: EventClient[] = [];
beforeAll(async () => {
  service = await mediaService();
  ada = await aWriter();
});
afterAll(() => service.close());
afterEach(async () => {
  await Promise.all(streams.splice(0).map((stream) => stream.close()));
});

interface Writer extends TestUser {
  headers: Record<string, string>;
  ask(
    method: 'GET' | 'PUT' | 'DELETE',
    path?: string,
    body?: object,
    // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of the body, whatever its shape.
  ): Promise<{ status: number; body: any }>;
  save(id: string, version: number, draft: object): ReturnType<Writer['ask']>;
}

async function aWriter(): Promise<Writer> {
  const user = await service.aUser();
  const headers = await signedIn(service, user);
  const ask: Writer['ask'] = async (method, path = '', payload) => {
    const url = `/api/v1/dashboard/drafts${path}`;
    const answer = await service.server.inject({ method, url, headers, ...(payload && { payload }) });
    return { status: answer.statusCode, body: answer.json() };
  };
  return { ...user, headers, ask, save: (id, version, draft) => ask('PUT', `/${id}`, { version, draft }) };
}

const newId = () => service.app.newId();

describe('a draft of the composer', () => {
  test('is saved, read, changed and deleted', async () => {
    const id = newId();
    const draft = { text: 'Hello', channels: [], media: [{ id: 'm', altText: 'A cat' }], at: null, isThread: false };
    const saved = await ada.save(id, 0, draft);
    const first = { _id: id, version: 1, draft, updatedAt: service.clock.now().toISOString() };
    expect(saved).toEqual({ status: 200, body: first });
    expect((await ada.ask('GET', `/${id}`)).body).toEqual(first);
    service.advance(60);
    const second = { _id: id, version: 2, draft: { text: 'Hi' }, updatedAt: service.clock.now().toISOString() };
    expect((await ada.save(id, 1, { text: 'Hi' })).body).toEqual(second);
    expect((await ada.ask('GET')).body.drafts).toContainEqual(second);
    expect((await ada.ask('DELETE', `/${id}`)).body).toEqual({ success: true });
    expect((await ada.ask('GET', `/${id}`)).body).toMatchObject({ code: 'COMPOSER_DRAFT_NOT_FOUND' });
    expect((await ada.ask('DELETE', `/${id}`)).status).toBe(404);
  });

  test('can have a UUID, in any case', async () => {
    const id = crypto.randomUUID();
    await ada.save(id.toUpperCase(), 0, {});
    expect((await ada.ask('GET', `/${id}`)).body._id).toBe(id);
  });

  test('lists are in pages, the newest first', async () => {
    const eve = await aWriter();
    const ids = [newId(), newId(), newId()];
    for (const id of ids) {
      service.advance(1);
      await eve.save(id, 0, {});
    }
    service.advance(1);
    await eve.save(ids[0]!, 1, { text: 'again' });
    const page = async (number: number) => (await eve.ask('GET', `?limit=2&page=${number}`)).body;
    const [first, second] = [await page(1), await page(2)];
    const found = [first, second].map(({ drafts }) => drafts.map(({ _id }: { _id: string }) => _id));
    expect(found).toEqual([[ids[0], ids[2]], [ids[1]]]);
    expect(first.pagination).toEqual({
      page: 1,
      limit: 2,
      totalItems: 3,
      totalPages: 2,
      hasNextPage: true,
      hasPrevPage: false,
    });
  });

  test('belongs to one user: another with the same id has another draft', async () => {
    const [eve, id] = [await aWriter(), newId()];
    await ada.save(id, 0, { text: 'Of Ada' });
    expect((await eve.ask('GET', `/${id}`)).status).toBe(404);
    expect((await eve.ask('DELETE', `/${id}`)).status).toBe(404);
    expect((await eve.save(id, 0, { text: 'Of Eve' })).body.version).toBe(1);
    expect((await ada.ask('GET', `/${id}`)).body.draft).toEqual({ text: 'Of Ada' });
  });

  test('needs a session', async () => {
    const url = '/api/v1/dashboard/drafts';
    const answer = await service.server.inject({ url, headers: { 'x-service-key': ada.apiKey } });
    expect([answer.statusCode, answer.json().code]).toEqual([401, 'SESSION_REQUIRED']);
  });
});

describe('two tabs on one draft', () => {
  test('the second save is refused with what the first one saved, and can then replace it', async () => {
    const id = newId();
    await ada.save(id, 0, { text: 'Begun' });
    await ada.save(id, 1, { text: 'In one tab' });
    const refused = await ada.save(id, 1, { text: 'In the other' });
    expect([refused.status, refused.body]).toMatchObject([
      409,
      {
        code: 'DRAFT_CHANGED',
        hint: expect.any(String),
        current: { _id: id, version: 2, draft: { text: 'In one tab' } },
      },
    ]);
    expect((await ada.ask('GET', `/${id}`)).body.draft).toEqual({ text: 'In one tab' });
    expect((await ada.save(id, 2, { text: 'Both' })).body.version).toBe(3);
  });

  test('of many saves of one version at the same time, one succeeds', async () => {
    const id = newId();
    const first = await Promise.all([1, 2, 3, 4].map((tab) => ada.save(id, 0, { tab })));
    expect(first.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    const next = await Promise.all([1, 2, 3, 4].map((tab) => ada.save(id, 1, { again: tab })));
    expect(next.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  });

  test('a draft that was deleted does not come back by a save, unless as a new one', async () => {
    const id = newId();
    await ada.save(id, 0, { text: 'Begun' });
    await ada.ask('DELETE', `/${id}`);
    const refused = await ada.save(id, 1, { text: 'More' });
    expect([refused.status, refused.body.code, refused.body.current]).toEqual([409, 'DRAFT_CHANGED', null]);
    expect((await ada.save(id, 0, { text: 'More' })).body.version).toBe(1);
  });

  test('a save whose answer was lost can be repeated', async () => {
    const id = newId();
    const [begun, changed] = [{ text: 'Begun' }, { text: 'Changed', list: [1, { a: null }] }];
    for (let time = 0; time < 2; time += 1) expect((await ada.save(id, 0, begun)).body.version).toBe(1);
    for (let time = 0; time < 2; time += 1) expect((await ada.save(id, 1, changed)).body.version).toBe(2);
    expect((await ada.save(id, 0, begun)).status).toBe(409);
  });

  test('each save is sent to the streams of the user, and to no others', async () => {
    const eve = await aWriter();
    const base = service.reach(service.app.publicUrl);
    for (const { headers } of [ada, eve]) streams.push(await openEvents(`${base}/api/v1/events`, headers));
    const [id, ofEve] = [newId(), newId()];
    await ada.save(id, 0, { text: 'Begun' });
    await ada.save(id, 1, { text: 'Changed' });
    await ada.ask('DELETE', `/${id}`);
    await eve.save(ofEve, 0, {});
    const [mine, theirs] = [await streams[0]!.until('draft', 3), await streams[1]!.until('draft')];
    expect(mine).toEqual([
      { change: 'created', draftId: id, version: 1 },
      { change: 'updated', draftId: id, version: 2 },
      { change: 'deleted', draftId: id, version: 2 },
    ]);
    for (const change of mine) expect(streamChanges.draft.data.parse(change)).toEqual(change);
    expect(theirs).toEqual([{ change: 'created', draftId: ofEve, version: 1 }]);
  });
});

describe('all drafts of an owner and the managed users', () => {
  const megabyte = 1024 * 1024;
  const fill = (id: string, bytes: number) =>
    service.database.pool.query(
      `insert into quota_usage (user_id, composer_bytes) values ($1, $2)
       on conflict (user_id) do update set composer_bytes = excluded.composer_bytes`,
      [id, bytes],
    );

  test('are at most 256 MB together, also if many are saved at the same time', async () => {
    const [eve, bob] = [await aWriter(), await aWriter()];
    await service.database.pool.query('update users set parent_user_id = $1 where id = $2', [eve.id, bob.id]);
    const id = newId();
    const text = 'x'.repeat(60_000);
    await eve.save(id, 0, { text });
    await fill(eve.id, 200 * megabyte);
    await fill(bob.id, 56 * megabyte - 100_000);
    const answers = await Promise.all(Array.from({ length: 4 }, () => bob.save(newId(), 0, { text })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403]);
    const metric = 'drafts.composer_bytes';
    const refused = answers.find(({ status }) => status === 403)?.body;
    expect(refused).toMatchObject({ code: 'COMPOSER_DRAFT_LIMIT_REACHED', metric, limit: 256 * megabyte });
    expect((await eve.save(id, 1, { text: `${text}${'y'.repeat(5_000)}` })).status).toBe(200);
    expect((await bob.save(newId(), 0, { text })).status).toBe(403);
  });

  test('can always become shorter, and a deletion makes room', async () => {
    const eve = await aWriter();
    const [one, other] = [newId(), newId()];
    const text = 'x'.repeat(60_000);
    for (const id of [one, other]) await eve.save(id, 0, { text });
    await fill(eve.id, 300 * megabyte);
    expect((await eve.save(one, 1, { text: 'x' })).status).toBe(200);
    expect((await eve.save(one, 2, { text: 'xy' })).status).toBe(403);
    await fill(eve.id, 256 * megabyte);
    expect((await eve.ask('DELETE', `/${other}`)).status).toBe(200);
    expect((await eve.save(one, 2, { text: 'xy' })).status).toBe(200);
  });
});

describe('a draft is refused', () => {
  const nested = (levels: number): object => (levels === 1 ? {} : { in: nested(levels - 1) });

  test.each([
    ['an id of another form', '/not-an-id', { version: 0, draft: {} }, 400, 'COMPOSER_DRAFT_ID_INVALID'],
    ['no draft', '', { version: 0 }, 400, 'COMPOSER_DRAFT_INVALID'],
    ['a list', '', { version: 0, draft: [] }, 400, 'COMPOSER_DRAFT_INVALID'],
    ['a text', '', { version: 0, draft: 'Hello' }, 400, 'COMPOSER_DRAFT_INVALID'],
    ['no version', '', { draft: {} }, 400, 'COMPOSER_DRAFT_VERSION_INVALID'],
    ['a version below 0', '', { version: -1, draft: {} }, 400, 'COMPOSER_DRAFT_VERSION_INVALID'],
    ['a version beyond all', '', { version: 2 ** 31, draft: {} }, 400, 'COMPOSER_DRAFT_VERSION_INVALID'],
    ['more than 64 kB', '', { version: 0, draft: { text: 'ä'.repeat(32_769) } }, 413, 'COMPOSER_DRAFT_TOO_LARGE'],
    ['31 levels', '', { version: 0, draft: nested(31) }, 400, 'COMPOSER_DRAFT_TOO_DEEP'],
    ['a text that cannot be stored', '', { version: 0, draft: { text: '\0' } }, 400, 'TEXT_INVALID'],
  ])('with %s', async (_what, path, body, status, code) => {
    const answer = await ada.ask('PUT', path || `/${newId()}`, body);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  test('with 100,000 levels, which no stack holds', async () => {
    const payload = `{"version":0,"draft":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`;
    const headers = { ...ada.headers, 'content-type': 'application/json' };
    const url = `/api/v1/dashboard/drafts/${newId()}`;
    const answer = await service.server.inject({ method: 'PUT', url, headers, payload });
    expect([answer.statusCode, answer.json().code]).toEqual([413, 'BODY_TOO_LARGE']);
  });

  test('but not with exactly as much', async () => {
    const text = 'x'.repeat(65_536 - JSON.stringify({ text: '' }).length);
    expect((await ada.save(newId(), 0, { text })).status).toBe(200);
    expect((await ada.save(newId(), 0, nested(30))).status).toBe(200);
  });

  test('beyond 500, also if many are saved at the same time; changing and deleting still work', async () => {
    const eve = await aWriter();
    await service.database.pool.query(
      `insert into composer_drafts (user_id, id, version, draft, updated_at)
       select $1, lpad(n::text, 24, '0'), 1, '{}', now() from generate_series(1, 498) n`,
      [eve.id],
    );
    const answers = await Promise.all(Array.from({ length: 6 }, () => eve.save(newId(), 0, {})));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 403, 403, 403, 403]);
    expect(answers.find(({ status }) => status === 403)?.body).toMatchObject({
      code: 'COMPOSER_DRAFT_LIMIT_REACHED',
      metric: 'drafts.composer',
      limit: 500,
      used: 500,
      hint: expect.stringContaining('Delete'),
    });
    const one = '1'.padStart(24, '0');
    expect((await eve.save(one, 1, { text: 'Changed' })).status).toBe(200);
    expect((await eve.ask('DELETE', `/${one}`)).status).toBe(200);
    expect((await eve.save(newId(), 0, {})).status).toBe(200);
  });
});
