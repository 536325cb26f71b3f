import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { consent } from '../../../test/support/browser/consent.ts';
import type { SandboxAccount } from '../../../test/support/servers/sandbox.ts';
import { testClock } from '../../../test/support/service/app.ts';
import { type TestService, type TestUser, testService } from '../../../test/support/service/service.ts';
import { periodicTasks } from '../../surfaces/worker.ts';
import { createKey } from '../accounts/operator/keys.ts';
import { setAccess } from '../accounts/operator/switches.ts';
import { disconnectSandbox } from '../connections/disconnect.ts';
import { systemActor } from './actors.ts';
import type { AuditEvent } from './audit-entry.ts';
import { recordAudit } from './audit-log.ts';

const clock = testClock();
let service: TestService;
beforeAll(async () => {
  service = await testService({ clock, publicUrl: 'http://127.0.0.1:3000' });
});
afterAll(() => service.close());

interface Person extends TestUser {
  name: string;
  /** A call with this user's session, from the address 203.0.113.7. */
  ask(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object, headers?: object): Promise<Reply>;
  /** The log entries since the last call, oldest first. */
  news(): Promise<Entry[]>;
}
interface Reply {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of the body, whatever its shape.
  body: any;
}
interface Entry {
  id: string;
  event: string;
  text: string;
  actor: { kind: string; name: string | null };
  address: string | null;
  details: Record<string, unknown>;
}

async function aPerson(): Promise<Person> {
  const user = await service.aUser({ plan: 'starter' });
  const { email, name } = await service.app.db
    .selectFrom('users')
    .select(['email', 'name'])
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow();
  const signIn = async (): Promise<string> => {
    const payload = { email, password: 'long enough' };
    const answer = await service.server.inject({ method: 'POST', url: '/api/v1/auth/signin', payload });
    return answer.json().accessToken;
  };
  let token = await signIn();
  const ask: Person['ask'] = async (method, path, body, headers) => {
    const send = () =>
      service.server.inject({
        method,
        url: `/api/v1${path}`,
        remoteAddress: '203.0.113.7',
        headers: { authorization: `Bearer ${token}`, ...headers },
        ...(body && { payload: body }),
      });
    let answer = await send();
    // The end of a membership ends all sessions.
    if (answer.statusCode === 401) {
      token = await signIn();
      answer = await send();
    }
    const isJson = String(answer.headers['content-type']).includes('json');
    return { status: answer.statusCode, body: isJson ? answer.json() : answer.body };
  };
  let last = '';
  const person = {
    ...user,
    name,
    ask,
    async news() {
      const { entries } = (await ask('GET', '/auth/audit-log?limit=100')).body as { entries: Entry[] };
      const fresh = entries.filter(({ id, event }) => id > last && !isAboutSignIn(event)).reverse();
      last = entries[0]?.id ?? last;
      return fresh;
    },
  };
  await person.news();
  return person;
}

/** Users in these tests sign in along the way. */
const isAboutSignIn = (event: string) => /^(signed_|session_)/.test(event);

