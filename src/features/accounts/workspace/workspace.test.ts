import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contractBody } from '../../../../test/support/documents/contract-body.ts';
import { testClock } from '../../../../test/support/service/app.ts';
import { type TestService, type TestUser, testService } from '../../../../test/support/service/service.ts';
import { type Plan, plans } from '../../../config/plans.ts';
import { accountLimits } from '../../../foundation/errors/accounts.ts';
import { systemActor } from '../../audit/actors.ts';
import { setAccess } from '../operator/switches.ts';
import { replaceManagedUserKey } from './workspace.ts';

const clock = testClock();
let service: TestService;
let owner: TestUser;
let rival: TestUser;
beforeAll(async () => {
  service = await testService({ clock, environment: { DEFAULT_PLAN: 'starter' } });
  owner = await anOwner();
  rival = await anOwner();
});
afterAll(() => service.close());

async function anOwner() {
  const user = await service.aUser();
  await setAccess(service.app, user.id, { workspace: true });
  return user;
}

let clients = 0;
const anEmail = () => {
  clients += 1;
  return `client${clients}@example.com`;
};

interface Managed {
  _id: string;
  username: string;
}
async function aManagedUser(of = owner): Promise<Managed> {
  return (await of.call('POST', '/workspace/users', { username: anEmail() })).body.user;
}
async function aKeyOf(id: string, of = owner): Promise<string> {
  return (await of.call('POST', `/workspace/users/${id}/api-key`)).body.apiKey;
}

const post = (key: string, path: string, body: object = {}) =>
  service.server.inject({ method: 'POST', url: `/api/v1${path}`, headers: { 'x-service-key': key }, payload: body });
/** A route that requires a key. A 404 means that the key was accepted. */
const use = async (key: string, headers: Record<string, string> = {}) => {
  const url = `/api/v1/get-post/${'0'.repeat(24)}`;
  const answer = await service.server.inject({ url, headers: { 'x-service-key': key, ...headers } });
  return [answer.statusCode, contractBody(answer.json())];
};
const letIn = [404, { error: 'Post group not found' }];
const update = (id: string, change: { is_active?: boolean; workspace_enabled?: boolean; plan?: string }) =>
  service.app.db.updateTable('users').set(change).where('id', '=', id).execute();
const row = (id: string) =>
  service.app.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
/** The key cache uses the test clock, which is stopped, so only a notification evicts an entry. */
const onceNotified = { interval: 20 };
const statusAndBody = ({ status, body }: { status: number; body: unknown }) => [status, body];

const routes = [
  ['GET', '/workspace/users'],
  ['POST', '/workspace/users'],
  ['POST', '/workspace/users/attach'],
  ['DELETE', '/workspace/users/:id'],
  ['POST', '/workspace/users/:id/api-key'],
  ['POST', '/workspace/users/:id/connection-url'],
] as const;

describe('[workspace.access] workspace access', () => {
  const refused = [403, { error: 'Workspace access is not enabled for this key' }];

  test.each(routes)('%s %s needs a workspace-enabled key, before anything else is checked', async (method, path) => {
    const stranger = await service.aUser();
    const body = method === 'POST' ? {} : undefined;
    expect(statusAndBody(await stranger.call(method, path.replace(':id', 'nonsense'), body))).toEqual(refused);
  });

  test.each(routes)('%s %s needs a key', async (method, path) => {
    const answer = await service.server.inject({ method, url: `/api/v1${path}` });
    expect([answer.statusCode, contractBody(answer.json())]).toEqual([401, { error: 'API key is required' }]);
  });

  test("a managed user's own key gives access to no workspace, not even with x-service-user-id", async () => {
    const { _id } = await aManagedUser();
    const key = await aKeyOf(_id);
    const list = async (headers = {}) => {
      const all = { 'x-service-key': key, ...headers };
      const answer = await service.server.inject({ url: '/api/v1/workspace/users', headers: all });
      return [answer.statusCode, contractBody(answer.json())];
    };
    expect(await list()).toEqual(refused);
    expect(await list({ 'x-service-user-id': _id })).toEqual(refused);
    expect(await list({ 'x-service-user-id': owner.id })).toEqual(refused);
    await update(_id, { workspace_enabled: true });
    expect(await list()).toEqual(refused);
  });

  test('an owner who acts as a managed user still manages its own workspace', async () => {
    const { _id } = await aManagedUser();
    const headers = { 'x-service-user-id': _id };
    const plain = await owner.call('GET', '/workspace/users');
    expect(statusAndBody(await owner.call('GET', '/workspace/users', undefined, headers))).toEqual([200, plain.body]);
    const made = await owner.call('POST', '/workspace/users', { username: anEmail() }, headers);
    expect(await row(made.body.user._id)).toMatchObject({ parent_user_id: owner.id });
  });
});

