import type { LightMyRequestResponse } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { consent } from '../../../../test/support/browser/consent.ts';
import { testClock } from '../../../../test/support/service/app.ts';
import { type TestService, type TestUser, testService } from '../../../../test/support/service/service.ts';
import { hashSecret } from '../../../foundation/lib/secrets.ts';
import { buildServer } from '../../../surfaces/server.ts';
import { setAccess } from '../../accounts/operator/switches.ts';
import { connectNewSandboxAccount } from './sandbox.ts';

const clock = testClock();
let service: TestService;
let owner: TestUser;
beforeAll(async () => {
  service = await testService({ clock, publicUrl: 'https://crier.test' });
  owner = await service.aUser();
  await setAccess(service.app, owner.id, { workspace: true });
});
afterAll(() => service.close());

let clients = 0;

/** A client with a link, and the browser in which the link was opened. */
async function aClient(wanted: object = {}) {
  clients += 1;
  const username = `visitor${clients}@example.com`;
  const { body } = await owner.call('POST', '/workspace/users', { username, displayName: `Client ${clients} & <3` });
  const id = body.user._id as string;
  const { url } = (await owner.call('POST', `/workspace/users/${id}/connection-url`, wanted)).body;
  const path = new URL(url).pathname;
  const connections = async () =>
    (await owner.call('GET', '/platform-connections', undefined, { 'x-service-user-id': id })).body.connections;
  return { id, path, token: path.split('/').at(-1)!, connections, ...aBrowser() };
}

/** Keeps cookies, posts forms, and follows redirects of our own pages. */
function aBrowser() {
  const cookies = new Map<string, string>();
  const headers = () => ({ accept: 'text/html', cookie: [...cookies.values()].join('; ') });
  const send = async (options: {
    method: 'GET' | 'POST';
    url: string;
    payload?: string;
  }): Promise<LightMyRequestResponse> => {
    const form = options.payload === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await service.server.inject({ ...options, headers: { ...headers(), ...form } });
    for (const cookie of [answer.headers['set-cookie'] ?? []].flat())
      cookies.set(cookie.split('=')[0]!, cookie.split(';')[0]!);
    const { location = '' } = answer.headers;
    return location.startsWith('/') ? send({ method: 'GET', url: location }) : answer;
  };
  return {
    open: (url: string) => send({ method: 'GET', url }),
    submit: (url: string, fields: Record<string, string>) =>
      send({ method: 'POST', url, payload: new URLSearchParams(fields).toString() }),
  };
}

const asJson = (method: 'GET' | 'POST', url: string, payload?: object) =>
  service.server.inject({ method, url, headers: { accept: 'application/json' }, ...(payload && { payload }) });

const back = async (location: unknown, handle: string, decision: 'allow' | 'deny' = 'allow') => {
  const { pathname, search } = await consent(new URL(String(location)), { decision, handle });
  return pathname + search;
};

