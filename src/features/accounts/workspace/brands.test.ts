import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { consent } from '../../../../test/support/browser/consent.ts';
import { type Answer, type TestService, type TestUser, testService } from '../../../../test/support/service/service.ts';
import { testPassword } from '../../../../test/support/service/user.ts';
import { systemActor } from '../../audit/actors.ts';
import { openStreams } from '../../stream/streams.ts';
import { holdUser, setAccess } from '../operator/switches.ts';
import { maySetUpWorkspace, setUpWorkspace } from './workspace.ts';

/** The owner of a workspace sees managed users as brands in the dashboard. */

let service: TestService;
let owner: Owner;
let bakery: string;
let garage: string;
beforeAll(async () => {
  service = await testService({ publicUrl: 'https://crier.test' });
  owner = await anOwner();
  [bakery, garage] = [await owner.aBrand('Bakery'), await owner.aBrand('Garage')];
});
afterAll(() => service.close());

interface Owner extends TestUser {
  token: string;
  send(
    method: Method,
    path: string,
    body?: object,
    brand?: string,
  ): Promise<{ status: number; body: Answer['body']; location: string }>;
  aBrand(displayName: string): Promise<string>;
}
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

let brands = 0;

async function signedIn(plan: 'agency' | 'pro' = 'agency'): Promise<Owner> {
  const user = await service.aUser({ plan: 'pro' });
  await service.app.db.updateTable('users').set({ plan }).where('id', '=', user.id).execute();
  const [{ email }] = (await service.database.pool.query('select email from users where id = $1', [user.id])).rows;
  const payload = { email, password: testPassword };
  const { accessToken } = (await service.server.inject({ method: 'POST', url: '/api/v1/auth/signin', payload })).json();
  const send: Owner['send'] = async (method, path, body, brand) => {
    const headers = { authorization: `Bearer ${accessToken}`, ...(brand && { 'x-service-user-id': brand }) };
    const url = `/api/v1${path}`;
    const answer = await service.server.inject({ method, url, headers, ...(body && { payload: body }) });
    const isJson = `${answer.headers['content-type']}`.startsWith('application/json');
    return { status: answer.statusCode, body: isJson ? answer.json() : null, location: `${answer.headers.location}` };
  };
  return {
    ...user,
    token: accessToken,
    send,
    async aBrand(displayName) {
      brands += 1;
      const made = await send('POST', '/workspace/users', { username: `brand${brands}@example.com`, displayName });
      return made.body.user._id;
    },
  };
}

async function anOwner() {
  const user = await signedIn();
  expect(await user.send('POST', '/auth/workspace')).toMatchObject({ status: 200, body: { success: true } });
  return user;
}

const idsOfConnections = (userId: string) =>
  service.app.db.selectFrom('connections').where('user_id', '=', userId).select('id').execute();
const aChannel = async (of: Owner, brand?: string): Promise<string> =>
  (await of.send('POST', '/connect-sandbox/mastodon', undefined, brand)).body.connected[0].platformId;