describe('[workspace.list] GET /workspace/users', () => {
  test('lists the managed users of this owner, oldest first, and no others', async () => {
    const agency = await anOwner();
    expect(statusAndBody(await agency.call('GET', '/workspace/users'))).toEqual([200, { users: [] }]);
    const first = await aManagedUser(agency);
    clock.advance({ seconds: 1 });
    const second = await aManagedUser(agency);
    await aManagedUser(rival);
    expect(statusAndBody(await agency.call('GET', '/workspace/users'))).toEqual([200, { users: [first, second] }]);
  });
});

describe('an owner with as many managed users as there can be', () => {
  const fill = (ownerId: string, count: number) =>
    sql`insert into users (id, email, name, plan, parent_user_id)
      select substr(md5(${ownerId} || number), 1, 24), number || '-of-' || ${ownerId} || '@example.com', 'Client', 'pro', ${ownerId}
      from generate_series(1, ${count}) as number`.execute(service.app.db);
  const refused = {
    error: 'Maximum of 1000 managed users per workspace',
    code: 'MANAGED_USER_LIMIT_REACHED',
    hint: expect.stringContaining('DELETE /workspace/users/{userId}'),
  };

  test('gets no more by creating them, also at the same time, until one is detached', async () => {
    const agency = await anOwner();
    await fill(agency.id, accountLimits.managedUsers - 1);
    const create = () => post(agency.apiKey, '/workspace/users', { username: anEmail() });
    const answers = await Promise.all(Array.from({ length: 5 }, create));
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 400, 400, 400, 400]);
    expect(answers.find(({ statusCode }) => statusCode === 400)!.json()).toMatchObject(refused);
    const made = answers.find(({ statusCode }) => statusCode === 201)!.json().user._id;
    expect((await agency.call('DELETE', `/workspace/users/${made}`)).status).toBe(200);
    expect((await create()).statusCode).toBe(201);
  });

  test('gets no more by attaching them', async () => {
    const agency = await anOwner();
    await fill(agency.id, accountLimits.managedUsers);
    const person = await service.aUser({ plan: 'starter' });
    const { email } = await row(person.id);
    const credentials = { email, password: 'long enough' };
    const { accessToken } = (await post('', '/auth/signin', credentials)).json();
    const consent = { userId: person.id, userAccessToken: accessToken };
    const answer = await post(agency.apiKey, '/workspace/users/attach', consent);
    expect([answer.statusCode, answer.json()]).toMatchObject([400, refused]);
  });
});

