import { createHash } from 'node:crypto';
import type { LightMyRequestResponse } from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { contractBody } from '../../../../test/support/documents/contract-body.ts';
import { type TestApp, testApp, testClock, testServer } from '../../../../test/support/service/app.ts';
import { queuedMails } from '../../../../test/support/service/queued-mail.ts';
import { type Plan, plans } from '../../../config/plans.ts';
import type { Server } from '../../../foundation/http/server.ts';
import { createUser } from '../../accounts/operator/users.ts';
import { requireApiKey } from '../access/api-key.ts';
import { sessionRoutes } from '../sign-in/routes.ts';
import { apiKeyRoutes } from './routes.ts';

const clock = testClock();
let ours: TestApp;
let server: Server;
beforeAll(async () => {
  ours = await testApp({ clock });
  server = await testServer(ours.app, (api, app) => {
    sessionRoutes(api, app);
    apiKeyRoutes(api, app);
    api.get('/probe', { onRequest: requireApiKey(app) }, async ({ who }) => who);
  });
});
afterAll(async () => {
  await server.close();
  await ours.close();
});

interface Person {
  userId: string;
  email: string;
  call(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<LightMyRequestResponse>;
}

let people = 0;
/** A signed-in user without keys. */
async function aPerson(): Promise<Person> {
  people += 1;
  const payload = { email: `person${people}@example.com`, password: 'correct horse battery' };
  const answer = await server.inject({
    method: 'POST',
    url: '/api/v1/auth/signup',
    payload,
    remoteAddress: `192.0.2.${people}`,
  });
  const { accessToken, user } = answer.json();
  const headers = { authorization: `Bearer ${accessToken}` };
  return {
    userId: user._id,
    email: payload.email,
    call: (method, path, body) =>
      server.inject({
        method,
        url: `/api/v1/auth/${path}`,
        headers,
        ...(body !== undefined && { payload: body as object }),
      }),
  };
}

const use = (key: string) => server.inject({ url: '/api/v1/probe', headers: { 'x-service-key': key } });

let ada: Person;
beforeAll(async () => {
  ada = await aPerson();
});
/** A user can have 10 keys. */
afterEach(async () => {
  for (const { _id } of (await ada.call('GET', 'api-keys')).json().apiKeys) await ada.call('DELETE', `api-keys/${_id}`);
});

async function aKey(person: Person, name = 'Key') {
  return (await person.call('POST', 'api-keys', { name })).json().apiKey as {
    _id: string;
    rawKey: string;
    name: string;
  };
}

describe('[api-keys.create] POST /auth/api-keys', () => {
  test('creates a key that works immediately, and shows it only in this answer', async () => {
    const answer = await ada.call('POST', 'api-keys', { name: 'Server' });
    const { message, apiKey } = answer.json();
    expect([answer.statusCode, message]).toEqual([200, 'API key created successfully']);
    expect(apiKey).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      name: 'Server',
      keyPrefix: apiKey.rawKey.split('.')[0],
      createdAt: clock.now().toISOString(),
      lastUsedAt: null,
      scopes: ['read', 'write', 'media', 'webhooks', 'workspace'],
      expiresAt: null,
      allowedAddresses: [],
      application: null,
      rawKey: expect.stringMatching(/^sk_[0-9a-z]+_[0-9a-f]{8}\.[0-9a-f]{52}$/),
    });
    expect(Number.parseInt(apiKey.rawKey.split('_')[1], 36)).toBe(clock.now().getTime());
    expect((await use(apiKey.rawKey)).json().userId).toBe(ada.userId);
    const { rawKey: _, ...listed } = apiKey;
    const list = (await ada.call('GET', 'api-keys')).json();
    expect(list).toEqual({ apiKeys: [{ ...listed, lastUsedAt: clock.now().toISOString() }] });
  });

  test('stores only a hash of the key', async () => {
    const { rawKey } = await aKey(ada);
    const secret = rawKey.split('.')[1]!;
    const rows = await ours.app.db.selectFrom('api_keys').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(secret);
    expect(rows.map(({ key_hash }) => key_hash)).toContainEqual(createHash('sha256').update(rawKey).digest());
  });

  test.each([
    ['no body', undefined, 'Default'],
    ['no name', {}, 'Default'],
    ['the name null', { name: null }, 'Default'],
    ['an empty name', { name: '' }, 'Default'],
    ['a name of blanks', { name: ' \t ' }, 'Default'],
    ['a name of nothing but HTML', { name: '<script></script>' }, 'Default'],
    ['HTML in the name', { name: ' <b onclick="x()">My</b> key<br/> ' }, 'My key'],
    ['control characters in the name', { name: 'My\u0007 \u001b[31mkey\n' }, 'My [31mkey'],
    ['a name of 100 characters', { name: 'x'.repeat(100) }, 'x'.repeat(100)],
  ])('with %s gives the key a name', async (_, body, name) => {
    const answer = await ada.call('POST', 'api-keys', body);
    expect([answer.statusCode, answer.json().apiKey?.name]).toEqual([200, name]);
  });