describe('GET /auth/audit-log', () => {
  test('shows the newest first, page by page, and only to their owner', async () => {
    const [ada, eve] = [await aPerson(), await aPerson()];
    for (const name of ['one', 'two', 'three']) {
      clock.advance({ seconds: 1 });
      await createKey(service.app, { user: ada.id, name });
    }
    const keys = (await ada.ask('GET', '/auth/audit-log?limit=100')).body.entries.filter(
      (entry: Entry) => entry.event === 'api_key_created',
    );
    expect(keys.map((entry: Entry) => entry.details.name)).toEqual(['three', 'two', 'one', 'Default']);
    expect(keys[0]).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      at: clock.now().toISOString(),
      event: 'api_key_created',
      text: 'An API key was created',
      actor: { kind: 'operator', name: 'The operator of this service' },
      address: null,
      details: expect.objectContaining({ name: 'three', keyPrefix: expect.stringMatching(/^sk_/) }),
    });

    const seen: string[] = [];
    const { entries: all } = (await ada.ask('GET', '/auth/audit-log?limit=100')).body;
    let before: string | null = all[0].id;
    while (before) {
      const { status, body }: Reply = await ada.ask('GET', `/auth/audit-log?limit=2&before=${before.toUpperCase()}`);
      expect([status, body.entries.length <= 2]).toEqual([200, true]);
      seen.push(...body.entries.map(({ id }: Entry) => id));
      before = body.nextBefore;
    }
    expect(seen).toEqual(all.slice(1).map(({ id }: Entry) => id));

    const theirs = (await eve.ask('GET', '/auth/audit-log?limit=100')).body.entries;
    expect(theirs.filter(({ id }: Entry) => all.some((entry: Entry) => entry.id === id))).toEqual([]);
  });

  test.each([
    ['limit=0', 'limit must be a whole number from 1 to 100'],
    ['limit=101', 'limit must be a whole number from 1 to 100'],
    ['limit=many', 'limit must be a whole number from 1 to 100'],
    ['before=yesterday', 'before must be the nextBefore value of a previous page'],
  ])('refuses %s', async (query, error) => {
    const ada = await aPerson();
    const { status, body } = await ada.ask('GET', `/auth/audit-log?${query}`);
    expect([status, body.error]).toEqual([400, error]);
  });

  test('needs a session: neither a key nor a stranger reads it', async () => {
    const ada = await aPerson();
    expect((await ada.call('GET', '/auth/audit-log')).status).toBe(401);
    expect((await service.server.inject('/api/v1/auth/audit-log')).statusCode).toBe(401);
  });

  test('[workspace.audit-log] shows an owner what they did for a managed user, and nothing of the user or others', async () => {
    const [owner, member, other] = [await aPerson(), await aPerson(), await aPerson()];
    for (const { id } of [owner, other]) await setAccess(service.app, id, { workspace: true });
    const joined = async (to: Person) => {
      const { attachToken } = (await member.ask('POST', '/auth/attach-token')).body;
      expect((await to.call('POST', '/workspace/users/attach', { userId: member.id, attachToken })).status).toBe(200);
    };
    const logOf = (reader: Person, query = '') =>
      reader.ask('GET', `/auth/audit-log?${query}`, undefined, { 'x-service-user-id': member.id });
    await joined(other);
    await member.ask('POST', '/auth/leave-workspace');
    expect(await logOf(owner)).toMatchObject({ status: 403, body: { code: 'USER_NOT_MANAGED' } });
    await joined(owner);
    await member.ask('POST', '/auth/api-keys', { name: 'Private', scopes: ['read'] });
    const act = { 'x-service-user-id': member.id };
    const { connected } = (await owner.ask('POST', '/connect-sandbox/mastodon', {}, act)).body;
    await owner.ask('DELETE', `/connections/${connected[0].platformId}`, undefined, act);

    const { status, body } = await logOf(owner);
    const theOwner = { actor: { kind: 'workspace_owner', name: owner.name }, address: null };
    expect(status).toBe(200);
    expect(body.entries).toMatchObject([
      { event: 'connection_removed', ...theOwner },
      { event: 'connection_added', ...theOwner },
      { event: 'member_attached', ...theOwner },
    ]);
    expect(body.entries).toHaveLength(3);
    const { nextBefore } = (await logOf(owner, 'limit=2')).body;
    expect((await logOf(owner, `limit=2&before=${nextBefore}`)).body).toEqual({
      entries: [body.entries[2]],
      nextBefore: null,
    });
    // Their own log stays complete, also with the header.
    const own = (await logOf(member, 'limit=100')).body.entries.map(({ event }: Entry) => event);
    expect(own).toEqual(expect.arrayContaining(['signed_in', 'api_key_created', 'connection_added']));
    // Neither a former owner nor a key reads it.
    expect((await logOf(other)).status).toBe(403);
    expect((await owner.call('GET', '/auth/audit-log', undefined, act)).status).toBe(401);
    await owner.call('DELETE', `/workspace/users/${member.id}`);
    expect((await logOf(owner)).status).toBe(403);
  });

  test('entries are kept for a year', async () => {
    const ada = await aPerson();
    const { app } = service;
    const record = (event: AuditEvent) => recordAudit(app, app.db, { userId: ada.id, event, actor: systemActor });
    await record('plan_changed');
    clock.advance({ seconds: 86_400 });
    await record('role_changed');
    const prune = periodicTasks(app).find(({ name }) => name === 'prune-audit-log')!;
    clock.advance({ seconds: 364 * 86_400 });
    await prune.run(new AbortController().signal);
    const events = async () =>
      (await app.db.selectFrom('audit_log').select('event').where('user_id', '=', ada.id).orderBy('id').execute()).map(
        ({ event }) => event,
      );
    expect(await events()).toEqual(expect.arrayContaining(['plan_changed', 'role_changed']));
    clock.advance({ seconds: 86_400 + 1 });
    await prune.run(new AbortController().signal);
    expect(await events()).not.toContain('plan_changed');
    expect(await events()).toContain('role_changed');
  });

  test('the newest hundred thousand of a kind are kept, and repeating one change does not push out another', async () => {
    const ada = await aPerson();
    const { app } = service;
    // The person has signed in once more before.
    await recordAudit(app, app.db, { userId: ada.id, event: 'signed_in', actor: systemActor });
    await sql`
      insert into audit_log (id, at, user_id, event, actor_kind, details)
      select 'repeated-' || lpad(number::text, 6, '0'), ${clock.now()}, ${ada.id}, 'api_key_updated', 'user', '{}'
      from generate_series(1, 100003) as number`.execute(app.db);
    const prune = periodicTasks(app).find(({ name }) => name === 'prune-audit-log')!;
    await prune.run(new AbortController().signal);
    const kept = await app.db
      .selectFrom('audit_log')
      .select(({ fn }) => ['event', fn.countAll<string>().as('count'), fn.min('id').as('oldest')])
      .where('user_id', '=', ada.id)
      .where('event', 'in', ['signed_in', 'api_key_updated'])
      .groupBy('event')
      .orderBy('event')
      .execute();
    expect(kept).toMatchObject([
      { event: 'api_key_updated', count: '100000', oldest: 'repeated-000004' },
      { event: 'signed_in', count: '2' },
    ]);
  });
});