describe('[workspace.create] POST /workspace/users', () => {
  test('creates a managed user', async () => {
    const body = { username: ' New.Client@Example.com ', displayName: ' <b>New</b> client ' };
    expect(statusAndBody(await owner.call('POST', '/workspace/users', body))).toEqual([
      201,
      {
        user: {
          _id: expect.stringMatching(/^[0-9a-f]{24}$/),
          username: 'new.client@example.com',
          displayName: 'New client',
          role: 'managed',
          dailyPostsLeft: 100,
          connectionsPageUrl: null,
          connectionsPageTokenExpiresAt: null,
        },
      },
    ]);
  });

  test('the user has no password, and the owner can act for it immediately', async () => {
    const { _id, username } = await aManagedUser();
    expect(await use(owner.apiKey, { 'x-service-user-id': _id })).toEqual(letIn);
    const answer = await post('', '/auth/signin', { email: username, password: 'long enough' });
    expect([answer.statusCode, contractBody(answer.json())]).toEqual([401, { error: 'Invalid email or password' }]);
  });

  test.each([
    ['none', {}],
    ['null', { displayName: null }],
    ['an empty one', { displayName: '' }],
    ['nothing but HTML', { displayName: '<br>' }],
  ])('the display name is the email for %s', async (_, body) => {
    const username = anEmail();
    const { body: made } = await owner.call('POST', '/workspace/users', { ...body, username });
    expect(made.user).toMatchObject({ username, displayName: username });
  });

  test.each([
    ['no body', undefined, { error: 'Email is required' }],
    ['no email', {}, { error: 'Email is required' }],
    ['null', { username: null }, { error: 'Email is required' }],
    ['an empty email', { username: '' }, { error: 'Email is required' }],
    ['blanks', { username: '  ' }, { error: 'Email is required' }],
    ['a text that is not an email', { username: 'client' }, { error: 'Invalid email', code: 'invalid_email' }],
    ['a number', { username: 7 }, { error: 'Invalid email', code: 'invalid_email' }],
    ['a very long email', { username: `${'x'.repeat(250)}@x.org` }, { error: 'Invalid email', code: 'invalid_email' }],
    [
      'a display name of 101 characters',
      { username: 'a@example.com', displayName: 'x'.repeat(101) },
      { error: 'Display name must be a string with maximum 100 characters' },
    ],
    [
      'a display name that is no string',
      { username: 'a@example.com', displayName: 7 },
      { error: 'Display name must be a string with maximum 100 characters' },
    ],
  ])('refuses %s', async (_, body, problem) => {
    expect(statusAndBody(await owner.call('POST', '/workspace/users', body))).toEqual([400, problem]);
  });

  describe('with an email that is taken answers what the owner can do', () => {
    const taken = async (id: string, reason: string, more: object = {}) => {
      const { email } = await row(id);
      const answer = await owner.call('POST', '/workspace/users', { username: email.toUpperCase() });
      expect(statusAndBody(answer)).toEqual([
        409,
        {
          error: 'User with this email already exists',
          code: 'email_exists',
          userId: id,
          reason,
          attachable: false,
          requiresConsent: false,
          alreadyInWorkspace: false,
          managedByAnotherWorkspace: false,
          ...more,
        },
      ]);
    };

    test('standalone_user_exists', async () => {
      const { id } = await service.aUser();
      await taken(id, 'standalone_user_exists', { attachable: true, requiresConsent: true });
    });

    test('already_in_workspace, also if it is inactive', async () => {
      const { _id } = await aManagedUser();
      await taken(_id, 'already_in_workspace', { alreadyInWorkspace: true });
      await update(_id, { is_active: false });
      await taken(_id, 'already_in_workspace', { alreadyInWorkspace: true });
    });

    test('managed_by_another_workspace', async () => {
      const { _id } = await aManagedUser(rival);
      await taken(_id, 'managed_by_another_workspace', { managedByAnotherWorkspace: true });
    });

    test('workspace_owner: the owner itself, another owner, and one whose workspace is disabled but not empty', async () => {
      await taken(owner.id, 'workspace_owner');
      const closed = await anOwner();
      await taken(closed.id, 'workspace_owner');
      await aManagedUser(closed);
      await update(closed.id, { workspace_enabled: false });
      await taken(closed.id, 'workspace_owner');
    });

    test('inactive_user', async () => {
      const { id } = await service.aUser();
      await update(id, { is_active: false });
      await taken(id, 'inactive_user');
    });
  });

  test('of many requests that create the same user at the same time, one succeeds', async () => {
    const body = { username: anEmail() };
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) => (at % 2 ? owner : rival).call('POST', '/workspace/users', body)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
    expect(new Set(answers.map(({ body }) => body.userId ?? body.user._id)).size).toBe(1);
  });
});

describe('[workspace.api-key] POST /workspace/users/:userId/api-key', () => {
  test("replaces the user's current key", async () => {
    const { _id } = await aManagedUser();
    const first = await owner.call('POST', `/workspace/users/${_id.toUpperCase()}/api-key`);
    expect(statusAndBody(first)).toEqual([
      200,
      {
        message: 'API key generated successfully',
        apiKey: expect.stringMatching(/^sk_[0-9a-z]+\.[0-9a-f]{52}$/),
        userId: _id,
      },
    ]);
    expect(await use(first.body.apiKey)).toEqual(letIn);
    const second = await aKeyOf(_id);
    await expect.poll(() => use(first.body.apiKey), onceNotified).toEqual([401, { error: 'Invalid API key' }]);
    expect(await use(second)).toEqual(letIn);
  });

  test('leaves one key after many concurrent requests', async () => {
    const { _id } = await aManagedUser();
    const keys = await Promise.all(Array.from({ length: 10 }, () => aKeyOf(_id)));
    const works = await Promise.all(keys.map(async (key) => (await use(key))[0] === 404));
    expect(works.filter(Boolean)).toHaveLength(1);
  });

  test('an owner whose plan has lost API access gets no key', async () => {
    const agency = await anOwner();
    const { _id } = await aManagedUser(agency);
    // Every current plan includes it. Plans are data, so the test adds one to the table.
    const all = plans as Record<string, Plan>;
    const actors = { owner: systemActor, member: systemActor, credential: null };
    all.no_api = { ...plans.pro, features: { ...plans.pro.features, apiAccess: false } };
    await update(agency.id, { plan: 'no_api' });
    await expect(replaceManagedUserKey(service.app, agency.id, _id, actors)).rejects.toMatchObject({
      status: 403,
      body: { error: 'API access is not enabled for this workspace owner' },
    });
    delete all.no_api;
  });
});