describe('[workspace.brands] a workspace', () => {
  test('is set up by its owner if the plan has one, once or again', async () => {
    const user = await signedIn();
    const profile = async () => (await user.send('GET', '/auth/profile')).body;
    expect(await profile()).toMatchObject({ hasWorkspace: false, canSetUpWorkspace: true });
    expect((await user.send('GET', '/workspace/users')).status).toBe(403);
    for (const _ of [1, 2]) expect((await user.send('POST', '/auth/workspace')).status).toBe(200);
    expect((await user.send('GET', '/workspace/users')).body).toEqual({ users: [] });
    expect(await profile()).toMatchObject({ hasWorkspace: true, canSetUpWorkspace: false });
    const { entries } = (await user.send('GET', '/auth/audit-log')).body;
    const changes = entries.filter(({ event }: { event: string }) => event === 'access_changed');
    expect(changes).toMatchObject([{ actor: { kind: 'user' }, details: { workspace: true } }]);
  });

  test('is not set up on another plan, or if an operator has switched it off', async () => {
    const refused = { status: 403, body: { error: 'Your plan does not include a workspace' } };
    const { id } = await signedIn('pro');
    const live = { ...service.app, sandboxUrl: null };
    await expect(setUpWorkspace(live, id, systemActor)).rejects.toMatchObject({ key: 'workspace_not_included' });
    expect(await maySetUpWorkspace(live, id)).toBe(false);
    const denied = await signedIn();
    await setAccess(service.app, denied.id, { workspace: false });
    expect(await denied.send('POST', '/auth/workspace')).toMatchObject(refused);
  });

  test('can be tried in the sandbox on every plan', async () => {
    const user = await signedIn('pro');
    expect((await user.send('GET', '/auth/profile')).body).toMatchObject({ canSetUpWorkspace: true });
    expect((await user.send('POST', '/auth/workspace')).status).toBe(200);
    expect((await user.send('GET', '/workspace/users')).body).toEqual({ users: [] });
  });

  test('is not set up by a managed user', async () => {
    const member = await signedIn();
    await service.app.db.updateTable('users').set({ parent_user_id: owner.id }).where('id', '=', member.id).execute();
    expect((await member.send('POST', '/auth/workspace')).status).toBe(403);
    await service.app.db.updateTable('users').set({ parent_user_id: null }).where('id', '=', member.id).execute();
  });
});

describe('[workspace.brands] a brand', () => {
  test('gets another name and a colour, which the list shows from then on', async () => {
    const listed = async () =>
      (await owner.send('GET', '/workspace/users')).body.users.find(({ _id }: { _id: string }) => _id === garage);
    expect(await listed()).not.toHaveProperty('colour');
    const changed = await owner.send('PATCH', `/workspace/users/${garage}`, {
      displayName: ' The garage ',
      colour: 'teal',
    });
    expect(changed.body.user).toMatchObject({ displayName: 'The garage', colour: 'teal' });
    expect(await listed()).toMatchObject({ displayName: 'The garage', colour: 'teal' });
    await owner.send('PATCH', `/workspace/users/${garage}`, { colour: 'red' });
    expect(await listed()).toMatchObject({ displayName: 'The garage', colour: 'red' });
  });

  test.for([
    [{}, 'PROFILE_EMPTY'],
    [{ displayName: ' ' }, 'DISPLAY_NAME_EMPTY'],
    [{ displayName: 'x'.repeat(101) }, 'DISPLAY_NAME_INVALID'],
    [{ colour: 'mauve' }, 'BRAND_COLOUR_INVALID'],
  ] as const)('is not changed by %j', async ([body, code]) => {
    expect(await owner.send('PATCH', `/workspace/users/${garage}`, body)).toMatchObject({
      status: 400,
      body: { code },
    });
  });

  test('is not changed by the owner of another workspace', async () => {
    const rival = await anOwner();
    expect((await rival.send('PATCH', `/workspace/users/${garage}`, { colour: 'red' })).status).toBe(404);
  });
});

