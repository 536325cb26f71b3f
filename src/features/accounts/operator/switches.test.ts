import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contractBody } from '../../../../test/support/documents/contract-body.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { testClock } from '../../../../test/support/service/app.ts';
import { type TestService, type TestUser, testService } from '../../../../test/support/service/service.ts';
import { activateUser, deactivateUser, holdUser, releaseUser, setAccess, setRole } from './switches.ts';

const clock = testClock();
let service: TestService;
beforeAll(async () => {
  service = await testService({ clock });
});
afterAll(() => service.close());

const ask = async (user: TestUser, headers: Record<string, string> = {}) => {
  const { status, body } = await user.call('GET', '/platform-connections', undefined, headers);
  return [status, body.error ?? null];
};
const mcp = { 'x-service-client': 'mcp' };
const works = [200, null];

/** Processes learn about a change from a notification, which takes a moment. */
const soon = (look: () => Promise<unknown>, expected: unknown) =>
  eventually(async () => expect(await look()).toEqual(expected));

/** An owner with a managed user who has a key. */
async function aWorkspace() {
  const owner = await service.aUser();
  await setAccess(service.app, owner.id, { workspace: true });
  const username = `managed-by-${owner.id}@example.com`;
  const id = (await owner.call('POST', '/workspace/users', { username })).body.user._id as string;
  const { apiKey } = (await owner.call('POST', `/workspace/users/${id}/api-key`)).body;
  const key = { 'x-service-key': apiKey };
  return { owner, id, actAs: { 'x-service-user-id': id }, key };
}

/** A user of the dashboard. */
async function signedIn(user: TestUser) {
  const { rows } = await service.database.pool.query('select email from users where id = $1', [user.id]);
  const payload = { email: rows[0].email, password: 'long enough' };
  const answer = await service.server.inject({ method: 'POST', url: '/api/v1/auth/signin', payload });
  if (answer.statusCode !== 200) return { status: answer.statusCode, ask: async () => answer };
  const headers = { authorization: `Bearer ${answer.json().accessToken}` };
  return {
    status: 200,
    ask: (method: 'GET' | 'POST', path: string, payload: object = {}) =>
      service.server.inject({ method, url: `/api/v1${path}`, headers, ...(method === 'POST' && { payload }) }),
  };
}

describe('[auth.api-access] API access', () => {
  const disabled = [403, 'API access is not enabled for this account'];

  test('that is switched off refuses every key immediately, until it is switched on', async () => {
    const ada = await service.aUser();
    await soon(() => ask(ada), works);
    await setAccess(service.app, ada.id, { api: false });
    await soon(() => ask(ada), disabled);
    await setAccess(service.app, ada.id, { mcp: true });
    await soon(() => ask(ada), disabled);
    await setAccess(service.app, ada.id, { api: true });
    await soon(() => ask(ada), works);
  });

  test('of an owner is that of its managed users', async () => {
    const { owner, actAs, key } = await aWorkspace();
    await setAccess(service.app, owner.id, { api: false });
    await soon(() => ask(owner, actAs), disabled);
    await soon(() => ask(owner, key), disabled);
  });

  test('can be switched off for one managed user, who then gets no key either', async () => {
    const { owner, id, actAs, key } = await aWorkspace();
    await setAccess(service.app, id, { api: false });
    await soon(() => ask(owner), works);
    await soon(() => ask(owner, actAs), disabled);
    await soon(() => ask(owner, key), disabled);
    const { status, body } = await owner.call('POST', `/workspace/users/${id}/api-key`);
    expect([status, body.error]).toEqual([403, 'API access is not enabled for this workspace owner']);
  });

  test('that is switched off leaves the dashboard usable, but without new keys', async () => {
    const ada = await service.aUser();
    await setAccess(service.app, ada.id, { api: false });
    const { ask } = await signedIn(ada);
    expect((await ask('GET', '/auth/api-keys')).statusCode).toBe(200);
    for (const path of ['/auth/api-keys', '/auth/generate-api-key']) {
      const answer = await ask('POST', path);
      expect([answer.statusCode, answer.json().error]).toEqual([403, 'Your current plan does not include API access']);
    }
    const { account, credentials } = await service.sandbox.control<{
      account: { handle: string };
      credentials: { appPassword: string };
    }>('POST', '/accounts', { network: 'bluesky', handle: 'switched' });
    const fields = { handle: account.handle, appPassword: credentials.appPassword };
    expect((await ask('POST', '/connect/bluesky', { fields })).statusCode).toBe(200);
  });
});