describe('[workspace.detach] DELETE /workspace/users/:userId', () => {
  const actAs = (id: string) => use(owner.apiKey, { 'x-service-user-id': id });

  test('keeps the account and its data, on the default plan', async () => {
    const { _id, username } = await aManagedUser();
    await update(_id, { plan: 'agency' });
    const drafted = await owner.call(
      'POST',
      '/create-post',
      { content: 'Kept', platforms: [await connectionOf(_id)] },
      { 'x-service-user-id': _id },
    );
    const answer = await owner.call('DELETE', `/workspace/users/${_id.toUpperCase()}`);
    expect(statusAndBody(answer)).toEqual([200, { success: true }]);
    expect(await row(_id)).toMatchObject({
      email: username,
      parent_user_id: null,
      plan: 'starter',
      connection_quantity: null,
      is_active: true,
    });
    const kept =
      await sql`select 1 from post_groups where id = ${drafted.body.postGroupId} and user_id = ${_id}`.execute(
        service.app.db,
      );
    expect(kept.rows).toHaveLength(1);
    const { users } = (await owner.call('GET', '/workspace/users')).body;
    expect(users.map((user: Managed) => user._id)).not.toContain(_id);
  });

  test('the owner can no longer act for the user within a second, although access is cached', async () => {
    const { _id } = await aManagedUser();
    expect(await actAs(_id)).toEqual(letIn);
    await owner.call('DELETE', `/workspace/users/${_id}`);
    await expect.poll(() => actAs(_id), onceNotified).toEqual([403, { error: 'User is not managed by key' }]);
  });

  test('ends the key and the link that the owner knows, and a new attach needs consent', async () => {
    const { _id } = await aManagedUser();
    const key = await aKeyOf(_id);
    expect(await use(key)).toEqual(letIn);
    await owner.call('POST', `/workspace/users/${_id}/connection-url`);
    await owner.call('DELETE', `/workspace/users/${_id}`);
    await expect.poll(() => use(key), onceNotified).toEqual([401, { error: 'Invalid API key' }]);
    const links = await sql`select 1 from connection_links where user_id = ${_id}`.execute(service.app.db);
    expect(links.rows).toEqual([]);
    const back = await owner.call('POST', '/workspace/users/attach', { userId: _id });
    expect([back.status, back.body.code]).toEqual([403, 'attach_consent_required']);
  });

  test('a key that is created at the same time does not survive', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { _id } = await aManagedUser();
      const [made, detached] = await Promise.all([
        owner.call('POST', `/workspace/users/${_id}/api-key`),
        owner.call('DELETE', `/workspace/users/${_id}`),
      ]);
      expect(detached.status).toBe(200);
      expect([200, 404]).toContain(made.status);
      const keys = await sql`select 1 from api_keys where user_id = ${_id} and revoked_at is null`.execute(
        service.app.db,
      );
      expect(keys.rows).toEqual([]);
    }
  });

  test('of many concurrent requests, one detaches', async () => {
    const { _id } = await aManagedUser();
    const answers = await Promise.all(Array.from({ length: 5 }, () => owner.call('DELETE', `/workspace/users/${_id}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404]);
  });

  /** A draft needs a connection. */
  async function connectionOf(userId: string) {
    const { id } = await row(userId);
    await sql`
      insert into connections (id, user_id, platform, account_id, handle, display_name, credentials)
      values (${service.app.newId()}, ${id}, 'mastodon', ${`${id}@example.social`}, 'client', 'Client', 'sealed')`.execute(
      service.app.db,
    );
    return `mastodon-${id}@example.social`;
  }
});

describe('[workspace.not-managed] isolation of workspaces', () => {
  const byId = routes.filter(([, path]) => path.includes(':id'));

  test.each(byId)(
    '%s %s does not find unknown users, strangers, the owner, nor those of others',
    async (method, path) => {
      const theirs = await aManagedUser(rival);
      const key = await aKeyOf(theirs._id, rival);
      const stranger = await service.aUser();
      for (const id of ['0'.repeat(24), theirs._id, stranger.id, owner.id, rival.id]) {
        const answer = await owner.call(method, path.replace(':id', id), method === 'POST' ? {} : undefined);
        expect(statusAndBody(answer)).toEqual([404, { error: 'User not found or not managed by this key' }]);
      }
      expect(await use(key)).toEqual(letIn);
      expect((await row(theirs._id)).parent_user_id).toBe(rival.id);
    },
  );

  test.each(byId)('%s %s refuses a malformed id', async (method, path) => {
    for (const id of ['1', 'g'.repeat(24), '0'.repeat(25), '%00', '%27']) {
      const answer = await owner.call(method, path.replace(':id', id), method === 'POST' ? {} : undefined);
      expect(statusAndBody(answer)).toEqual([400, { error: 'Invalid userId' }]);
    }
  });
});