describe('[workspace.connection-url] the page of a connection link', () => {
  test('opens without an account, names the client, and is neither cached nor shared with other sites', async () => {
    const { open, path } = await aClient();
    const page = await open(path);
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    expect(page.body).toContain(`Client ${clients} &amp; &lt;3`);
    expect(page.body).toContain('No accounts yet');
    expect(page.body).toMatch(/name="botToken" type="password"/);
  });

  test('names the person who sent the link, if they have set a name', async () => {
    const { open, path } = await aClient();
    const rename = (name: string) =>
      service.database.pool.query('update users set name = $1 where id = $2', [name, owner.id]);
    await rename('');
    expect((await open(path)).body).not.toContain('asks you');
    await rename('Lovelace & Co');
    expect((await open(path)).body).toContain('<strong>Lovelace &amp; Co</strong> asks you to connect');
  });

  test('shows what to do at the network before its form can be filled in', async () => {
    const { open, path } = await aClient();
    const { body } = await open(path);
    expect(body).toMatch(/<summary>Telegram<\/summary>\s*<ol><li>In Telegram, message @BotFather [^<]*<\/li>/);
    expect(body).toMatch(/<summary>Mastodon<\/summary>\s*<form/);
  });

  test('connects an account by consent, in several tabs at the same time', async () => {
    const [one, two] = [await aClient(), await aClient()];
    const [first, second] = [
      await one.submit(`${one.path}/twitter`, {}),
      await one.submit(`${two.path}/mastodon`, { instance: 'mastodon.social' }),
    ];
    expect([first.statusCode, second.statusCode]).toEqual([303, 303]);
    const page = await one.open(await back(first.headers.location, `linked${clients}`));
    expect([page.statusCode, page.body]).toEqual([200, expect.stringContaining(`Connected: linked${clients}`)]);
    await one.open(await back(second.headers.location, `linked${clients}`));
    expect(await one.connections()).toMatchObject([{ platformId: expect.stringMatching(/^twitter-/) }]);
    expect(await two.connections()).toMatchObject([{ platformId: expect.stringMatching(/^mastodon-/) }]);
    expect((await one.open(one.path)).body).toContain(`linked${clients}`);
  });

  test('connects an account by a form, and says what is wrong with it', async () => {
    const { submit, path, connections } = await aClient();
    const { credentials } = await service.sandbox.control<{ credentials: { botToken: string } }>('POST', '/accounts', {
      network: 'telegram',
      handle: 'linkednews',
    });
    const wrong = await submit(`${path}/telegram`, { botToken: 'x', channel: '@linkednews' });
    expect([wrong.statusCode, wrong.body]).toEqual([400, expect.stringContaining('Enter the token')]);
    const done = await submit(`${path}/telegram`, { botToken: credentials.botToken, channel: '@linkednews' });
    expect([done.statusCode, done.body]).toEqual([200, expect.stringContaining('Connected: linkednews')]);
    expect(await connections()).toHaveLength(1);
  });

  test('lets the client choose where one consent opens several accounts', async () => {
    const { submit, open, path, connections } = await aClient();
    const started = await submit(`${path}/linkedin`, {});
    const page = await open(await back(started.headers.location, `admin${clients}`));
    const [, action] = /action="(\/connect\/[^"]+\/choices\/[0-9a-f]{24})"/.exec(page.body)!;
    const [, accountId] = /name="accountIds" value="([^"]+)"/.exec(page.body)!;
    const chosen = await submit(action!, { accountIds: accountId! });
    expect(chosen.statusCode).toBe(200);
    expect(await connections()).toMatchObject([{ platformId: `linkedin-${accountId}` }]);
  });

  test('says of the address only what is true', async () => {
    const { open, path } = await aClient();
    const page = await open(`${path}?connected=mastodon-1%20<b>&choice=${'0'.repeat(24)}`);
    expect([page.statusCode, page.body]).toEqual([200, expect.not.stringMatching(/role="status"|mastodon-1/)]);
  });

  test('tells a declined consent as such, once', async () => {
    const { submit, open, path, connections } = await aClient();
    const started = await submit(`${path}/twitter`, {});
    const page = await open(await back(started.headers.location, 'nobody', 'deny'));
    expect([page.statusCode, page.body]).toEqual([200, expect.stringContaining('cancelled on the consent page')]);
    expect((await open(`${path}?connect=failed`)).body).toContain('Nothing was connected. Try again.');
    expect(await connections()).toEqual([]);
  });

  test.for(['', 'a'])('shows a reason with emoji up to where it is cut, after "%s"', async (start) => {
    const { submit, open, path } = await aClient();
    const { location = '' } = (await submit(`${path}/twitter`, {})).headers;
    const state = new URL(String(location)).searchParams.get('state');
    const query = new URLSearchParams({ state: `${state}`, error: 'x', error_description: start + '🚀'.repeat(400) });
    const page = await open(`/api/v1/connect/callback?${query}`);
    expect(page.body).toMatch(/X did not give access: a?🚀{100}/u);
  });

  test('answers JSON to clients that accept it', async () => {
    const { path } = await aClient();
    const view = (await asJson('GET', path)).json();
    expect(view).toMatchObject({ connections: [], platforms: expect.any(Array), expiresAt: expect.any(String) });
    const started = await asJson('POST', `${path}/twitter`, { fields: {} });
    expect(started.json()).toEqual({ url: expect.stringContaining('/oauth2/authorize') });
    const unknown = await asJson('POST', `${path}/myspace`, { fields: {} });
    expect([unknown.statusCode, unknown.json().error]).toEqual([404, 'Unknown platform: myspace']);
  });
});