describe('a session that acts for a brand', () => {
  test('connects and disconnects accounts of the brand, and its audit log names the owner', async () => {
    const channel = await aChannel(owner, bakery);
    const idsOf = async (brand?: string) =>
      (await owner.send('GET', '/platform-connections', undefined, brand)).body.connections.map(
        ({ platformId }: { platformId: string }) => platformId,
      );
    expect([await idsOf(bakery), await idsOf()]).toEqual([[channel], []]);
    const added = await service.app.db
      .selectFrom('audit_log')
      .select(['event', 'actor_kind', 'actor_id'])
      .where('user_id', '=', bakery)
      .where('event', '=', 'connection_added')
      .execute();
    expect(added).toEqual([{ event: 'connection_added', actor_kind: 'workspace_owner', actor_id: owner.id }]);
    expect((await owner.send('DELETE', `/connections/${channel}`)).status).toBe(404);
    expect((await owner.send('DELETE', `/connections/${channel}`, undefined, bakery)).status).toBe(200);
    expect(await idsOf(bakery)).toEqual([]);
  });

  describe('and goes to a consent page', () => {
    const inSession = (token: string) => ({ authorization: `Bearer ${token}` });
    async function backFromConsent(of: Owner, brand: string, handle: string) {
      const started = await service.server.inject({
        method: 'POST',
        url: '/api/v1/connect/twitter',
        headers: { ...inSession(of.token), 'x-service-user-id': brand },
        payload: { fields: {}, returnTo: '/channels' },
      });
      const cookie = `${started.headers['set-cookie']}`.split(';')[0]!;
      const back = await consent(new URL(started.json().url), { decision: 'allow', handle });
      return async (token: string) => {
        const headers = { ...inSession(token), cookie };
        const returned = await service.server.inject({ url: `/api/v1/connect/callback${back.search}`, headers });
        return `${returned.headers.location}`;
      };
    }

    test('connects the account to the brand, and returns to its page', async () => {
      const finish = await backFromConsent(owner, bakery, 'bakery');
      expect(await finish(owner.token)).toMatch(new RegExp(`^/channels\\?connected=twitter-\\d+&brand=${bakery}$`));
    });

    test('connects nothing in a session of somebody else, or after the brand has left', async () => {
      const rival = await anOwner();
      const leaving = await rival.aBrand('Leaving');
      const finish = await backFromConsent(rival, leaving, 'leaving');
      expect(await finish(owner.token)).toMatch(/connect=failed/);
      await rival.send('DELETE', `/workspace/users/${leaving}`);
      expect(await finish(rival.token)).toMatch(/connect=failed/);
      expect(await idsOfConnections(leaving)).toEqual([]);
    });

    describe('connects nothing to', () => {
      const isLeaving = { deletion_at: new Date(Date.now() + 3_600_000) };
      const leave = ({ id }: Owner) =>
        service.app.db.updateTable('users').set(isLeaving).where('id', '=', id).execute();
      test.for<[what: string, change: (of: Owner, brand: string) => Promise<unknown>]>([
        ['a brand of a workspace that was switched off', (of) => setAccess(service.app, of.id, { workspace: false })],
        ['a brand on hold', (_, brand) => holdUser(service.app, brand, { reason: 'Check', until: null })],
        ['a brand of an owner who deletes the account', leave],
      ])('%s in the meantime', async ([, change]) => {
        const agency = await anOwner();
        const brand = await agency.aBrand('Meantime');
        const finish = await backFromConsent(agency, brand, `meantime${brands}`);
        await change(agency, brand);
        expect(await finish(agency.token)).toMatch(/connect=failed/);
        expect(await idsOfConnections(brand)).toEqual([]);
      });

      test('an account that is deleted in the meantime', async () => {
        const agency = await anOwner();
        const finish = await backFromConsent(agency, agency.id, 'leaver');
        await leave(agency);
        expect(await finish(agency.token)).toMatch(/connect=failed/);
        expect(await idsOfConnections(agency.id)).toEqual([]);
      });
    });
  });

  test('keeps drafts of the brand apart', async () => {
    const id = crypto.randomUUID();
    const draft = { version: 0, draft: { text: 'Fresh bread' } };
    expect((await owner.send('PUT', `/dashboard/drafts/${id}`, draft, bakery)).status).toBe(200);
    expect((await owner.send('GET', `/dashboard/drafts/${id}`)).status).toBe(404);
    expect((await owner.send('GET', `/dashboard/drafts/${id}`, undefined, bakery)).status).toBe(200);
  });

  test('is refused for a user whom the owner does not manage', async () => {
    const stranger = await service.aUser();
    for (const path of ['/connect', '/dashboard/drafts'])
      expect(await owner.send('GET', path, undefined, stranger.id)).toMatchObject({
        status: 403,
        body: { error: 'User is not managed by key' },
      });
  });
});

