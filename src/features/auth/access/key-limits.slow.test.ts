import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { testApp, testClock } from '../../../../test/support/service/app.ts';
import { type TestService, type TestUser, testService } from '../../../../test/support/service/service.ts';
import { type Scope, scopeNames } from '../../../foundation/http/scopes.ts';
import { buildServer } from '../../../surfaces/server.ts';
import { createKey } from '../../accounts/operator/keys.ts';
import { setAccess } from '../../accounts/operator/switches.ts';
import { systemActor } from '../../audit/actors.ts';
import { changeApiKey } from '../api-keys/api-keys.ts';

const clock = testClock();
let service: TestService;
let ada: TestUser;
let managedId: string;
beforeAll(async () => {
  service = await testService({ clock });
  ada = await service.aUser();
  await setAccess(service.app, ada.id, { workspace: true });
  managedId = (await ada.call('POST', '/workspace/users', { username: 'client@example.com' })).body.user._id;
});
afterAll(() => service.close());

type Limits = { scopes?: Scope[]; expiresAt?: string; allowedAddresses?: string[] };
const aKey = async (limits: Limits, user = ada.id) => {
  const key = await createKey(service.app, { user, ...limits });
  onTestFinished(async () => {
    await service.app.db.deleteFrom('api_keys').where('id', '=', key.id).execute();
  });
  return key;
};

/** A server in another process of the same service. */
async function anotherServer(environment: Record<string, string> = {}) {
  const { app, close } = await testApp({ database: service.database, clock, environment });
  const server = await buildServer(app);
  onTestFinished(async () => {
    await server.close();
    await close();
  });
  return server;
}

async function ask(
  key: string,
  { at = service.server, from = '192.0.2.7', url = '/platform-limits', headers = {} as Record<string, string> } = {},
) {
  const answer = await at.inject({
    url: `/api/v1${url}`,
    remoteAddress: from,
    headers: { 'x-service-key': key, ...headers },
  });
  return { status: answer.statusCode, body: answer.json(), headers: answer.headers };
}
/** Creates a key for the managed user. */
async function mint(key: string) {
  const url = `/api/v1/workspace/users/${managedId}/api-key`;
  const answer = await service.server.inject({ method: 'POST', url, headers: { 'x-service-key': key } });
  return { status: answer.statusCode, body: answer.json() };
}
const keysOf = (userId: string) =>
  service.app.db.selectFrom('api_keys').select(['id', 'revoked_at']).where('user_id', '=', userId).execute();
/** The key cache uses the test clock, which is stopped, so only a notification evicts an entry. */
const onceNotified = { interval: 20 };

interface Keyed {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  scopes: readonly string[];
}

/** The routes that accept an API key, with the scope that the reference documents. */
async function keyedRoutes(): Promise<Keyed[]> {
  const { paths } = await service.server.openapi('all');
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { security = [] }]) =>
      security.flatMap(({ apiKey }) =>
        apiKey ? [{ method: method.toUpperCase() as Keyed['method'], path, scopes: apiKey }] : [],
      ),
    ),
  );
}

