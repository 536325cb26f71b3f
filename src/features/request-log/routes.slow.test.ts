import { type CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { signedIn } from '../../../test/support/service/media-service.ts';
import { type TestService, type TestUser, testService } from '../../../test/support/service/service.ts';
import type { DB } from '../../foundation/db/schema.gen.ts';
import { buildServer } from '../../surfaces/server.ts';
import { createKey } from '../accounts/operator/keys.ts';
import { setAccess } from '../accounts/operator/switches.ts';
import { keptCalls, listCalls, pruneCalls } from './request-log.ts';
import { filterOf, ListRequests } from './schema.ts';

let service: TestService;
let ada: TestUser;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());
beforeEach(async () => {
  ada = await service.aUser();
});

const query = async (text: string, values: unknown[] = []) => (await service.database.pool.query(text, values)).rows;

interface PlanNode {
  'Relation Name'?: string;
  Plans?: PlanNode[];
}
const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** The requests on this user's page. */
async function requests(user: TestUser, parameters = '') {
  const headers = await signedIn(service, user);
  const answer = await service.server.inject({ url: `/api/v1/dashboard/requests${parameters}`, headers });
  expect(answer.statusCode).toBe(200);
  return answer.json();
}

/** Calls are stored about a second after they were made. */
const untilListed = (user: TestUser, count: number, parameters = '') =>
  eventually(
    async () => {
      const listed = await requests(user, parameters);
      expect(listed.requests).toHaveLength(count);
      return listed;
    },
    { interval: 100 },
  );

const store = (userId: string, count: number) =>
  query(
    `with added as (
      insert into request_log (user_id, id, owner_id, acted_for, at, method, path, status, duration_ms, key_prefix, client,
        request_id)
      select $1, lpad(to_hex(n), 24, '0'), $1, $1, now(), 'GET', '/list-posts', case when n % 10 = 0 then 500 else 200 end, 1,
        'sk_x', 'api', n from generate_series(1, $2::int) n
    )
    insert into request_log_sizes values ($1, $2::int) on conflict (user_id) do update set calls = request_log_sizes.calls + $2::int`,
    [userId, count],
  );