describe('the log has', () => {
  /** The fields of the network's form. */
  async function anAccount(handle: string) {
    const made = await service.sandbox.control<SandboxAccount>('POST', '/accounts', { network: 'bluesky', handle });
    const { account, credentials } = made;
    return { handle: account.handle, appPassword: credentials.appPassword };
  }

  const byAda = (ada: Person) => ({ actor: { kind: 'user', name: ada.name }, address: '203.0.113.7' });

  test('keys that are created, changed, replaced and revoked, and no secret', async () => {
    const ada = await aPerson();
    const { apiKey } = (await ada.ask('POST', '/auth/api-keys', { name: 'Site', scopes: ['read'] })).body;
    await ada.ask('PATCH', `/auth/api-keys/${apiKey._id}`, { allowedAddresses: ['10.0.0.0/8'] });
    await ada.ask('DELETE', `/auth/api-keys/${apiKey._id}`);
    const { apiKey: first } = (await ada.ask('POST', '/auth/generate-api-key')).body;
    await ada.ask('POST', '/auth/generate-api-key');
    const details = { keyId: apiKey._id, name: 'Site', keyPrefix: apiKey.keyPrefix, scopes: 'read' };
    const news = await ada.news();
    const open = { allowedAddresses: '', expiresAt: null };
    expect(news).toMatchObject([
      { event: 'api_key_created', ...byAda(ada), details: { ...details, ...open } },
      { event: 'api_key_updated', ...byAda(ada), details: { ...details, allowedAddresses: '10.0.0.0/8' } },
      { event: 'api_key_revoked', ...byAda(ada), details },
      { event: 'api_key_created', ...byAda(ada), details: { name: 'Current key' } },
      { event: 'api_key_revoked', ...byAda(ada), details: { keyPrefix: first.split('.')[0] } },
      { event: 'api_key_created', ...byAda(ada), details: { name: 'Current key' } },
    ]);
    for (const secret of [apiKey.rawKey, first]) expect(JSON.stringify(news)).not.toContain(secret.split('.')[1]);
  });

  test('nothing about a change that was refused', async () => {
    const ada = await aPerson();
    await ada.ask('PATCH', `/auth/api-keys/${'f'.repeat(24)}`, { name: 'Nobody’s' });
    await ada.ask('DELETE', `/auth/api-keys/${'f'.repeat(24)}`);
    await ada.ask('DELETE', '/connections/mastodon-7@example.social');
    await ada.ask('POST', '/auth/leave-workspace');
    expect(await ada.news()).toEqual([]);
  });

  test('accounts that are connected, connected again and disconnected', async () => {
    const ada = await aPerson();
    const fields = await anAccount('ada.bsky.social');
    const { status, body } = await ada.ask('POST', '/connect/bluesky', { fields });
    expect([status, body]).toEqual([200, { connected: [expect.anything()] }]);
    await ada.ask('POST', '/connect/bluesky', { fields });
    const [{ platformId }] = body.connected;
    expect((await ada.ask('DELETE', `/connections/${platformId}`)).status).toBe(200);
    const details = { platformId, handle: 'ada.bsky.social' };
    expect(await ada.news()).toMatchObject([
      { event: 'connection_added', ...byAda(ada), details },
      { event: 'connection_renewed', ...byAda(ada), details },
      { event: 'connection_removed', ...byAda(ada), details },
    ]);
  });

  test('accounts that are connected on a consent page', async () => {
    const ada = await aPerson();
    const { url } = (await ada.ask('POST', '/connect/twitter', { fields: {} })).body;
    const back = await consent(new URL(url), { decision: 'allow', handle: 'adawrites' });
    expect((await ada.ask('GET', `/connect/callback${back.search}`)).status).toBe(200);
    expect(await ada.news()).toMatchObject([
      { event: 'connection_added', ...byAda(ada), details: { handle: 'adawrites' } },
    ]);
  });

  test('what the operator and the service itself connect and disconnect', async () => {
    const ada = await aPerson();
    const platformId = await ada.aConnection();
    await disconnectSandbox(service.app);
    expect(await ada.news()).toMatchObject([
      { event: 'connection_added', actor: { kind: 'operator' }, address: null, details: { platformId } },
      { event: 'connection_removed', actor: { kind: 'system', name: 'Crier' }, details: { platformId } },
    ]);
  });

  test('what happens in a workspace, on both sides', async () => {
    const [owner, member] = [await aPerson(), await aPerson()];
    await setAccess(service.app, owner.id, { workspace: true });
    await owner.news();
    const manage = (method: 'POST' | 'DELETE', path: string, body?: object) =>
      owner.call(method, `/workspace/users${path}`, body);
    const { attachToken } = (await member.ask('POST', '/auth/attach-token')).body;
    await manage('POST', '/attach', { userId: member.id, attachToken });
    await manage('POST', `/${member.id}/api-key`);
    await manage('POST', `/${member.id}/connection-url`);
    await manage('POST', `/${member.id}/connection-url`);
    await manage('DELETE', `/${member.id}/connection-url`);
    await manage('DELETE', `/${member.id}/connection-url`);
    await manage('DELETE', `/${member.id}`);

    const keyOfOwner = { actor: { kind: 'api_key', name: owner.apiKey.split('.')[0] }, address: '127.0.0.1' };
    const about = { userId: member.id };
    expect(await owner.news()).toMatchObject([
      { event: 'member_attached', ...keyOfOwner, details: about },
      { event: 'api_key_created', ...keyOfOwner, details: about },
      { event: 'connection_link_created', ...keyOfOwner, details: about },
      { event: 'connection_link_revoked', ...keyOfOwner, details: about },
      { event: 'member_detached', ...keyOfOwner, details: about },
    ]);
    // Neither side learns the address of the other.
    const theOwner = { actor: { kind: 'workspace_owner', name: owner.name }, address: null };
    expect(await member.news()).toMatchObject([
      { event: 'attach_token_created', ...byAda(member) },
      { event: 'member_attached', ...theOwner, details: { ownerId: owner.id } },
      { event: 'api_key_created', ...theOwner },
      { event: 'connection_link_created', ...theOwner },
      { event: 'connection_link_revoked', ...theOwner },
      { event: 'member_detached', ...theOwner },
      { event: 'api_key_revoked', ...theOwner, details: { name: 'Current key' } },
    ]);
  });

  test('what an owner does in a session, as done by that person', async () => {
    const owner = await aPerson();
    await setAccess(service.app, owner.id, { workspace: true });
    await owner.news();
    const { user } = (await owner.ask('POST', '/workspace/users', { username: 'session@example.com' })).body;
    const path = `/workspace/users/${user._id}`;
    await owner.ask('POST', `${path}/connection-url`);
    await owner.ask('DELETE', `${path}/connection-url`);
    await owner.ask('DELETE', path);
    const about = { ...byAda(owner), details: { userId: user._id, email: 'session@example.com' } };
    expect(await owner.news()).toMatchObject([
      { event: 'member_created', ...about },
      { event: 'connection_link_created', ...about },
      { event: 'connection_link_revoked', ...about },
      { event: 'member_detached', ...about },
    ]);
  });

  test('a member who leaves, on both sides', async () => {
    const [owner, member] = [await aPerson(), await aPerson()];
    await setAccess(service.app, owner.id, { workspace: true });
    const { attachToken } = (await member.ask('POST', '/auth/attach-token')).body;
    await owner.call('POST', '/workspace/users/attach', { userId: member.id, attachToken });
    await Promise.all([owner.news(), member.news()]);
    await member.ask('POST', '/auth/leave-workspace');
    const left = { event: 'member_detached', ...byAda(member) };
    expect(await owner.news()).toMatchObject([{ ...left, address: null, details: { userId: member.id } }]);
    expect(await member.news()).toMatchObject([{ ...left, details: { ownerId: owner.id } }]);
  });

  test('what a person connects with a connection link', async () => {
    const owner = await aPerson();
    await setAccess(service.app, owner.id, { workspace: true });
    await owner.news();
    const { user } = (await owner.call('POST', '/workspace/users', { username: 'link@example.com' })).body;
    const { url } = (await owner.call('POST', `/workspace/users/${user._id}/connection-url`)).body;
    const fields = await anAccount('linked.bsky.social');
    const answer = await service.server.inject({
      method: 'POST',
      url: `${new URL(url).pathname}/bluesky`,
      headers: { accept: 'application/json' },
      remoteAddress: '198.51.100.4',
      payload: { fields },
    });
    expect(answer.statusCode).toBe(200);
    const entries = await service.app.db
      .selectFrom('audit_log')
      .select(['event', 'actor_kind', 'actor_id', 'address'])
      .where('user_id', '=', user._id)
      .orderBy('id')
      .execute();
    expect(entries).toEqual([
      { event: 'member_created', actor_kind: 'workspace_owner', actor_id: owner.id, address: null },
      { event: 'connection_link_created', actor_kind: 'workspace_owner', actor_id: owner.id, address: null },
      { event: 'connection_added', actor_kind: 'connection_link', actor_id: null, address: '198.51.100.4' },
    ]);
    expect(await owner.news()).toMatchObject([
      { event: 'member_created', details: { userId: user._id, email: 'link@example.com', name: 'link@example.com' } },
      { event: 'connection_link_created', details: { userId: user._id } },
    ]);
  });
});