describe('[auth.mcp-access] MCP access', () => {
  test('that is switched off refuses MCP clients alone, and account-context says so', async () => {
    const ada = await service.aUser();
    await soon(() => ask(ada, mcp), works);
    await setAccess(service.app, ada.id, { mcp: false });
    await soon(() => ask(ada, mcp), [403, 'MCP access is not enabled for this account']);
    await soon(() => ask(ada), works);
    const { features } = (await ada.call('GET', '/account-context')).body.context;
    expect(features).toMatchObject({ apiAccess: true, mcpAccess: false });
  });
});

describe('[auth.workspace-access] workspace access', () => {
  const disabled = [403, 'Workspace access is not enabled for this key'];
  const list = async (user: TestUser) => {
    const { status, body } = await user.call('GET', '/workspace/users');
    return [status, body.error ?? null];
  };

  test('can be switched off again', async () => {
    const { owner, actAs } = await aWorkspace();
    await soon(async () => [await list(owner), await ask(owner, actAs)], [works, works]);
    await setAccess(service.app, owner.id, { workspace: false });
    await soon(async () => [await list(owner), await ask(owner, actAs)], [disabled, disabled]);
  });

  test('comes with the role of an admin', async () => {
    const { owner, actAs } = await aWorkspace();
    await setAccess(service.app, owner.id, { workspace: false });
    await setRole(service.app, owner.id, 'admin');
    await soon(async () => [await list(owner), await ask(owner, actAs)], [works, works]);
    await setRole(service.app, owner.id, 'user');
    await soon(() => list(owner), disabled);
  });

  test('does not come with the role for a managed user', async () => {
    const { owner, id, key } = await aWorkspace();
    await setRole(service.app, id, 'admin');
    const { status } = await owner.call('GET', '/workspace/users', undefined, key);
    expect(status).toBe(403);
  });
});

describe('[auth.hold] a hold', () => {
  test('closes the dashboard with reason and end, and leaves the API open', async () => {
    const ada = await service.aUser();
    const { ask: atDashboard } = await signedIn(ada);
    const until = new Date(clock.now().getTime() + 3_600_000);
    await holdUser(service.app, ada.id, { reason: 'Unpaid invoice', until });
    const onHold = await atDashboard('GET', '/auth/session');
    expect([onHold.statusCode, contractBody(onHold.json())]).toEqual([
      403,
      {
        error: 'Account on hold',
        message: 'Your account is temporarily on hold. Please contact support.',
        holdExpiresAt: until.toISOString(),
        holdReason: 'Unpaid invoice',
      },
    ]);
    await soon(() => ask(ada), works);
    await releaseUser(service.app, ada.id);
    expect((await atDashboard('GET', '/auth/session')).statusCode).toBe(200);
  });
});

describe('[auth.inactive-owner] a deactivated owner', () => {
  test('cannot use keys, the dashboard or a password, nor can its managed users, until it is activated', async () => {
    const { owner, actAs, key } = await aWorkspace();
    const { ask: atDashboard } = await signedIn(owner);
    await deactivateUser(service.app, owner.id);
    const refused = [401, 'Invalid API key owner'];
    await soon(
      async () => [await ask(owner), await ask(owner, actAs), await ask(owner, key)],
      [refused, refused, refused],
    );
    expect((await atDashboard('GET', '/auth/session')).statusCode).toBe(401);
    expect((await signedIn(owner)).status).toBe(401);
    await activateUser(service.app, owner.id);
    await soon(async () => [await ask(owner), await ask(owner, key)], [works, works]);
    expect((await signedIn(owner)).status).toBe(200);
  });
});