describe('the log of API calls', () => {
  test('has route, status, code, duration, key and client of each, the newest first', async () => {
    await ada.call('GET', '/list-posts?platform=secret-query', undefined, { 'x-request-id': 'first' });
    await ada.call('POST', '/validate-post', { content: 'secret-body' }, { 'x-service-client': 'n8n' });
    const { requests: listed, pagination } = await untilListed(ada, 2);
    expect(listed).toEqual([
      {
        _id: expect.stringMatching(/^[0-9a-f]{24}$/),
        at: expect.any(String),
        method: 'POST',
        path: '/validate-post',
        status: 400,
        code: expect.any(String),
        durationMs: expect.any(Number),
        keyPrefix: ada.apiKey.split('.')[0],
        client: 'n8n',
        requestId: expect.any(String),
        userId: ada.id,
      },
      expect.objectContaining({ method: 'GET', path: '/list-posts', status: 200, code: null, requestId: 'first' }),
    ]);
    expect(pagination).toMatchObject({ page: 1, totalItems: 2, totalPages: 1 });
  });

  test('holds no address, query, body, key, cookie, or header that is not on the list', async () => {
    const id = 'f'.repeat(24);
    await ada.call(
      'PUT',
      `/update-post/${id}?q=secret-query`,
      { content: 'secret-body' },
      {
        cookie: 'a=secret-cookie',
        authorization: 'Bearer secret-token',
        referer: 'https://example.com/secret-page',
        'x-forwarded-for': 'secret-address',
        'x-custom': 'secret-header',
        'user-agent': `my app ${ada.apiKey} and Bearer secret-agent`,
      },
    );
    await untilListed(ada, 1);
    const [row] = await query('select to_jsonb(request_log)::text as text from request_log where user_id = $1', [
      ada.id,
    ]);
    expect(row.text).toContain('/update-post/{postGroupId}');
    expect(row.text).not.toMatch(new RegExp(`secret-|${id}|${ada.apiKey.split('.')[1]}`));
  });

  test('can be filtered by errors, and has pages', async () => {
    await store(ada.id, 40);
    const { requests: failed, pagination } = await requests(ada, '?errors=true&limit=3&page=2');
    expect(pagination).toMatchObject({ totalItems: 4, totalPages: 2, hasPrevPage: true, hasNextPage: false });
    expect(failed.map(({ status, requestId }: Record<string, unknown>) => [status, requestId])).toEqual([[500, '10']]);
  });

  test.each([
    ['status=5xx', [500]],
    ['path=/list-posts&status=5xx', [500]],
    ['q=list-posts%20500', [500]],
    ['key=sk_x&q=500', [500]],
    ['path=/other', []],
    ['key=sk_', []],
    ['q=%25', []],
  ])('can be searched: ?%s', async (parameters, statuses) => {
    await store(ada.id, 10);
    await store((await service.aUser()).id, 10);
    const listed = await requests(ada, `?${parameters}`);
    expect(listed.requests.map(({ status }: { status: number }) => status)).toEqual(statuses);
    expect(listed).toMatchObject({ keys: ['sk_x'], paths: ['/list-posts'] });
  });

  test('finds calls by the name of their key', async () => {
    const { apiKeys } = (
      await service.server.inject({ url: '/api/v1/auth/api-keys', headers: await signedIn(service, ada) })
    ).json();
    await ada.call('GET', '/list-posts');
    const [word] = apiKeys[0].name.toUpperCase().split(' ');
    expect((await requests(ada, `?q=${encodeURIComponent(word)}`)).requests).toHaveLength(1);
    expect((await requests(ada, `?q=${encodeURIComponent(`${word} other-key`)}`)).requests).toEqual([]);
  });

  test('finds calls by the name of a revoked key', async () => {
    const { rawKey, id } = await createKey(service.app, { user: ada.id, name: 'Gone tomorrow' });
    await ada.call('GET', '/list-posts', undefined, { 'x-service-key': rawKey });
    await query('update api_keys set revoked_at = now() where id = $1', [id]);
    expect((await requests(ada, '?q=tomorrow')).requests).toHaveLength(1);
  });

  test('looks each key up once, however many calls, words and keys there are', async () => {
    await query(
      `insert into api_keys (id, user_id, kind, name, key_prefix, key_hash)
       select gen_random_uuid(), $1, 'dashboard', 'Key', 'sk_' || n, sha256(($1 || n)::bytea) from generate_series(1, 2000) n`,
      [ada.id],
    );
    await store(ada.id, keptCalls);
    await query(
      `update request_log set key_prefix = 'sk_' || ('x' || right(id, 8))::bit(32)::int % 10 where user_id = $1`,
      [ada.id],
    );
    await query('analyze api_keys, request_log');
    const asked: CompiledQuery[] = [];
    const { pool } = service.database;
    const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }), log: (event) => void asked.push(event.query) });
    const filter = filterOf(ListRequests.parse({ q: 'key get list posts 200' }));
    const { calls } = await listCalls({ ...service.app, db }, ada.id, { ...filter, page: 1, limit: 50 });
    expect(calls).toHaveLength(50);
    const { sql, parameters } = asked[0]!;
    const { rows } = await pool.query(`explain (analyze, format json) ${sql}`, [...parameters]);
    const lookUps = nodesOf(rows[0]['QUERY PLAN'][0].Plan).filter((node) => node['Relation Name'] === 'api_keys');
    expect(lookUps).toMatchObject([{ 'Node Type': 'Index Scan', 'Actual Loops': 10 }]);
  });

  test('finds a call by its request id, and shows its headers, error and hint to its owner alone', async () => {
    const sent = { 'x-request-id': 'find-me', 'user-agent': `curl/8 ${'x '.repeat(200)}` };
    await ada.call('GET', `/get-post/${'f'.repeat(24)}`, undefined, sent);
    // The call is stored before the list is read.
    const { requests: found } = await requests(ada, '?q=FIND-ME');
    expect(found).toHaveLength(1);
    const read = async (user: TestUser, id: string) => {
      const url = `/api/v1/dashboard/requests/${id}`;
      return service.server.inject({ url, headers: await signedIn(service, user) });
    };
    const { request } = (await read(ada, found[0]._id)).json();
    expect(request).toMatchObject({
      ...found[0],
      requestHeaders: { 'user-agent': expect.stringMatching(/^curl\/8 x .*…$/) },
      responseHeaders: { 'content-type': 'application/json; charset=utf-8' },
      error: 'Post group not found',
      hint: expect.stringContaining('GET /list-posts'),
    });
    expect(request.requestHeaders['user-agent']).toHaveLength(200);
    expect((await read(await service.aUser(), found[0]._id)).json()).toMatchObject({
      code: 'LOGGED_REQUEST_NOT_FOUND',
    });
    expect((await read(ada, 'x')).statusCode).toBe(404);
  });

  test('has refused calls too: wrong scope, wrong address', async () => {
    const reader = await createKey(service.app, { user: ada.id, name: 'Narrow', scopes: ['read'] });
    const elsewhere = await createKey(service.app, { user: ada.id, name: 'Far', allowedAddresses: ['203.0.113.1'] });
    await ada.call('POST', '/create-post', {}, { 'x-service-key': reader.rawKey });
    await ada.call('GET', '/list-posts', undefined, { 'x-service-key': elsewhere.rawKey });
    const { requests: listed } = await untilListed(ada, 2);
    expect(listed.map(({ code }: { code: string }) => code)).toEqual(['ADDRESS_NOT_ALLOWED', 'INSUFFICIENT_SCOPE']);
  });

  test('has no calls of the dashboard, and none with a key that does not exist', async () => {
    const headers = await signedIn(service, ada);
    await service.server.inject({ url: '/api/v1/list-posts', headers });
    await ada.call('GET', '/list-posts', undefined, { 'x-service-key': `${ada.apiKey}0` });
    await ada.call('GET', '/platform-limits');
    const { requests: listed } = await untilListed(ada, 1);
    expect(listed[0].path).toBe('/platform-limits');
  });

  test('has a call of an MCP tool as the call of its route, once', async () => {
    const payload = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_posts', arguments: {} } };
    const headers = { authorization: `Bearer ${ada.apiKey}`, accept: 'application/json, text/event-stream' };
    const answer = await service.server.inject({ method: 'POST', url: '/mcp', headers, payload });
    expect(answer.statusCode).toBe(200);
    const { requests: listed } = await untilListed(ada, 1);
    expect(listed).toMatchObject([{ path: '/list-posts', client: 'mcp', status: 200 }]);
  });

  test.each([
    ['page=0', { page: 1, limit: 50 }],
    ['page=abc', { page: 1, limit: 50 }],
    ['page=1&page=2', { page: 1, limit: 50 }],
    ['limit=101', { page: 1, limit: 100 }],
    ['limit=abc', { page: 1, limit: 50 }],
  ])('?%s is answered with a warning', async (parameters, pagination) => {
    const headers = await signedIn(service, ada);
    const answer = await service.server.inject({ url: `/api/v1/dashboard/requests?${parameters}`, headers });
    expect([answer.statusCode, answer.json()]).toMatchObject([
      200,
      { pagination, warnings: [{ code: 'INVALID_VALUE', field: parameters.split('=')[0] }] },
    ]);
  });

  test('refuses a filter that is none, and says what it can be', async () => {
    const headers = await signedIn(service, ada);
    const answer = await service.server.inject({ url: '/api/v1/dashboard/requests?errors=maybe', headers });
    expect([answer.statusCode, answer.json()]).toMatchObject([
      400,
      { error: 'errors must be one of: true, false', field: 'errors', code: 'INVALID_REQUEST' },
    ]);
  });
});