  test.each([['x'.repeat(101)], [7], [['x']]])('refuses the name %j', async (name) => {
    const answer = await ada.call('POST', 'api-keys', { name });
    expect([answer.statusCode, contractBody(answer.json())]).toEqual([
      400,
      { error: 'Name must be a string with maximum 100 characters' },
    ]);
  });

  const atOnce = (count: number) => Promise.all(Array.from({ length: count }, () => ada.call('POST', 'api-keys', {})));

  test('of 50 concurrent requests, 10 get a key', async () => {
    const refused = (await atOnce(50)).filter(({ statusCode }) => statusCode !== 200);
    expect(refused).toHaveLength(40);
    for (const answer of refused) {
      expect([answer.statusCode, answer.json().error]).toEqual([400, 'Maximum of 10 active API keys allowed']);
    }
    expect((await ada.call('GET', 'api-keys')).json().apiKeys).toHaveLength(10);
  });

  test('revoking a key makes room for exactly one, also with many concurrent requests', async () => {
    await atOnce(10);
    for (let round = 0; round < 5; round += 1) {
      const { apiKeys } = (await ada.call('GET', 'api-keys')).json();
      await ada.call('DELETE', `api-keys/${apiKeys[0]._id}`);
      const made = (await atOnce(10)).filter(({ statusCode }) => statusCode === 200);
      expect(made).toHaveLength(1);
    }
  });

  test('is refused on a plan without API access', async () => {
    // Every current plan includes it. Plans are data, so the test adds one to the table.
    const all = plans as Record<string, Plan>;
    all.no_api = { ...plans.starter, features: { ...plans.starter.features, apiAccess: false } };
    const changePlan = (plan: string) =>
      ours.app.db.updateTable('users').set({ plan }).where('id', '=', ada.userId).execute();
    await changePlan('no_api');
    const refused = [403, { error: 'Your current plan does not include API access' }];
    for (const path of ['api-keys', 'generate-api-key']) {
      const answer = await ada.call('POST', path, path === 'api-keys' ? {} : undefined);
      expect([answer.statusCode, contractBody(answer.json())]).toEqual(refused);
    }
    await changePlan('pro');
    delete all.no_api;
  });
});

describe('[api-keys.rename] PATCH /auth/api-keys/:keyId', () => {
  test('renames the key', async () => {
    const { _id, rawKey: _, ...key } = await aKey(ada);
    const answer = await ada.call('PATCH', `api-keys/${_id.toUpperCase()}`, { name: ' <i>New</i> name ' });
    expect(answer.json()).toEqual({
      message: 'API key updated successfully',
      apiKey: { _id, ...key, name: 'New name' },
    });
  });

  test.each([
    ['no name', {}, 'Name is required'],
    ['an empty name', { name: '' }, 'Name is required'],
    ['a name of blanks', { name: '  ' }, 'Name is required'],
    ['a name of nothing but HTML', { name: '<br>' }, 'Name is required'],
    ['a name that is no string', { name: 7 }, 'Name is required'],
    ['a name of 101 characters', { name: 'x'.repeat(101) }, 'Name must be maximum 100 characters'],
  ])('refuses %s', async (_, body, error) => {
    const { _id } = await aKey(ada);
    const answer = await ada.call('PATCH', `api-keys/${_id}`, body);
    expect([answer.statusCode, contractBody(answer.json())]).toEqual([400, { error }]);
  });
});

