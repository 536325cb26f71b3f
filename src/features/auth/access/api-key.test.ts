import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { contractBody } from '../../../../test/support/documents/contract-body.ts';
import { type TestApp, testApp, testClock, testServer } from '../../../../test/support/service/app.ts';
import { insertTestUser } from '../../../../test/support/service/user.ts';
import { type Plan, plans } from '../../../config/plans.ts';
import type { Server } from '../../../foundation/http/server.ts';
import { createKey } from '../../accounts/operator/keys.ts';
import { setAccess } from '../../accounts/operator/switches.ts';
import { systemActor } from '../../audit/actors.ts';
import { revokeApiKey } from '../api-keys/api-keys.ts';
import { requireApiKey } from './api-key.ts';

const clock = testClock();
let ours: TestApp;
let server: Server;
/** A second process on the same database. */
let theirs: TestApp;
let otherServer: Server;
const probe = (api: Server, app: TestApp['app']) => {
  api.get('/probe', { onRequest: requireApiKey(app) }, async ({ who: { credential: _, ...who } }) => who);
};
beforeAll(async () => {
  ours = await testApp({ clock });
  server = await testServer(ours.app, probe);
  theirs = await testApp({ clock, database: ours.database });
  otherServer = await testServer(theirs.app, probe);
});
afterAll(async () => {
  await server.close();
  await otherServer.close();
  await theirs.close();
  await ours.close();
});

async function call(headers: Record<string, string>, at = server) {
  const answer = await at.inject({ url: '/api/v1/probe', headers });
  return [answer.statusCode, contractBody(answer.json())];
}

let people = 0;
async function aUser(parent?: string) {
  people += 1;
  const user = await insertTestUser(ours.app, { email: `user${people}@example.com`, plan: 'pro' });
  if (parent) await update(user.id, { parent_user_id: parent });
  return user;
}
const update = (id: string, change: { parent_user_id?: string; is_active?: boolean; plan?: string }) =>
  ours.app.db.updateTable('users').set(change).where('id', '=', id).execute();

type User = Awaited<ReturnType<typeof aUser>>;
let ada: User;
beforeAll(async () => {
  ada = await aUser();
});
const asAda = () => ({ 'x-service-key': ada.apiKey });

describe('[auth] API keys', () => {
  test('a key acts for its user', async () => {
    const who = {
      userId: ada.id,
      ownerId: ada.id,
      plan: 'pro',
      connectionQuantity: null,
      planIsDefault: false,
      features: plans.pro.features,
      connections: [],
      client: 'api',
      needs: ['api'],
      keyPrefix: ada.apiKey.split('.')[0],
      workspaceOwnerId: null,
    };
    expect(await call(asAda())).toEqual([200, who]);
  });

  test.each([[{}], [{ 'x-service-key': '' }], [{ authorization: 'Bearer sk_abc.def' }]])(
    '[auth.key-header-only] %j is no key: API key is required',
    async (headers) => {
      expect(await call(headers as Record<string, string>)).toEqual([401, { error: 'API key is required' }]);
    },
  );

  test.each([
    [{}, 'Send your API key in the header x-service-key.'],
    [
      { authorization: 'Bearer sk_abc.def' },
      'Send the API key in the header x-service-key. This route ignores the header authorization.',
    ],
    [
      { 'x-api-key': 'sk_abc.def' },
      'Send the API key in the header x-service-key. This route ignores the header x-api-key.',
    ],
  ])('[auth.key-header-only] the answer to %j says which header carries the key', async (headers, hint) => {
    const answer = await server.inject({ url: '/api/v1/probe', headers });
    expect(answer.json()).toMatchObject({ code: 'API_KEY_REQUIRED', hint });
  });

  test.each([
    ['too short', 'sk_abcdefghijkl.mno'],
    ['too long', `sk_abc.${'0'.repeat(194)}`],
    ['without a dot', `sk_${'0'.repeat(60)}`],
    ['without its mark', `pk_abc.${'0'.repeat(52)}`],
    ['with a mark in capitals', `SK_abc.${'0'.repeat(52)}`],
    ['with a blank inside', `sk_abc.${'0'.repeat(25)} ${'0'.repeat(26)}`],
    ['with a quote', `sk_abc.${'0'.repeat(51)}'`],
    ['unknown', `sk_abc.${'0'.repeat(52)}`],
    ['unknown, as short as can be', 'sk_abcdefghijklm.nop'],
    ['unknown, as long as can be', `sk_abc.${'0'.repeat(193)}`],
  ])('[auth.shape-check] a key %s: Invalid API key', async (_, key) => {
    expect(await call({ 'x-service-key': key })).toEqual([401, { error: 'Invalid API key' }]);
  });

  test('[auth.hash-decides] a changed letter makes a key unknown', async () => {
    const last = ada.apiKey.at(-1) === '0' ? '1' : '0';
    expect(await call({ 'x-service-key': ada.apiKey.slice(0, -1) + last })).toEqual([
      401,
      { error: 'Invalid API key' },
    ]);
  });

  test('[auth.inactive-owner] a key of an inactive user: Invalid API key owner', async () => {
    const gone = await aUser();
    await update(gone.id, { is_active: false });
    expect(await call({ 'x-service-key': gone.apiKey })).toEqual([401, { error: 'Invalid API key owner' }]);
  });

  test('[auth.inactive-owner] a key of a managed user whose owner is inactive: Invalid API key owner', async () => {
    const owner = await aUser();
    const managed = await aUser(owner.id);
    await update(owner.id, { is_active: false });
    expect(await call({ 'x-service-key': managed.apiKey })).toEqual([401, { error: 'Invalid API key owner' }]);
  });

  test("a managed user's own key has the plan of the owner", async () => {
    const owner = await aUser();
    const managed = await aUser(owner.id);
    await update(owner.id, { plan: 'agency' });
    const who = {
      userId: managed.id,
      ownerId: owner.id,
      plan: 'agency',
      connectionQuantity: null,
      planIsDefault: false,
      features: plans.pro.features,
      connections: [],
      client: 'api',
      needs: ['api'],
      keyPrefix: managed.apiKey.split('.')[0],
      workspaceOwnerId: null,
    };
    expect(await call({ 'x-service-key': managed.apiKey })).toEqual([200, who]);
  });
});