describe('an owner', () => {
  test('sees the calls of managed users and for them; they see those with their own keys alone', async () => {
    await setAccess(service.app, ada.id, { workspace: true });
    const made = await eventually(async () => {
      const answer = await ada.call('POST', '/workspace/users', { username: `of-${ada.id}@example.com` });
      expect(answer.status).toBe(201);
      return answer;
    });
    const managedId: string = made.body.user._id;
    const { apiKey } = (await ada.call('POST', `/workspace/users/${managedId}/api-key`)).body;
    await ada.call('GET', '/list-posts', undefined, { 'x-service-user-id': managedId });
    await ada.call('GET', '/platform-limits', undefined, { 'x-service-key': apiKey });
    const rows = await eventually(
      async () => {
        const { requests: listed } = await requests(ada);
        expect(listed[0]?.path).toBe('/platform-limits');
        return listed;
      },
      { interval: 100 },
    );
    expect(rows.slice(0, 2)).toMatchObject([
      { path: '/platform-limits', userId: managedId, keyPrefix: apiKey.split('.')[0] },
      { path: '/list-posts', userId: managedId, keyPrefix: ada.apiKey.split('.')[0] },
    ]);
    const eve = await service.aUser();
    expect((await requests(eve)).requests).toEqual([]);
    const { calls: own } = await listCalls(service.app, managedId, {
      ...filterOf(ListRequests.parse({})),
      page: 1,
      limit: 50,
    });
    expect(own.map(({ path }) => path)).toEqual(['/platform-limits']);
  });
});