describe('what a key is limited to', () => {
  const limits = {
    scopes: ['media', 'read', 'read'],
    expiresAt: '2027-06-01T02:00:00+02:00',
    allowedAddresses: ['10.1.2.3/8', '::ffff:192.0.2.7', '2001:DB8::1', '10.0.0.0/8'],
  };
  const stored = {
    scopes: ['read', 'media'],
    expiresAt: '2027-06-01T00:00:00.000Z',
    allowedAddresses: ['10.0.0.0/8', '192.0.2.7', '2001:db8::1'],
  };
  const free = {
    scopes: ['read', 'write', 'media', 'webhooks', 'workspace'],
    expiresAt: null,
    allowedAddresses: [],
  };

  test('is set with the key, listed, and changed without a name', async () => {
    const { apiKey: made } = (await ada.call('POST', 'api-keys', { name: 'Narrow', ...limits })).json();
    expect(made).toMatchObject({ name: 'Narrow', ...stored });
    expect((await ada.call('GET', 'api-keys')).json().apiKeys).toMatchObject([stored]);
    const change = { scopes: ['webhooks'] };
    const { apiKey: changed } = (await ada.call('PATCH', `api-keys/${made._id}`, change)).json();
    expect(changed).toMatchObject({ name: 'Narrow', ...stored, scopes: ['webhooks'] });
    const { apiKey: renamed } = (await ada.call('PATCH', `api-keys/${made._id}`, { name: 'Same limits' })).json();
    expect(renamed).toMatchObject({ name: 'Same limits', ...stored, scopes: ['webhooks'] });
  });

  test('null takes a limit away, at creation and later', async () => {
    const none = { scopes: null, expiresAt: null, allowedAddresses: null };
    expect((await ada.call('POST', 'api-keys', none)).json().apiKey).toMatchObject(free);
    const { apiKey: made } = (await ada.call('POST', 'api-keys', limits)).json();
    expect((await ada.call('PATCH', `api-keys/${made._id}`, none)).json().apiKey).toMatchObject(free);
  });

  const soon = '2027-04-01T00:00:00.000Z';
  const later = '2027-05-01T00:00:00.000Z';
  test.each([
    ['another scope', { scopes: ['read'] }, { scopes: ['read', 'write'] }, true],
    ['a scope less', { scopes: ['read', 'write'] }, { scopes: ['read'] }, false],
    ['a later end', { expiresAt: soon }, { expiresAt: later }, true],
    ['an earlier end', { expiresAt: later }, { expiresAt: soon }, false],
    ['no end any more', { expiresAt: later }, { expiresAt: null }, true],
    ['another address', { allowedAddresses: ['192.0.2.7'] }, { allowedAddresses: ['192.0.2.7', '192.0.2.8'] }, true],
    ['an address less', { allowedAddresses: ['192.0.2.7', '192.0.2.8'] }, { allowedAddresses: ['192.0.2.8'] }, false],
    ['every address', { allowedAddresses: ['192.0.2.7'] }, { allowedAddresses: [] }, true],
    ['only one address', {}, { allowedAddresses: ['192.0.2.7'] }, false],
    ['another name', limits, { name: 'Renamed' }, false],
  ])('a change to %s is mailed to the owner only if the key can do more', async (_, before, change, isMailed) => {
    const person = await aPerson();
    const { _id } = (await person.call('POST', 'api-keys', before)).json().apiKey;
    expect((await person.call('PATCH', `api-keys/${_id}`, change)).statusCode).toBe(200);
    const mails = await queuedMails(ours.app, person.email, 'access_added');
    expect(mails.map(({ what }) => what)).toEqual(['API key', ...(isMailed ? ['wider API key'] : [])]);
  });

  const scopesInvalid = 'scopes must be one or more of: read, write, media, webhooks, workspace';
  const addressesInvalid = 'allowedAddresses must be IP addresses or CIDR ranges, at most 50';
  test.each([
    [{ scopes: [] }, scopesInvalid],
    [{ scopes: ['admin'] }, scopesInvalid],
    [{ scopes: 'read' }, scopesInvalid],
    [{ expiresAt: 'tomorrow' }, 'expiresAt must be a valid ISO date-time'],
    [{ expiresAt: '2028-01-01' }, 'expiresAt must be a valid ISO date-time'],
    [{ expiresAt: 7 }, 'expiresAt must be a valid ISO date-time'],
    [{ expiresAt: '2027-03-04T05:06:07Z' }, 'expiresAt must be in the future'],
    [{ allowedAddresses: ['localhost'] }, addressesInvalid],
    [{ allowedAddresses: ['10.0.0.0/33'] }, addressesInvalid],
    [{ allowedAddresses: '10.0.0.1' }, addressesInvalid],
    [{ allowedAddresses: Array.from({ length: 51 }, (_, at) => `10.0.0.${at}`) }, addressesInvalid],
  ])('%j is refused, at creation and later', async (body, error) => {
    const { _id } = await aKey(ada);
    for (const answer of [await ada.call('POST', 'api-keys', body), await ada.call('PATCH', `api-keys/${_id}`, body)]) {
      expect([answer.statusCode, contractBody(answer.json())]).toEqual([400, { error }]);
    }
  });
});