describe('the scopes of a key', () => {
  test('each route with a key needs exactly one, and this is the list', async () => {
    const byScope = Object.groupBy(await keyedRoutes(), ({ scopes }) => scopes.join(' '));
    const list = Object.fromEntries(
      Object.entries(byScope).map(([scope, routes]) => [
        scope,
        routes!.map((one) => `${one.method} ${one.path}`).sort(),
      ]),
    );
    expect(list).toEqual({
      read: [
        'GET /account-context',
        'GET /connections/{platformId}/avatar',
        'GET /dashboard/posts/{postGroupId}',
        'GET /events',
        'GET /get-post/{postGroupId}',
        'GET /labels',
        'GET /linkedin-mentionables',
        'GET /list-posts',
        'GET /next-slot',
        'GET /platform-connections',
        'GET /platform-limits',
        'GET /post-logs/{postGroupId}',
        'GET /posting-slots',
        'POST /linkedin-account-statistics',
        'POST /linkedin-followers',
        'POST /linkedin-post-statistics',
        'POST /linkedin-profile-summary',
        'POST /post-statistics',
        'POST /profile-statistics',
        'POST /test-connection/{platformId}',
        'POST /validate-post',
      ],
      write: [
        'DELETE /delete-post/{postGroupId}',
        'DELETE /linkedin-comments',
        'DELETE /linkedin-reactions',
        'PATCH /labels/{label}',
        'POST /create-post',
        'POST /delete-posts',
        'POST /import',
        'POST /linkedin-comments',
        'POST /linkedin-reactions',
        'POST /linkedin-reshare',
        'POST /reschedule-posts',
        'POST /retry-post/{postGroupId}',
        'PUT /posting-slots',
        'PUT /update-post/{postGroupId}',
      ],
      media: [
        'DELETE /media/{mediaId}',
        'DELETE /post/{postGroupId}/media/{mediaId}',
        'GET /media',
        'GET /processing-progress/{sessionId}',
        'PATCH /media/{mediaId}',
        'POST /attach-media/{postGroupId}',
        'POST /complete-media/{mediaFileId}',
        'POST /get-upload-url',
        'POST /media',
        'POST /post/{postGroupId}/media',
        'POST /process-video',
        'POST /upload-instagram-cover',
        'POST /upload-youtube-thumbnail',
      ],
      webhooks: [
        'DELETE /webhooks/{webhookId}',
        'GET /webhooks',
        'GET /webhooks/{webhookId}/deliveries',
        'PATCH /webhooks/{webhookId}',
        'POST /webhooks',
        'POST /webhooks/deliveries/{deliveryId}/resend',
        'POST /webhooks/trigger',
        'POST /webhooks/{webhookId}/regenerate-secret',
        'POST /webhooks/{webhookId}/test',
      ],
      workspace: [
        'DELETE /workspace/users/{userId}',
        'DELETE /workspace/users/{userId}/avatar',
        'DELETE /workspace/users/{userId}/connection-url',
        'GET /workspace/users',
        'GET /workspace/users/{userId}/avatar',
        'PATCH /workspace/users/{userId}',
        'POST /workspace/users',
        'POST /workspace/users/attach',
        'POST /workspace/users/{userId}/api-key',
        'POST /workspace/users/{userId}/connection-url',
        'PUT /workspace/users/{userId}/avatar',
      ],
    });
  });

  test.each(scopeNames)(
    'a key with %s alone is refused on every route that needs another, and on no other',
    async (scope) => {
      const { rawKey } = await aKey({ scopes: [scope] });
      for (const { method, path, scopes } of await keyedRoutes()) {
        // An allowed stream's response never ends.
        if (path === '/events' && scope === 'read') continue;
        const url = `/api/v1${path.replace(/\{\w+\}/g, 'f'.repeat(24))}`;
        const answer = await service.server.inject({ method, url, headers: { 'x-service-key': rawKey } });
        const [needed] = scopes;
        if (needed === scope) {
          expect([url, answer.body]).not.toEqual([url, expect.stringContaining('INSUFFICIENT_SCOPE')]);
          continue;
        }
        expect([url, answer.statusCode, answer.json()]).toMatchObject([
          url,
          403,
          {
            error: `This API key does not have the scope "${needed}"`,
            code: 'INSUFFICIENT_SCOPE',
            requiredScope: needed,
          },
        ]);
      }
    },
  );

  test('acting for a managed user needs the scope workspace too; naming its own user needs nothing', async () => {
    const asManaged = { url: '/account-context', headers: { 'x-service-user-id': managedId } };
    const { rawKey: reads } = await aKey({ scopes: ['read'] });
    expect((await ask(reads, asManaged)).body).toMatchObject({
      requiredScope: 'workspace',
      hint: expect.stringContaining('PATCH /auth/api-keys/{keyId}'),
    });
    expect((await ask(reads, { ...asManaged, headers: { 'x-service-user-id': ada.id } })).status).toBe(200);
    const { rawKey: manages } = await aKey({ scopes: ['workspace'] });
    expect((await ask(manages, asManaged)).body).toMatchObject({ requiredScope: 'read' });
    const { rawKey: both } = await aKey({ scopes: ['read', 'workspace'] });
    expect((await ask(both, asManaged)).body.context.actorUserId).toBe(managedId);
  });

  const limitedKeys: [string, () => Limits][] = [
    ['scopes', () => ({ scopes: ['workspace'] })],
    ['all scopes but one', () => ({ scopes: scopeNames.filter((scope) => scope !== 'media') })],
    ['an expiry', () => ({ expiresAt: new Date(clock.now().getTime() + 60_000).toISOString() })],
    ['addresses', () => ({ allowedAddresses: ['127.0.0.1', '10.0.0.0/8'] })],
  ];
  test.each(limitedKeys)(
    'a key that is limited by %s makes no key for a managed user, which would have no limits',
    async (_, limits) => {
      const before = await keysOf(managedId);
      const { rawKey } = await aKey(limits());
      const { status, body } = await mint(rawKey);
      expect([status, body]).toMatchObject([
        403,
        {
          error: 'This API key is restricted, so it cannot create keys for managed users',
          code: 'API_KEY_LIMITED',
          hint: expect.stringContaining('use the dashboard'),
        },
      ]);
      expect(await keysOf(managedId)).toEqual(before);
    },
  );

  test.each(limitedKeys)('a key that is limited by %s neither makes nor sees connection links', async (_, limits) => {
    const path = `/workspace/users/${managedId}/connection-url`;
    const made = await ada.call('POST', path);
    expect(made.status).toBe(200);
    const { rawKey } = await aKey(limits());
    for (const payload of [{}, { rotate: true }]) {
      const headers = { 'x-service-key': rawKey };
      const answer = await service.server.inject({ method: 'POST', url: `/api/v1${path}`, headers, payload });
      expect([answer.statusCode, answer.json()]).toMatchObject([
        403,
        {
          error: 'This API key is restricted, so it cannot get connection links of managed users',
          code: 'API_KEY_LIMITED',
        },
      ]);
    }
    const linkSeenBy = async (key: string) => {
      const { users } = (await ask(key, { url: '/workspace/users', from: '127.0.0.1' })).body;
      return users.find((user: { _id: string }) => user._id === managedId).connectionsPageUrl;
    };
    expect(await linkSeenBy(rawKey)).toBeNull();
    expect(await linkSeenBy((await aKey({})).rawKey)).toBe(made.body.url);
  });

  test('a key that names all scopes is not limited', async () => {
    const { rawKey } = await aKey({ scopes: [...scopeNames] });
    expect((await mint(rawKey)).status).toBe(200);
  });

  test('HEAD needs what GET needs', async () => {
    const { rawKey } = await aKey({ scopes: ['write'] });
    const request = { method: 'HEAD', url: '/api/v1/list-posts', headers: { 'x-service-key': rawKey } } as const;
    expect((await service.server.inject(request)).statusCode).toBe(403);
  });
});