describe('[auth] entitlements', () => {
  // Every current plan includes both features. Plans are data, so the test adds some to the table.
  const all = plans as Record<string, Plan>;
  beforeAll(() => {
    all.no_api = { ...plans.pro, features: { ...plans.pro.features, apiAccess: false } };
    all.no_mcp = { ...plans.pro, features: { ...plans.pro.features, mcpAccess: false } };
  });
  afterAll(() => {
    delete all.no_api;
    delete all.no_mcp;
  });

  test('a plan without API access: API access is not enabled for this account', async () => {
    const user = await aUser();
    await update(user.id, { plan: 'no_api' });
    const refused = [403, { error: 'API access is not enabled for this account' }];
    expect(await call({ 'x-service-key': user.apiKey })).toEqual(refused);
  });

  test('the MCP client on a plan without MCP: MCP access is not enabled for this account', async () => {
    const user = await aUser();
    await update(user.id, { plan: 'no_mcp' });
    const key = { 'x-service-key': user.apiKey };
    const refused = [403, { error: 'MCP access is not enabled for this account' }];
    expect(await call({ ...key, 'x-service-client': 'mcp' })).toEqual(refused);
    expect(await call({ ...key, 'x-service-client': 'zapier' })).toEqual([
      200,
      expect.objectContaining({ client: 'zapier' }),
    ]);
  });

  test('the MCP client on a plan with MCP gets access', async () => {
    const answer = [200, expect.objectContaining({ client: 'mcp' })];
    expect(await call({ ...asAda(), 'x-service-client': 'mcp' })).toEqual(answer);
  });
});

describe('[conventions.user-header] x-service-user-id', () => {
  let owner: User;
  let managed: User;
  let others: User;
  beforeAll(async () => {
    owner = await aUser();
    await setAccess(ours.app, owner.id, { workspace: true });
    managed = await aUser(owner.id);
    const another = await aUser();
    await setAccess(ours.app, another.id, { workspace: true });
    others = await aUser(another.id);
  });
  const actAs = (id: string, key = owner.apiKey) => call({ 'x-service-key': key, 'x-service-user-id': id });
  const who = () => ({
    userId: managed.id,
    ownerId: owner.id,
    plan: 'pro',
    connectionQuantity: null,
    planIsDefault: false,
    features: plans.pro.features,
    connections: [],
    client: 'api',
    needs: ['api'],
    keyPrefix: owner.apiKey.split('.')[0],
    workspaceOwnerId: owner.id,
  });
  const notManaged = [403, { error: 'User is not managed by key' }];

  test('acts for a managed user, with the id in upper or lower case', async () => {
    expect(await actAs(managed.id)).toEqual([200, who()]);
    expect(await actAs(managed.id.toUpperCase())).toEqual([200, who()]);
  });

  test.each(['1', 'x'.repeat(24), '0'.repeat(23), '0'.repeat(25), "' or 1=1 --"])('%j is malformed', async (id) => {
    expect(await actAs(id)).toEqual([400, { error: 'Invalid x-service-user-id' }]);
  });

  test('[auth.check-order] a bad key is refused before a malformed id', async () => {
    const refused = [401, { error: 'Invalid API key' }];
    expect(await actAs('x', `sk_abc.${'0'.repeat(52)}`)).toEqual(refused);
    expect(await actAs('x', 'nothing like a key')).toEqual(refused);
    const gone = await aUser();
    await update(gone.id, { is_active: false });
    expect(await actAs('x', gone.apiKey)).toEqual([401, { error: 'Invalid API key owner' }]);
  });

  test('refuses unknown users, standalone users and users of other owners', async () => {
    expect(await actAs('0'.repeat(24))).toEqual(notManaged);
    expect(await actAs(ada.id)).toEqual(notManaged);
    expect(await actAs(others.id)).toEqual(notManaged);
  });

  test('refuses a managed user who is inactive', async () => {
    const gone = await aUser(owner.id);
    await update(gone.id, { is_active: false });
    expect(await actAs(gone.id)).toEqual(notManaged);
  });

  test('needs a workspace-enabled key', async () => {
    const refused = [403, { error: 'Workspace access is not enabled for this key' }];
    expect(await actAs(managed.id, ada.apiKey)).toEqual(refused);
    expect(await actAs(others.id, managed.apiKey)).toEqual(refused);
  });

  test("with the key's own user has no effect", async () => {
    expect(await actAs(ada.id, ada.apiKey)).toEqual(await call(asAda()));
    expect(await actAs(owner.id.toUpperCase())).toEqual([200, { ...who(), userId: owner.id }]);
  });
});