describe('[workspace.connection-url] a connection link', () => {
  const isGone = async (path: string) => {
    const page = await aBrowser().open(path);
    expect([page.statusCode, page.body]).toEqual([404, expect.stringContaining('This link does not work')]);
    const data = await asJson('GET', path);
    expect([data.statusCode, data.json().code]).toEqual([404, 'CONNECTION_LINK_INVALID']);
    expect((await asJson('POST', `${path}/twitter`, { fields: {} })).statusCode).toBe(404);
  };

  test('works until its expiry, however often it is used', async () => {
    const { open, path } = await aClient({ expiresInDays: 2 });
    clock.advance({ seconds: 2 * 86_400 - 1 });
    expect((await open(path)).statusCode).toBe(200);
    expect((await open(path)).statusCode).toBe(200);
    clock.advance({ seconds: 1 });
    await isGone(path);
  });

  test('stops working when it is revoked, also for a consent that has begun', async () => {
    const { id, submit, open, path, connections } = await aClient();
    const started = await submit(`${path}/twitter`, {});
    const revoked = await owner.call('DELETE', `/workspace/users/${id}/connection-url`);
    expect([revoked.status, revoked.body]).toEqual([200, { success: true }]);
    await isGone(path);
    expect((await open(await back(started.headers.location, `late${clients}`))).statusCode).toBe(404);
    expect(await connections()).toEqual([]);
    expect((await owner.call('DELETE', `/workspace/users/${id}/connection-url`)).status).toBe(200);
    const { users } = (await owner.call('GET', '/workspace/users')).body;
    expect(users.find((user: { _id: string }) => user._id === id).connectionsPageUrl).toBeNull();
  });

  test('stops working when it is replaced, and when the user or its owner is switched off', async () => {
    const client = await aClient();
    const renewed = await owner.call('POST', `/workspace/users/${client.id}/connection-url`, { rotate: true });
    await isGone(client.path);
    const path = new URL(renewed.body.url).pathname;
    for (const [column, off, on] of [
      ['is_active', 'false', 'true'],
      ['held_at', 'now()', 'null'],
    ]) {
      for (const user of [client.id, owner.id]) {
        await service.database.pool.query(`update users set ${column} = ${off} where id = $1`, [user]);
        await isGone(path);
        await service.database.pool.query(`update users set ${column} = ${on} where id = $1`, [user]);
      }
    }
    expect((await client.open(path)).statusCode).toBe(200);
  });

  test('cannot be revoked by another owner', async () => {
    const { id, open, path } = await aClient();
    const eve = await service.aUser();
    await setAccess(service.app, eve.id, { workspace: true });
    expect((await eve.call('DELETE', `/workspace/users/${id}/connection-url`)).status).toBe(404);
    expect((await open(path)).statusCode).toBe(200);
  });

  test('leads no other browser to the end of a consent, signed in or not', async () => {
    const { submit, path, connections } = await aClient();
    const started = await submit(`${path}/twitter`, {});
    const url = await back(started.headers.location, `stolen${clients}`);
    expect((await aBrowser().open(url)).statusCode).toBe(401);
    const email = (await service.database.pool.query('select email from users where id = $1', [owner.id])).rows[0]
      .email;
    const payload = { email, password: 'long enough' };
    const { accessToken } = (
      await service.server.inject({ method: 'POST', url: '/api/v1/auth/signin', payload })
    ).json();
    const signedIn = await service.server.inject({ url, headers: { authorization: `Bearer ${accessToken}` } });
    expect(signedIn.statusCode).toBe(400);
    expect(await connections()).toEqual([]);
  });

  test('stores nothing if it is revoked, or the client leaves, while the network answers', async () => {
    const endings = [
      ({ id }: { id: string }) => owner.call('DELETE', `/workspace/users/${id}/connection-url`),
      ({ id }: { id: string }) => owner.call('POST', `/workspace/users/${id}/connection-url`, { rotate: true }),
      ({ id }: { id: string }) => owner.call('DELETE', `/workspace/users/${id}`),
    ];
    for (const end of endings) {
      const client = await aClient();
      const { platformAccess } = service.app;
      let ended = false;
      const slowly: typeof fetch = async (...request) => {
        if (!ended) await end(client);
        ended = true;
        return platformAccess.fetch(...request);
      };
      const app = { ...service.app, platformAccess: { ...platformAccess, fetch: slowly } };
      const holder = { userId: client.id, linkHash: hashSecret(client.token) };
      const work = connectNewSandboxAccount(app, holder, 'mastodon');
      await expect(work).rejects.toMatchObject({ key: 'connection_link_invalid' });
      const stored = service.app.db.selectFrom('connections').select('id').where('user_id', '=', client.id);
      expect([ended, await stored.execute()]).toEqual([true, []]);
    }
  });

  test('alone opens the choice of accounts that began on its page', async () => {
    const { id, path, submit, open } = await aClient();
    const asked = await submit(`${path}/linkedin`, {});
    const page = await open(await back(asked.headers.location, `admin${clients}`));
    const [, choice] = /\/choices\/([0-9a-f]{24})"/.exec(page.body)!;
    expect((await asJson('GET', `${path}/choices/${choice}`)).statusCode).toBe(200);
    const { url } = (await owner.call('POST', `/workspace/users/${id}/connection-url`, { rotate: true })).body;
    const later = `${new URL(url).pathname}/choices/${choice}`;
    expect((await asJson('GET', later)).statusCode).toBe(404);
    expect((await asJson('POST', later, { accountIds: ['x'] })).statusCode).toBe(404);
  });

  test("opens no other client's choice of accounts", async () => {
    const [ann, bob] = [await aClient(), await aClient()];
    const started = await ann.submit(`${ann.path}/linkedin`, {});
    const page = await ann.open(await back(started.headers.location, `admin${clients}`));
    const [, choice] = /\/choices\/([0-9a-f]{24})"/.exec(page.body)!;
    expect((await asJson('GET', `${ann.path}/choices/${choice}`)).statusCode).toBe(200);
    expect((await asJson('GET', `${bob.path}/choices/${choice}`)).statusCode).toBe(404);
    expect((await asJson('POST', `${bob.path}/choices/${choice}`, { accountIds: ['x'] })).statusCode).toBe(404);
  });

  test('is never in a log', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
    const server = await buildServer({ ...service.app, log });
    const { path, token } = await aClient();
    const headers = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' };
    await server.inject({ url: path });
    await server.inject({ url: `${path}/nothing/here` });
    await server.inject({ method: 'POST', url: `${path}/mastodon`, headers, payload: 'instance=nowhere.invalid' });
    await server.inject({ method: 'POST', url: `${path}/twitter`, headers, payload: '{' });
    await server.inject({ method: 'PUT', url: path });
    await server.close();
    expect(lines.length).toBeGreaterThanOrEqual(5);
    expect(lines.join('')).not.toContain(token);
  });
});