describe('the expiry of a key', () => {
  test('ends it at that moment in every process, although its access is cached', async () => {
    const other = await anotherServer();
    const expiresAt = new Date(clock.now().getTime() + 2000).toISOString();
    const { rawKey } = await aKey({ expiresAt });
    for (const at of [service.server, other]) expect((await ask(rawKey, { at })).status).toBe(200);
    clock.advance({ seconds: 1.999 });
    for (const at of [service.server, other]) expect((await ask(rawKey, { at })).status).toBe(200);
    clock.advance({ seconds: 0.001 });
    for (const at of [service.server, other]) {
      const { status, body } = await ask(rawKey, { at });
      expect([status, body]).toEqual([
        401,
        {
          error: 'Invalid API key',
          code: 'INVALID_API_KEY',
          hint: `This key expired at ${expiresAt}. Create a new one with POST /auth/api-keys.`,
          requestId: expect.any(String),
        },
      ]);
    }
  });

  test('an expired key does not count as used', async () => {
    const { rawKey, id } = await aKey({ expiresAt: new Date(clock.now().getTime() + 1000).toISOString() });
    clock.advance({ seconds: 1 });
    expect((await ask(rawKey)).status).toBe(401);
    const row = await service.app.db
      .selectFrom('api_keys')
      .select('last_used_at')
      .where('id', '=', id)
      .executeTakeFirst();
    expect(row).toEqual({ last_used_at: null });
  });
});

describe('a change of what a key is limited to', () => {
  test.each<[string, object, object, object]>([
    ['scopes', { scopes: ['write' as const] }, { code: 'INSUFFICIENT_SCOPE' }, { scopes: null }],
    [
      'allowedAddresses',
      { allowedAddresses: ['10.0.0.0/8'] },
      { code: 'ADDRESS_NOT_ALLOWED' },
      { allowedAddresses: null },
    ],
  ])('%s reaches every process immediately, both ways', async (_, change, refused, undone) => {
    const other = await anotherServer();
    const { rawKey, id } = await aKey({});
    const both = [service.server, other];
    for (const at of both) expect((await ask(rawKey, { at })).status).toBe(200);
    await changeApiKey(service.app, ada.id, id, change, systemActor);
    for (const at of both) {
      await expect.poll(async () => (await ask(rawKey, { at })).body, onceNotified).toMatchObject(refused);
    }
    await changeApiKey(service.app, ada.id, id, undone, systemActor);
    for (const at of both) await expect.poll(async () => (await ask(rawKey, { at })).status, onceNotified).toBe(200);
  });

  test('an earlier expiry reaches every process immediately, and a later one opens the key again', async () => {
    const other = await anotherServer();
    const { rawKey, id } = await aKey({});
    expect((await ask(rawKey, { at: other })).status).toBe(200);
    const inASecond = new Date(clock.now().getTime() + 1000);
    await changeApiKey(service.app, ada.id, id, { expiresAt: inASecond }, systemActor);
    clock.advance({ seconds: 1 });
    await expect.poll(async () => (await ask(rawKey, { at: other })).status, onceNotified).toBe(401);
    await changeApiKey(service.app, ada.id, id, { expiresAt: null }, systemActor);
    await expect.poll(async () => (await ask(rawKey, { at: other })).status, onceNotified).toBe(200);
  });
});