describe('how the log is written', () => {
  test('in batches: 300 calls cost few statements, and none of them waits', async () => {
    const calls = Array.from({ length: 300 }, () => ada.call('GET', '/platform-limits'));
    await Promise.all(calls);
    const written = async () => {
      const [counts] = await query(
        'select count(distinct xmin::text)::int as batches, count(*)::int as total from request_log where user_id = $1',
        [ada.id],
      );
      return counts;
    };
    await expect.poll(async () => (await written()).total).toBe(300);
    expect((await written()).batches).toBeLessThan(15);
  });

  test('a database that cannot store them delays no request, and stores them when it can', async () => {
    const blocker = await service.database.pool.connect();
    try {
      await blocker.query('begin');
      await blocker.query('lock table request_log in access exclusive mode');
      expect((await ada.call('GET', '/platform-limits')).status).toBe(200);
      const waiting = `select from pg_locks where relation = 'request_log'::regclass and not granted`;
      await expect.poll(() => query(waiting)).toHaveLength(1);
      for (let call = 0; call < 2; call += 1) await ada.call('GET', '/platform-limits');
    } finally {
      await blocker.query('rollback');
      blocker.release();
    }
    await untilListed(ada, 3);
  });

  test('what waits is written when the server closes', async () => {
    const server = await buildServer(service.app);
    await server.inject({ url: '/api/v1/platform-limits', headers: { 'x-service-key': ada.apiKey } });
    expect(await query('select from request_log where user_id = $1', [ada.id])).toEqual([]);
    await server.close();
    expect(await query('select from request_log where user_id = $1', [ada.id])).toHaveLength(1);
  });

  test('a user who was deleted meanwhile fails no calls of others', async () => {
    const gone = await service.aUser();
    const server = await buildServer(service.app);
    for (const { apiKey } of [gone, ada]) {
      await server.inject({ url: '/api/v1/platform-limits', headers: { 'x-service-key': apiKey } });
    }
    await query('delete from api_keys where user_id = $1', [gone.id]);
    await query('delete from users where id = $1', [gone.id]);
    await server.close();
    const rows = await query('select user_id from request_log where user_id in ($1, $2)', [gone.id, ada.id]);
    expect(rows).toEqual([{ user_id: ada.id }]);
  });
});

describe('pruning', () => {
  const signal = new AbortController().signal;
  const stored = async ({ id }: TestUser) => {
    const [row] = await query(
      `select count(*)::int as calls, min(id) as oldest,
        (select calls from request_log_sizes where user_id = $1) as counted from request_log where user_id = $1`,
      [id],
    );
    return row;
  };

  test('keeps the newest 1,000 of each user, and touches no user with fewer', async () => {
    const few = await service.aUser();
    await store(ada.id, 3_500);
    await store(few.id, keptCalls);
    await pruneCalls(service.app, signal);
    expect(await stored(ada)).toEqual({ calls: 1_000, counted: 1_000, oldest: (2_501).toString(16).padStart(24, '0') });
    expect(await stored(few)).toMatchObject({ calls: 1_000, counted: 1_000 });
    await pruneCalls(service.app, signal);
    expect(await stored(ada)).toMatchObject({ calls: 1_000 });
  });

  test('the list ends after 1,000 also before pruning', async () => {
    await store(ada.id, 1_100);
    const { pagination } = await requests(ada);
    expect(pagination.totalItems).toBe(1_000);
  });
});
