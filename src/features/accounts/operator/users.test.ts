import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp, testServer } from '../../../../test/support/service/app.ts';
import type { Server } from '../../../foundation/http/server.ts';
import { requireApiKey } from '../../auth/access/api-key.ts';
import { createKey } from './keys.ts';
import { setAccess } from './switches.ts';
import { createUser, findUser, setPlan } from './users.ts';

let ours: TestApp;
let server: Server;
beforeAll(async () => {
  ours = await testApp();
  server = await testServer(ours.app, (api, app) => {
    api.get('/probe', { onRequest: requireApiKey(app) }, async ({ who }) => who);
  });
});
afterAll(async () => {
  await server.close();
  await ours.close();
});

const use = async (key: string) =>
  (await server.inject({ url: '/api/v1/probe', headers: { 'x-service-key': key } })).json();

let people = 0;
function someone() {
  people += 1;
  return { email: `someone${people}@example.com`, password: 'correct horse battery', plan: 'starter' as const };
}
const row = (id: string) => ours.app.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

describe('createUser', () => {
  test('creates a user with a first API key that works', async () => {
    const user = await createUser(ours.app, { ...someone(), email: 'New@Example.com', name: 'New', plan: 'agency' });
    expect(user).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      email: 'new@example.com',
      name: 'New',
      plan: 'agency',
      apiKey: expect.stringMatching(/^sk_[0-9a-z]+_[0-9a-f]{8}\.[0-9a-f]{52}$/),
    });
    expect(await use(user.apiKey)).toMatchObject({ userId: user.id, plan: 'agency' });
    const keys = await ours.app.db
      .selectFrom('api_keys')
      .select(['kind', 'name'])
      .where('user_id', '=', user.id)
      .execute();
    expect(keys).toEqual([{ kind: 'dashboard', name: 'Default' }]);
  });

  test.each([
    ['an invalid email', { email: 'nobody' }, 'invalid_email'],
    ['a short password', { password: '1234567' }, 'invalid_password'],
    ['a plan that does not exist', { plan: 'gold' as 'pro' }, 'invalid_request'],
  ])('refuses %s', async (_, change, key) => {
    await expect(createUser(ours.app, { ...someone(), ...change })).rejects.toMatchObject({ key });
  });

  test('refuses a taken email and leaves nothing behind', async () => {
    const person = someone();
    await createUser(ours.app, person);
    const count = () => ours.app.db.selectFrom('api_keys').select('id').execute();
    const before = await count();
    const again = createUser(ours.app, { ...person, email: person.email.toUpperCase() });
    await expect(again).rejects.toMatchObject({ key: 'email_taken' });
    expect(await count()).toEqual(before);
  });
});

describe('setPlan', () => {
  test('accepts an id or an email, and applies immediately to keys in use', async () => {
    const user = await createUser(ours.app, someone());
    expect(await use(user.apiKey)).toMatchObject({ plan: 'starter' });
    await setPlan(ours.app, { user: user.email.toUpperCase(), plan: 'pro', connections: 7 });
    // Without a notification, the cache would keep the old plan for 5 s.
    await expect.poll(() => use(user.apiKey), { timeout: 4000 }).toMatchObject({ plan: 'pro' });
    expect(await row(user.id)).toMatchObject({ plan: 'pro', connection_quantity: 7 });
    await setPlan(ours.app, { user: user.id, plan: 'agency' });
    expect(await row(user.id)).toMatchObject({ plan: 'agency', connection_quantity: null });
  });

  test.each([{ plan: 'gold' as 'pro' }, { connections: 0 }, { connections: 1.5 }])('refuses %j', async (change) => {
    const user = await createUser(ours.app, someone());
    const refused = setPlan(ours.app, { user: user.id, plan: 'pro', ...change });
    await expect(refused).rejects.toMatchObject({ key: 'invalid_request' });
  });
});

test('every function reports an unknown user', async () => {
  for (const user of ['0'.repeat(24), 'nobody@example.com', '']) {
    const calls = [
      () => findUser(ours.app, user),
      () => setPlan(ours.app, { user, plan: 'pro' }),
      () => createKey(ours.app, { user, name: 'x' }),
      () => setAccess(ours.app, user, { workspace: true }),
    ];
    for (const call of calls) await expect(call()).rejects.toMatchObject({ key: 'user_not_found' });
  }
});