describe('[api-keys.revoke] DELETE /auth/api-keys/:keyId', () => {
  test('makes the key invalid and keeps its row', async () => {
    const { _id, rawKey } = await aKey(ada);
    expect((await use(rawKey)).statusCode).toBe(200);
    const answer = await ada.call('DELETE', `api-keys/${_id}`);
    expect([answer.statusCode, contractBody(answer.json())]).toEqual([
      200,
      { message: 'API key revoked successfully' },
    ]);
    await expect.poll(async () => contractBody((await use(rawKey)).json())).toEqual({ error: 'Invalid API key' });
    expect((await ada.call('GET', 'api-keys')).json()).toEqual({ apiKeys: [] });
    const row = await ours.app.db.selectFrom('api_keys').select('revoked_at').where('id', '=', _id).executeTakeFirst();
    expect(row).toEqual({ revoked_at: clock.now() });
  });

  test('of a revoked key answers 404', async () => {
    const { _id } = await aKey(ada);
    await ada.call('DELETE', `api-keys/${_id}`);
    expect((await ada.call('DELETE', `api-keys/${_id}`)).statusCode).toBe(404);
    expect((await ada.call('PATCH', `api-keys/${_id}`, { name: 'Again' })).statusCode).toBe(404);
  });
});

describe('[api-keys.key-id] keys by id', () => {
  test.each(['PATCH', 'DELETE'] as const)('%s refuses a malformed id', async (method) => {
    for (const id of ['1', 'g'.repeat(24), '0'.repeat(25), '%00']) {
      const answer = await ada.call(method, `api-keys/${id}`, method === 'PATCH' ? { name: 'x' } : undefined);
      expect([answer.statusCode, contractBody(answer.json())]).toEqual([400, { error: 'Invalid key ID format' }]);
    }
  });

  test.each(['PATCH', 'DELETE'] as const)('%s does not find unknown keys or keys of other users', async (method) => {
    const grace = await aPerson();
    const { _id, rawKey } = await aKey(grace, "Grace's");
    for (const id of ['0'.repeat(24), _id]) {
      const answer = await ada.call(method, `api-keys/${id}`, method === 'PATCH' ? { name: 'Mine' } : undefined);
      expect([answer.statusCode, contractBody(answer.json())]).toEqual([404, { error: 'API key not found' }]);
    }
    expect((await use(rawKey)).statusCode).toBe(200);
    expect((await grace.call('GET', 'api-keys')).json().apiKeys[0].name).toBe("Grace's");
  });
});

describe('[api-keys.current] POST /auth/generate-api-key', () => {
  test('replaces the current key and no other', async () => {
    const { rawKey } = await aKey(ada);
    const first = (await ada.call('POST', 'generate-api-key')).json();
    expect(first).toEqual({
      message: 'API key generated successfully',
      apiKey: expect.stringMatching(/^sk_[0-9a-z]+\.[0-9a-f]{52}$/),
    });
    expect((await use(first.apiKey)).json().userId).toBe(ada.userId);
    const second = (await ada.call('POST', 'generate-api-key')).json();
    await expect.poll(async () => (await use(first.apiKey)).statusCode).toBe(401);
    expect((await use(second.apiKey)).statusCode).toBe(200);
    expect((await use(rawKey)).statusCode).toBe(200);
  });

  test('leaves one current key after many concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => ada.call('POST', 'generate-api-key')));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(10).fill(200));
    const works = await Promise.all(
      answers.map(async (answer) => (await use(answer.json().apiKey)).statusCode === 200),
    );
    expect(works.filter(Boolean)).toHaveLength(1);
  });

  test('does not count towards the 10 keys, and the key is listed and can be revoked like the others', async () => {
    const { apiKey } = (await ada.call('POST', 'generate-api-key')).json();
    for (let at = 0; at < 10; at += 1) expect((await ada.call('POST', 'api-keys', {})).statusCode).toBe(200);
    const { apiKeys } = (await ada.call('GET', 'api-keys')).json();
    const current = apiKeys.find((key: { keyPrefix: string }) => key.keyPrefix === apiKey.split('.')[0]);
    await ada.call('DELETE', `api-keys/${current._id}`);
    await expect.poll(async () => (await use(apiKey)).statusCode).toBe(401);
  });
});

test.each([
  ['GET', 'api-keys'],
  ['POST', 'api-keys'],
  ['PATCH', `api-keys/${'0'.repeat(24)}`],
  ['DELETE', `api-keys/${'0'.repeat(24)}`],
  ['POST', 'generate-api-key'],
] as const)('[auth.session-routes] %s /auth/%s needs a session; an API key is none', async (method, path) => {
  const { apiKey } = await createUser(ours.app, {
    email: `${method}${path.length}@example.com`,
    password: 'correct horse battery',
    plan: 'pro',
  });
  for (const headers of [{}, { 'x-service-key': apiKey }, { authorization: `Bearer ${apiKey}` }]) {
    const answer = await server.inject({ method, url: `/api/v1/auth/${path}`, headers });
    expect([answer.statusCode, contractBody(answer.json())]).toEqual([401, { error: 'Sign in to continue' }]);
  }
});