describe('[list-posts.brands] all brands', () => {
  let agency: Owner;
  let one: string;
  let two: string;
  const posts: { id: string; user: string }[] = [];
  beforeAll(async () => {
    agency = await anOwner();
    [one, two] = [await agency.aBrand('One'), await agency.aBrand('Two')];
    for (const [index, brand] of [one, undefined, two, one].entries()) {
      const platforms = [await aChannel(agency, brand)];
      const scheduledTime = new Date(service.app.clock.now().getTime() + (4 - index) * 3_600_000).toISOString();
      const body = { content: index === 2 ? 'Summer sale' : `Post ${index}`, platforms, scheduledTime };
      const made = await agency.send('POST', '/create-post', body, brand);
      posts.push({ id: made.body.postGroupId, user: brand ?? agency.id });
    }
    await agency.send('POST', '/create-post', { content: 'No time', platforms: [await aChannel(agency, two)] }, two);
  });

  const listed = async (query: string) => {
    const { body } = await agency.send('GET', `/list-posts?brands=all&${query}`);
    const found = body.posts.map(({ postGroupId: id, userId: user }: { postGroupId: string; userId: string }) => ({
      id,
      user,
    }));
    return { found, hasNextPage: body.pagination.hasNextPage };
  };

  test('are one calendar, in the order of their times, each with its user', async () => {
    expect(await listed('from=2000-01-01')).toEqual({ found: posts.toReversed(), hasNextPage: false });
  });

  test('are one list, newest first, in pages without gap or repetition', async () => {
    const pages = [];
    for (const page of [1, 2, 3]) pages.push(await listed(`limit=2&page=${page}`));
    expect(pages.map(({ hasNextPage }) => hasNextPage)).toEqual([true, true, false]);
    expect(pages.flatMap(({ found }) => found).slice(1)).toEqual(posts.toReversed());
  });

  test('sort posts without a time last', async () => {
    for (const order of ['asc', 'desc']) {
      const { found } = await listed(`sortBy=scheduledTime&sortOrder=${order}`);
      expect(found.slice(0, 4)).toEqual(order === 'asc' ? posts.toReversed() : posts);
    }
  });

  test('are searched and filtered together', async () => {
    expect((await listed('q=summer')).found).toEqual([posts[2]]);
    expect((await listed('status=draft')).found).toHaveLength(1);
  });

  test('show their channels, each with its user and a picture that a browser can load', async () => {
    const { connections } = (await agency.send('GET', '/platform-connections?brands=all')).body;
    expect(connections.map(({ userId }: { userId: string }) => userId)).toEqual([one, agency.id, two, one, two]);
    const [{ avatarPath }] = connections;
    expect(avatarPath).toMatch(new RegExp(`\\?userId=${one}$`));
    expect((await agency.send('GET', avatarPath.replace('/api/v1', ''))).status).toBe(200);
    expect((await owner.send('GET', avatarPath.replace('/api/v1', ''))).status).toBe(403);
    expect((await agency.send('GET', avatarPath.replace('/api/v1', ''), undefined, one)).status).toBe(200);
  });

  test('show the labels of each, with whose they are', async () => {
    for (const [brand, labels] of [
      [one, ['launch', 'news']],
      [two, ['launch']],
    ] as const) {
      const platforms = [await aChannel(agency, brand)];
      await agency.send('POST', '/create-post', { content: 'Labelled', platforms, labels }, brand);
    }
    await agency.send('PATCH', '/labels/launch', { colour: 'pink' }, two);
    const { labels } = (await agency.send('GET', '/labels?brands=all')).body;
    expect(labels.map(({ userId, name }: { userId: string; name: string }) => [userId, name])).toEqual([
      [one, 'launch'],
      [one, 'news'],
      [two, 'launch'],
    ]);
    expect(labels[2].colour).toBe('pink');
    expect((await agency.send('GET', '/labels')).body.labels).toEqual([]);
  });

  test('show the posting slots of each brand that has some', async () => {
    const week = (weekday: number) => ({ timeZone: 'Europe/Berlin', slots: [{ weekday, time: '09:00' }] });
    await agency.send('PUT', '/posting-slots', week(1));
    await agency.send('PUT', '/posting-slots', week(2), two);
    const { body } = await agency.send('GET', '/posting-slots?brands=all');
    expect(body).toMatchObject({ slots: [{ weekday: 1 }], brands: [{ userId: two, slots: [{ weekday: 2 }] }] });
    expect((await agency.send('GET', '/posting-slots')).body).not.toHaveProperty('brands');
  });

  test('send their changes to one stream', async () => {
    const streams = openStreams(service.app);
    onTestFinished(() => streams.close());
    const request = { lastEventId: undefined, asWebhook: false, names: null, isAllowed: async () => true };
    const sources = [agency.id, one, two];
    const body = await streams.open({ userId: agency.id, ownerId: agency.id, sources, ...request });
    let text = '';
    body.on('data', (chunk) => {
      text += chunk;
    });
    for (const brand of [one, two]) await aChannel(agency, brand);
    await expect.poll(() => text.match(/event: connection/g)?.length).toBe(2);
  });

  test('leave out a user on hold', async () => {
    const held = await agency.aBrand('Held');
    await aChannel(agency, held);
    const usersOf = async () =>
      (await agency.send('GET', '/platform-connections?brands=all')).body.connections.map(
        ({ userId }: { userId: string }) => userId,
      );
    expect(await usersOf()).toContain(held);
    await holdUser(service.app, held, { reason: null, until: null });
    expect(await usersOf()).not.toContain(held);
  });

  test('leave out, for a key, a user for whom an operator has switched its access off', async () => {
    const closed = await agency.aBrand('Closed');
    await aChannel(agency, closed);
    const seesClosed = async (headers: Record<string, string>) => {
      const url = '/api/v1/platform-connections?brands=all';
      const { connections } = (await service.server.inject({ url, headers })).json();
      return connections.some(({ userId }: { userId: string }) => userId === closed);
    };
    const byKey = { 'x-service-key': agency.apiKey };
    const byAgent = { ...byKey, 'x-service-client': 'mcp' };
    const bySession = { authorization: `Bearer ${agency.token}` };
    const seen = () => Promise.all([byKey, byAgent, bySession].map(seesClosed));
    expect(await seen()).toEqual([true, true, true]);
    await setAccess(service.app, closed, { mcp: false });
    expect(await seen()).toEqual([true, false, true]);
    await setAccess(service.app, closed, { api: false });
    expect(await seen()).toEqual([false, false, true]);
  });

  test('are refused without a workspace, for a managed user, and to a key without the scope', async () => {
    const refused = { status: 403, body: { error: 'Workspace access is not enabled for this key' } };
    const plain = await signedIn('pro');
    const lists = ['/list-posts', '/platform-connections', '/events', '/labels', '/posting-slots'];
    for (const path of lists.map((list) => `${list}?brands=all`)) {
      expect(await plain.send('GET', path)).toMatchObject(refused);
      expect(await agency.send('GET', path, undefined, one)).toMatchObject(refused);
    }
    const { body } = await agency.send('POST', '/auth/api-keys', { name: 'Reader', scopes: ['read'] });
    const headers = { 'x-service-key': body.apiKey.rawKey };
    const byKey = await service.server.inject({ url: '/api/v1/list-posts?brands=all', headers });
    expect([byKey.statusCode, byKey.json()]).toMatchObject([403, refused.body]);
  });

  test.for(['brands=one', 'brands=all&sortBy=updatedAt'])('%s is refused', async (query) => {
    expect((await agency.send('GET', `/list-posts?${query}`)).status).toBe(400);
  });
});