describe('queries for a key', () => {
  /** Counts connections taken from the pool: each statement takes one. */
  let statements = 0;
  beforeAll(() => {
    ours.app.pool.on('acquire', () => {
      statements += 1;
    });
  });
  beforeEach(() => {
    clock.advance({ seconds: 10 });
  });

  const cost = async (key: string) => {
    const before = statements;
    await call({ 'x-service-key': key });
    return statements - before;
  };

  test('none for a key that was used in the last 5 seconds', async () => {
    expect(await cost(ada.apiKey)).toBe(1);
    clock.advance({ seconds: 4 });
    expect(await cost(ada.apiKey)).toBe(0);
    clock.advance({ seconds: 1 });
    expect(await cost(ada.apiKey)).toBe(1);
  });

  test('none for a malformed key', async () => {
    expect(await cost('sk_short.x')).toBe(0);
  });

  test('lastUsedAt is written at most once a minute', async () => {
    const { rawKey, id } = await createKey(ours.app, { user: ada.id, name: 'Clock' });
    const lastUse = async () => {
      await call({ 'x-service-key': rawKey });
      const row = ours.app.db.selectFrom('api_keys').select('last_used_at').where('id', '=', id);
      return (await row.executeTakeFirstOrThrow()).last_used_at;
    };
    const first = clock.now();
    expect(await lastUse()).toEqual(first);
    clock.advance({ seconds: 59 });
    expect(await lastUse()).toEqual(first);
    clock.advance({ seconds: 6 });
    expect(await lastUse()).toEqual(clock.now());
  });
});

describe('[auth.revocation] revocation', () => {
  /** The key cache uses the test clock, which is stopped, so only a notification evicts an entry. */
  const onceNotified = { interval: 20 };
  const both = () => [server, otherServer];

  test('makes a key invalid within a second in every process, although it is cached', async () => {
    const { rawKey, id } = await createKey(ours.app, { user: ada.id, name: 'Leaked' });
    const headers = { 'x-service-key': rawKey };
    for (const at of both()) expect(await call(headers, at)).toEqual([200, expect.anything()]);
    await revokeApiKey(ours.app, ada.id, id, systemActor);
    for (const at of both()) {
      await expect.poll(() => call(headers, at), onceNotified).toEqual([401, { error: 'Invalid API key' }]);
    }
  });

  test('deactivating the user has the same effect', async () => {
    const user = await aUser();
    const headers = { 'x-service-key': user.apiKey };
    for (const at of both()) expect(await call(headers, at)).toEqual([200, expect.anything()]);
    await update(user.id, { is_active: false });
    for (const at of both()) {
      await expect.poll(() => call(headers, at), onceNotified).toEqual([401, { error: 'Invalid API key owner' }]);
    }
  });

  test('also reaches a process that missed the notification because its connection was cut', async () => {
    const { rawKey, id } = await createKey(ours.app, { user: ada.id, name: 'Unheard' });
    const headers = { 'x-service-key': rawKey };
    expect(await call(headers)).toEqual([200, expect.anything()]);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'crier-listen' and datname = current_database()`.execute(ours.app.db);
    await expect.poll(() => ours.app.listener.connected, { interval: 1 }).toBe(false);
    expect(await call(headers)).toEqual([200, expect.anything()]);
    await revokeApiKey(ours.app, ada.id, id, systemActor);
    expect(await call(headers)).toEqual([401, { error: 'Invalid API key' }]);
  });
});

test('a key works until it expires, also while it is cached', async () => {
  const { id } = await aUser();
  const inAMinute = new Date(clock.now().getTime() + 60_000).toISOString();
  const { rawKey } = await createKey(ours.app, { user: id, expiresAt: inAMinute });
  const headers = { 'x-service-key': rawKey };
  expect((await call(headers))[0]).toBe(200);
  clock.advance({ seconds: 59 });
  expect((await call(headers))[0]).toBe(200);
  clock.advance({ seconds: 1 });
  expect(await call(headers)).toEqual([401, { error: 'Invalid API key' }]);
});