describe('the addresses of a key', () => {
  const allowedAddresses = ['203.0.113.7', '10.0.0.0/8', '2001:db8::/32'];

  test.each(['203.0.113.7', '10.9.8.7', '::ffff:10.9.8.7', '::ffff:cb00:7107', '2001:db8:1::9'])(
    'it works from %s',
    async (from) => {
      const { rawKey } = await aKey({ allowedAddresses });
      expect((await ask(rawKey, { from })).status).toBe(200);
    },
  );

  test.each(['203.0.113.8', '11.0.0.1', '::ffff:11.0.0.1', '2001:db9::1', '::1'])(
    'it is refused from %s, which the answer names',
    async (from) => {
      const { rawKey } = await aKey({ allowedAddresses });
      const { status, body } = await ask(rawKey, { from });
      expect([status, body]).toMatchObject([
        403,
        {
          error: 'This API key cannot be used from this IP address',
          code: 'ADDRESS_NOT_ALLOWED',
          address: from,
          hint: expect.stringContaining('allowedAddresses'),
        },
      ]);
    },
  );

  test('a caller cannot make up an address with X-Forwarded-For', async () => {
    const { rawKey } = await aKey({ allowedAddresses });
    const forwarded = { headers: { 'x-forwarded-for': '10.0.0.1' }, from: '198.51.100.9' };
    expect((await ask(rawKey, forwarded)).status).toBe(403);
    const at = await anotherServer({ TRUST_PROXY: '198.51.100.1' });
    expect((await ask(rawKey, { ...forwarded, at })).status).toBe(403);
  });

  test.each<[forwarded: string, proxy: string, status: number]>([
    ['10.0.0.1', '198.51.100.1', 200],
    ['::ffff:10.0.0.1', '198.51.100.1', 200],
    ['2001:db8::5', '198.51.100.1', 200],
    // A dual-stack socket reports the proxy in this form.
    ['10.0.0.1', '::ffff:198.51.100.1', 200],
    ['192.0.2.1', '198.51.100.1', 403],
    // Values sent by the caller precede the one that the proxy adds.
    ['10.0.0.1, 192.0.2.1', '198.51.100.1', 403],
    ['unknown', '198.51.100.1', 403],
    ['', '198.51.100.1', 403],
  ])(
    'behind a trusted proxy the address is the one that the proxy saw: %j by %s is %i',
    async (forwarded, from, status) => {
      const { rawKey } = await aKey({ allowedAddresses });
      const at = await anotherServer({ TRUST_PROXY: '198.51.100.1' });
      expect((await ask(rawKey, { at, from, headers: { 'x-forwarded-for': forwarded } })).status).toBe(status);
    },
  );

  test('a refused key never falls back on a session', async () => {
    const { rawKey } = await aKey({ allowedAddresses });
    const payload = { email: 'user1@example.com', password: 'long enough' };
    const { accessToken } = (
      await service.server.inject({ method: 'POST', url: '/api/v1/auth/signin', payload })
    ).json();
    const headers = { authorization: `Bearer ${accessToken}` };
    const url = `/webhooks/${'f'.repeat(24)}/deliveries`;
    expect((await ask(rawKey, { url, headers })).body.code).toBe('ADDRESS_NOT_ALLOWED');
  });
});

test('refusals count for the address, so that they cannot be asked for without end', async () => {
  const at = await anotherServer({ RATE_LIMITS: '0.1' });
  const { rawKey } = await aKey({ scopes: ['write'] });
  const { headers } = await ask(rawKey, { at });
  expect(Number(headers['ratelimit-limit'])).toBe(30);
  const statuses = new Set<number>();
  for (let asked = 0; asked < 31; asked += 1) statuses.add((await ask(rawKey, { at })).status);
  expect([...statuses]).toEqual([403, 429]);
});
