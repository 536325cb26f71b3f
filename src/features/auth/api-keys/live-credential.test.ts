import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp, testClock, testServer } from '../../../../test/support/service/app.ts';
import { insertTestUser } from '../../../../test/support/service/user.ts';
import type { Server } from '../../../foundation/http/server.ts';
import { setAccess } from '../../accounts/operator/switches.ts';
import { systemActor } from '../../audit/actors.ts';
import { requireApiKey, type Who } from '../access/api-key.ts';
import { changeApiKey, createApiKey, type NewKey, revokeApiKey } from './api-keys.ts';
import { recheckWhenSlow, requireLive } from './live-credential.ts';

/** What a request may still do after it was authorized, if its key changes in the meantime. */

const clock = testClock();
let ours: TestApp;
let server: Server;
let letIn: Who;
beforeAll(async () => {
  ours = await testApp({ clock });
  server = await testServer(ours.app, (api, app) => {
    api.get('/probe', { onRequest: requireApiKey(app) }, async ({ who }) => {
      letIn = who;
    });
  });
});
afterAll(async () => {
  await server.close();
  await ours.close();
});

let people = 0;
async function aPerson() {
  people += 1;
  const user = await insertTestUser(ours.app, { email: `person${people}@example.com`, plan: 'pro' });
  return user.id;
}

/** A request that was authorized, and that then takes a while. */
async function authorized(userId: string, rules: NewKey = {}, headers: Record<string, string> = {}) {
  const { id, rawKey } = await createApiKey(ours.app, userId, rules, systemActor);
  const answer = await server.inject({ url: '/api/v1/probe', headers: { 'x-service-key': rawKey, ...headers } });
  expect(answer.statusCode).toBe(200);
  const who = letIn;
  const recheck = recheckWhenSlow(ours.app, who);
  clock.advance({ seconds: 2 });
  return {
    goOn: () => recheck(ours.app.db),
    create: () => ours.app.db.transaction().execute((tx) => requireLive(ours.app, tx, who.credential!)),
    change: (change: NewKey) => changeApiKey(ours.app, userId, id, change as object, systemActor),
    revoke: () => revokeApiKey(ours.app, userId, id, systemActor),
  };
}

describe('a slow request with an API key', () => {
  test('goes on and creates keys while its key is valid, also if the key no longer has other scopes', async () => {
    const request = await authorized(await aPerson());
    await request.change({ scopes: ['read'] });
    await expect(request.goOn()).resolves.toBeUndefined();
    await expect(request.create()).resolves.toBeUndefined();
  });

  test.each<[string, (request: Awaited<ReturnType<typeof authorized>>) => Promise<unknown>, object]>([
    ['is revoked', ({ revoke }) => revoke(), { error: 'Invalid API key' }],
    ['loses the scope', ({ change }) => change({ scopes: ['write'] }), { requiredScope: 'read' }],
    [
      'may be used only elsewhere',
      ({ change }) => change({ allowedAddresses: ['192.0.2.0/24'] }),
      { code: 'ADDRESS_NOT_ALLOWED' },
    ],
  ])('ends when its key %s', async (_, happens, body) => {
    const request = await authorized(await aPerson());
    await happens(request);
    await expect(request.goOn()).rejects.toMatchObject({ body });
    await expect(request.create()).rejects.toMatchObject({ body });
  });

  test('for a managed user ends when its key loses the scope "workspace"', async () => {
    const ownerId = await aPerson();
    await setAccess(ours.app, ownerId, { workspace: true });
    const managedId = await aPerson();
    await ours.app.db.updateTable('users').set({ parent_user_id: ownerId }).where('id', '=', managedId).execute();
    const rules = { scopes: ['read', 'workspace'] } satisfies NewKey;
    const request = await authorized(ownerId, rules, { 'x-service-user-id': managedId });
    await expect(request.goOn()).resolves.toBeUndefined();
    clock.advance({ seconds: 2 });
    await request.change({ scopes: ['read'] });
    await expect(request.goOn()).rejects.toMatchObject({ body: { requiredScope: 'workspace' } });
  });
});
