import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { consent } from '../../../../test/support/browser/consent.ts';
import { type Answer, type TestService, type TestUser, testService } from '../../../../test/support/service/service.ts';
import { storeGrant } from '../connections.ts';
import { finishConnect, startConnect } from './connect.ts';
import { connectNewSandboxAccount } from './sandbox.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService({ publicUrl: 'https://crier.test' });
});
afterAll(() => service.close());

interface Person extends TestUser {
  raw(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body?: object,
    headers?: Record<string, string>,
  ): Promise<LightMyRequestResponse>;
  ask(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body?: object,
  ): Promise<Pick<Answer, 'status' | 'body'> & { text: string }>;
}

let people = 0;

/** A user who is signed in to the dashboard. */
async function aPerson(plan: 'pro' | 'starter' = 'pro'): Promise<Person> {
  const user = await service.aUser({ plan });
  people += 1;
  const [{ email }] = (await service.database.pool.query('select email from users where id = $1', [user.id])).rows;
  const payload = { email, password: 'long enough' };
  const { accessToken } = (await service.server.inject({ method: 'POST', url: '/api/v1/auth/signin', payload })).json();
  const raw: Person['raw'] = (method, path, body, headers = {}) =>
    service.server.inject({
      method,
      url: `/api/v1${path}`,
      headers: { authorization: `Bearer ${accessToken}`, ...headers },
      ...(body && { payload: body }),
    });
  return {
    ...user,
    raw,
    async ask(method, path, body) {
      const answer = await raw(method, path, body);
      return { status: answer.statusCode, body: parse(answer.body), text: answer.body };
    },
  };
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** Opens the consent page and agrees. Returns the URL of the callback. */
async function toConsentAndBack(
  person: Person,
  platform: string,
  handle: string,
  decision: 'allow' | 'deny' = 'allow',
  fields = {},
) {
  const started = await person.ask('POST', `/connect/${platform}`, { fields });
  expect(started.status).toBe(200);
  const back = await consent(new URL(started.body.url), { decision, handle });
  return `/connect/callback${back.search}`;
}

const connectionsOf = async (person: Person) => (await person.call('GET', '/platform-connections')).body.connections;

describe('a form', () => {
  test.for([{ fields: {} }, { fields: { botToken: 7 } }, undefined])(
    'that lacks fields is rejected with their names, in plain words: %o',
    async (body) => {
      const ann = await aPerson();
      const answer = await ann.ask('POST', '/connect/telegram', body);
      expect([answer.status, answer.body.code]).toEqual([400, 'CONNECT_FIELDS_INVALID']);
      expect(answer.body.error).toMatch(/^\w+ (is required\. Send it in "fields"\.|must be a text\.)$/);
    },
  );

  test.for([
    { handle: `${'/'.repeat(2_000)}\u2028x`, appPassword: 'secret' },
    { handle: { toString: 1, valueOf: 1 }, appPassword: 'secret' },
  ])('with a field that is too long or no text is refused: %#', async (fields) => {
    const ann = await aPerson();
    const answer = await ann.ask('POST', '/connect/bluesky', { fields });
    expect([answer.status, answer.body.code]).toEqual([400, 'CONNECT_FIELDS_INVALID']);
    expect(answer.body.error).toMatch(/^handle must be (at most 2,000 characters long|a text)\.$/);
  });

  test('is not needed where the network asks for nothing: no body is fine', async () => {
    const ann = await aPerson();
    expect(await ann.ask('POST', '/connect/twitter')).toMatchObject({
      status: 200,
      body: { url: expect.any(String) },
    });
  });
});

describe('a new account of the sandbox', () => {
  test.for(['bluesky', 'telegram'])(
    'is connected without the form of %s, to each person their own',
    async (platform) => {
      const people = [await aPerson(), await aPerson()];
      const ids: string[] = [];
      for (const person of people) {
        const { status, body } = await person.ask('POST', `/connect-sandbox/${platform}`);
        expect([status, body.connected]).toEqual([200, [expect.objectContaining({ handle: expect.any(String) })]]);
        const [{ platformId }] = await connectionsOf(person);
        expect(body.connected[0].platformId).toBe(platformId);
        expect((await person.call('POST', `/test-connection/${platformId}`)).body.status).toBe('ok');
        ids.push(platformId);
      }
      expect(new Set(ids).size).toBe(2);
    },
  );

  test('counts as a channel of the plan', async () => {
    const ann = await aPerson('starter');
    for (let used = 0; used < 3; used += 1)
      expect((await ann.ask('POST', '/connect-sandbox/bluesky')).status).toBe(200);
    expect((await ann.ask('POST', '/connect-sandbox/bluesky')).body.code).toBe('CHANNEL_LIMIT_REACHED');
    expect(await connectionsOf(ann)).toHaveLength(3);
  });

  test.for([
    ['a user', 1_000, 1],
    ['an owner and the managed users', 10_000, 10],
  ] as const)('is refused if %s would have more than %i, also on a plan without a limit', async ([_, limit, users]) => {
    const ann = await aPerson('pro');
    await service.database.pool.query(
      `with brands as (
        insert into users (id, email, name, plan, parent_user_id)
        select substr(md5($1 || n), 1, 24), $1 || n || '@example.com', 'Brand', 'pro', $1 from generate_series(2, $2) n
        returning id
      )
      insert into connections (id, user_id, platform, account_id, handle, display_name, credentials, scopes)
      select substr(md5(holder || n), 1, 24), holder, 'mastodon', n, '', '', 'x', '{}'
      from (select $1::text as holder union all select id from brands) holders, generate_series(1, 1000) n
      where holder <> $1 or n < 1000`,
      [ann.id, users],
    );
    if (users > 1)
      await service.database.pool.query('delete from connections where user_id = $1 and account_id = $2', [
        ann.id,
        '1',
      ]);
    const add = () => ann.ask('POST', '/connect-sandbox/bluesky');
    const made = [await add(), ...(users > 1 ? [await add()] : [])];
    expect(made.every(({ status }) => status === 200)).toBe(true);
    expect((await add()).body).toMatchObject({ code: 'CHANNEL_LIMIT_REACHED', limit: users > 1 ? limit : 1_000 });
  });

  test('is refused where posts go to the real networks', async () => {
    const ann = await aPerson();
    const live = { ...service.app, sandboxUrl: null };
    const connecting = connectNewSandboxAccount(live, { userId: ann.id }, 'bluesky');
    await expect(connecting).rejects.toMatchObject({ body: { code: 'CONNECT_SANDBOX_OFF' } });
    expect(await connectionsOf(ann)).toEqual([]);
  });

  test('needs a known network, and a person who is signed in', async () => {
    const ann = await aPerson();
    expect((await ann.ask('POST', '/connect-sandbox/orkut')).status).toBe(404);
    expect((await ann.call('POST', '/connect-sandbox/bluesky')).status).toBe(401);
  });
});

describe('by consent', () => {
  test.for([
    ['twitter', /^twitter-\d+$/],
    ['mastodon', /^mastodon-\d+@mastodon\.social$/],
  ] as const)('%s is connected, and can be used', async ([platform, id]) => {
    const ann = await aPerson();
    const page = await ann.ask('GET', await toConsentAndBack(ann, platform, `ann${people}`));
    expect(page.status).toBe(200);
    expect(page.text).toContain(`Connected: ann${people}`);
    const [connection] = await connectionsOf(ann);
    expect(connection).toMatchObject({ platformId: expect.stringMatching(id), connectionStatus: 'active' });
    const tested = await ann.call('POST', `/test-connection/${connection.platformId}`);
    expect(tested.body).toMatchObject({ status: 'ok', message: expect.stringMatching(/^Connected as ann/) });
    expect(tested.body.permissions).not.toEqual([]);
  });

  test('the way ends on pages that exist', async () => {
    const ann = await aPerson();
    const pages = [
      await ann.ask('GET', await toConsentAndBack(ann, 'twitter', `end${people}`)),
      await ann.ask('GET', await toConsentAndBack(ann, 'linkedin', `admin${people}`)),
      await ann.ask('GET', await toConsentAndBack(ann, 'twitter', 'ann', 'deny')),
    ];
    for (const { text } of pages) {
      const links = [...text.matchAll(/href="https:\/\/crier\.test([^"#]*)/g)].map(([, path = '']) => path);
      expect(links).not.toEqual([]);
      for (const url of links) expect((await service.server.inject({ url })).statusCode).toBe(200);
    }
  });

  test('a Mastodon-compatible server that does not repeat the scopes has granted those that were asked for', async () => {
    const ann = await aPerson();
    const fields = { instance: 'terse.mastodon.example' };
    const page = await ann.ask('GET', await toConsentAndBack(ann, 'mastodon', `terse${people}`, 'allow', fields));
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('Connected: terse')]);
    const [connection] = await connectionsOf(ann);
    const { permissions } = (await ann.call('POST', `/test-connection/${connection.platformId}`)).body;
    expect(permissions).toContain('write:statuses');
  });

  test('a person who administers pages chooses among the accounts', async () => {
    const ann = await aPerson();
    const page = await ann.ask('GET', await toConsentAndBack(ann, 'linkedin', `admin${people}`));
    const choice = /choices\/([0-9a-f]{24})/.exec(page.text)?.[1];
    expect(await connectionsOf(ann)).toEqual([]);
    const { body } = await ann.ask('GET', `/connect/choices/${choice}`);
    expect(body.accounts).toHaveLength(2);

    const wrong = await ann.ask('POST', `/connect/choices/${choice}`, { accountIds: ['somebody-else'] });
    expect([wrong.status, wrong.body.code]).toEqual([400, 'CONNECT_CHOICE_INVALID']);
    const [{ accountId }] = body.accounts;
    const done = await ann.ask('POST', `/connect/choices/${choice}`, { accountIds: [accountId] });
    expect(done.body.connected).toMatchObject([{ platformId: `linkedin-${accountId}` }]);
    expect(await connectionsOf(ann)).toMatchObject([{ platformId: `linkedin-${accountId}`, tokenStatus: 'valid' }]);
    expect((await ann.ask('POST', `/connect/choices/${choice}`, { accountIds: [accountId] })).status).toBe(404);
  });

  test("a user can neither see nor make another user's choice", async () => {
    const [ann, eve] = [await aPerson(), await aPerson()];
    const page = await ann.ask('GET', await toConsentAndBack(ann, 'linkedin', `admin${people}`));
    const choice = /choices\/([0-9a-f]{24})/.exec(page.text)?.[1];
    expect((await eve.ask('GET', `/connect/choices/${choice}`)).status).toBe(404);
    expect((await eve.ask('POST', `/connect/choices/${choice}`, { accountIds: ['x'] })).status).toBe(404);
    expect((await ann.ask('GET', `/connect/choices/${choice}`)).status).toBe(200);
  });

  test('what was begun ends with the session: the way to a consent page, and a choice', async () => {
    const ann = await aPerson();
    await ann.ask('GET', await toConsentAndBack(ann, 'linkedin', `admin${people}`));
    await ann.ask('POST', '/connect/twitter', { fields: {} });
    const begun = async () => {
      const all = 'select from oauth_flows where user_id = $1 union all select from account_choices where user_id = $1';
      return (await service.database.pool.query(all, [ann.id])).rowCount;
    };
    expect(await begun()).toBe(2);
    expect((await ann.ask('POST', '/auth/signout')).status).toBe(200);
    expect(await begun()).toBe(0);
  });

  test('nothing is stored for a session that ends while the network answers', async () => {
    const { platformAccess, db } = service.app;
    for (const what of ['account', 'consent'] as const) {
      const ann = await aPerson();
      const { id: sessionId } = await db
        .selectFrom('auth_sessions')
        .select('id')
        .where('user_id', '=', ann.id)
        .executeTakeFirstOrThrow();
      const back = new URLSearchParams((await toConsentAndBack(ann, 'twitter', `slow${people}`)).split('?')[1]);
      const slowly: typeof fetch = async (...request) => {
        await ann.ask('POST', '/auth/signout');
        return platformAccess.fetch(...request);
      };
      const app = { ...service.app, platformAccess: { ...platformAccess, fetch: slowly } };
      const person = { userId: ann.id, session: { userId: ann.id, sessionId } };
      const work =
        what === 'account'
          ? connectNewSandboxAccount(app, person, 'mastodon')
          : finishConnect(app, person, Object.fromEntries(back));
      await expect(work).rejects.toMatchObject({ key: 'session_required' });
      expect(await connectionsOf(ann)).toEqual([]);
    }
  });

  test('a callback address works once', async () => {
    const ann = await aPerson();
    const back = await toConsentAndBack(ann, 'twitter', `once${people}`);
    expect((await ann.ask('GET', back)).status).toBe(200);
    const again = await ann.ask('GET', back);
    expect(again.status).toBe(400);
    expect(again.text).toContain('already used');
    expect(await connectionsOf(ann)).toHaveLength(1);
  });

  test('a callback address does not work in the session of another user, whose try does not use it up', async () => {
    const [ann, eve] = [await aPerson(), await aPerson()];
    const back = await toConsentAndBack(ann, 'twitter', `stolen${people}`);
    expect((await eve.ask('GET', back)).status).toBe(400);
    expect((await ann.ask('GET', back)).status).toBe(200);
    expect([(await connectionsOf(ann)).length, await connectionsOf(eve)]).toEqual([1, []]);
  });

  test('a browser without a session gets a page that says so, a program gets JSON, and the address still works', async () => {
    const ann = await aPerson();
    const back = await toConsentAndBack(ann, 'twitter', `elsewhere${people}`);
    const ask = (accept: string) => service.server.inject({ url: `/api/v1${back}`, headers: { accept } });
    const page = await ask('text/html,application/xhtml+xml,*/*;q=0.8');
    expect([page.statusCode, page.headers['content-type']]).toEqual([401, 'text/html; charset=utf-8']);
    expect(page.body).toContain('This browser isn’t signed in to Crier, so nothing was connected.');
    const program = await ask('*/*');
    expect([program.statusCode, program.json().code]).toEqual([401, 'SESSION_REQUIRED']);
    expect((await ann.ask('GET', back)).status).toBe(200);
  });

  test('a server that names itself is believed only if its consent page was asked for', async () => {
    const ann = await aPerson();
    const honest = await toConsentAndBack(ann, 'youtube', `channel${people}`);
    expect(new URLSearchParams(honest.split('?')[1]).get('iss')).toBe('https://accounts.google.com');
    expect((await ann.ask('GET', honest)).status).toBe(200);
    for (const iss of ['https://evil.example', 'https://accounts.google.com.evil.example', 'nonsense', '']) {
      const other = new URL(await toConsentAndBack(ann, 'mastodon', `mixed${people}`), 'https://crier.test');
      other.searchParams.set('iss', iss);
      const page = await ann.ask('GET', other.pathname + other.search);
      expect([page.status, page.text]).toEqual([400, expect.stringContaining('a different server than')]);
    }
    expect(await connectionsOf(ann)).toHaveLength(1);
    const own = await toConsentAndBack(ann, 'mastodon', `own${people}`);
    expect((await ann.ask('GET', `${own}&iss=${encodeURIComponent('https://mastodon.social/')}`)).status).toBe(200);
  });

  test('a declined consent is reported', async () => {
    const ann = await aPerson();
    const page = await ann.ask('GET', await toConsentAndBack(ann, 'twitter', 'ann', 'deny'));
    expect(page.status).toBe(400);
    expect(page.text).toContain('cancelled on the consent page');
  });

  test('a consent that LinkedIn calls cancelled is reported as such', async () => {
    const ann = await aPerson();
    const page = await ann.ask('GET', await toConsentAndBack(ann, 'linkedin', 'ann', 'deny'));
    expect(page.text).toContain('cancelled on the consent page');
  });

  test('another error of the consent page is reported in the words of the network', async () => {
    const ann = await aPerson();
    const { body } = await ann.ask('POST', '/connect/linkedin', { fields: {} });
    const wider = new URL(body.url);
    wider.searchParams.set('scope', `${wider.searchParams.get('scope')} <b>everything`);
    const back = new URL((await fetch(wider, { redirect: 'manual' })).headers.get('location') ?? '');
    const page = await ann.ask('GET', `/connect/callback${back.search}`);
    expect(page.status).toBe(400);
    expect(page.text).toContain(
      'LinkedIn did not give access: Scope &quot;&lt;b&gt;everything&quot; is not authorized for your application ' +
        '(unauthorized_scope_error).',
    );
    expect(page.text).not.toContain('cancelled');
  });

  test.for([
    ['error=access_denied', 400, 'cancelled'],
    [
      'error=server_error&error_description=Upside%20down.',
      503,
      'Upside down (server_error). Try again in a few minutes',
    ],
    ['error=temporarily_unavailable', 503, 'temporarily_unavailable. Try again in a few minutes'],
    ['error=invalid_request', 400, 'X did not give access: invalid_request. Nothing was connected.'],
    ['', 400, 'X did not give access: it gave no reason.'],
  ] as const)('a return with "%s" is reported as what it is', async ([query, status, words]) => {
    const ann = await aPerson();
    const { body } = await ann.ask('POST', '/connect/twitter', { fields: {} });
    const state = new URL(body.url).searchParams.get('state');
    const page = await ann.ask('GET', `/connect/callback?state=${state}&${query}`);
    expect(page.status).toBe(status);
    expect(page.text).toContain(words);
  });

  /** The callback, requested by a browser that started from a page of the dashboard. */
  async function backToDashboard(ann: Person, returnTo: string, decision: 'allow' | 'deny', platform = 'twitter') {
    const started = await ann.raw('POST', `/connect/${platform}`, { returnTo });
    const cookie = String(started.headers['set-cookie']).split(';')[0]!;
    const back = await consent(new URL(started.json().url), { decision, handle: `dash${people}` });
    return ann.raw('GET', `/connect/callback${back.search}`, undefined, { cookie });
  }

  test.for(['/channels', '/welcome'])('that began on %s of the dashboard leads back there', async (page) => {
    const ann = await aPerson();
    const { statusCode, headers } = await backToDashboard(ann, page, 'allow');
    const [{ platformId }] = await connectionsOf(ann);
    expect([statusCode, headers.location]).toEqual([303, `${page}?connected=${platformId}`]);
  });

  test('that was denied leads back with the reason in a cookie, not in the address', async () => {
    const { statusCode, headers } = await backToDashboard(await aPerson(), '/channels', 'deny');
    expect([statusCode, headers.location]).toEqual([303, '/channels?connect=failed']);
    const cookie = decodeURIComponent(String(headers['set-cookie']));
    expect(cookie).toMatch(/^crier\.connect-problem=The connection was cancelled .*; SameSite=Lax; Secure$/);
  });

  test.for(['', 'a'])(
    'that was refused with emoji up to where the reason is cut leads back after "%s"',
    async (start) => {
      const ann = await aPerson();
      const started = await ann.raw('POST', '/connect/twitter', { returnTo: '/channels' });
      const state = new URL(started.json().url).searchParams.get('state');
      const query = new URLSearchParams({ state: `${state}`, error: 'x', error_description: start + '🚀'.repeat(400) });
      const cookie = String(started.headers['set-cookie']).split(';')[0]!;
      const { statusCode, headers } = await ann.raw('GET', `/connect/callback?${query}`, undefined, { cookie });
      expect([statusCode, headers.location]).toEqual([303, '/channels?connect=failed']);
      expect(decodeURIComponent(String(headers['set-cookie']))).toMatch(/X did not give access: a?🚀{100}/u);
    },
  );

  test('leads to no other page than those two', async () => {
    const answer = await (await aPerson()).ask('POST', '/connect/twitter', { returnTo: 'https://evil.example' });
    expect([answer.status, answer.body.error]).toEqual([400, 'returnTo must be /channels or /welcome']);
  });

  test('addresses of an account that a browser could run are dropped, and long names are cut', async () => {
    const ann = await aPerson();
    const account = {
      id: `${people}`,
      handle: 'ann',
      displayName: 'A'.repeat(100_000),
      avatarUrl: 'data:image/svg+xml,<svg onload="alert(1)"/>',
      profileUrl: 'javascript:alert(1)',
      traits: {},
    };
    await storeGrant(service.app, ann.id, 'twitter', { account, credentials: {}, scopes: [], expiresAt: null });
    expect(await connectionsOf(ann)).toMatchObject([
      { profileImageUrl: null, profileUrl: null, displayName: `${'A'.repeat(999)}…` },
    ]);
  });

  test('the name of an account is escaped on the page', async () => {
    const ann = await aPerson();
    const page = await ann.ask('GET', '/connect/callback?state=%3Cscript%3E&error=%3Cb%3E');
    expect(page.text).not.toContain('<script>');
  });

  test('connecting an account again updates its connection', async () => {
    const ann = await aPerson();
    await ann.ask('GET', await toConsentAndBack(ann, 'twitter', `twice${people}`));
    await service.database.pool.query('update connections set reconnect_required_at = now() where user_id = $1', [
      ann.id,
    ]);
    expect(await connectionsOf(ann)).toMatchObject([{ connectionStatus: 'reconnect_required', tokenStatus: 'valid' }]);
    await ann.ask('GET', await toConsentAndBack(ann, 'twitter', `twice${people}`));
    expect(await connectionsOf(ann)).toMatchObject([{ connectionStatus: 'active' }]);
  });
});

describe('by a form', () => {
  test('Telegram asks for a bot that may post', async () => {
    const ann = await aPerson();
    const { credentials } = await makeAccount('telegram', `news${people}`);
    const { botToken } = credentials;
    const done = await ann.ask('POST', '/connect/telegram', { fields: { botToken, channel: `@news${people}` } });
    expect(done.body.connected).toMatchObject([{ platformId: expect.stringMatching(/^telegram--100\d+$/) }]);
    const [connection] = await connectionsOf(ann);
    expect(connection).toMatchObject({ tokenStatus: 'unknown', connectionStatus: 'active', tokenExpiresIn: null });
    const tested = await ann.call('POST', `/test-connection/${connection.platformId}`);
    expect(tested.body).toMatchObject({ status: 'ok', message: expect.stringMatching(/^Bot can post to /) });
  });

  test('the errors for a wrong bot token and for a chat that is no channel say what to do', async () => {
    const ann = await aPerson();
    const wrong = await ann.ask('POST', '/connect/telegram', {
      fields: { botToken: '123456:wrong', channel: '@news' },
    });
    expect(wrong.status).toBe(400);
    expect(wrong.body.error).toMatch(/token/i);
    const invite = await ann.ask('POST', '/connect/telegram', {
      fields: { botToken: '123456789:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', channel: 'https://t.me/+AbCdEf' },
    });
    expect(invite.status).toBe(400);
    expect(invite.body.error).toMatch(/\w/);
  });

  test('Bluesky asks for a handle and an app password', async () => {
    const ann = await aPerson();
    const { account, credentials } = await makeAccount('bluesky', `sky${people}`);
    const fields = { handle: account.handle, appPassword: credentials.appPassword };
    const done = await ann.ask('POST', '/connect/bluesky', { fields });
    expect(done.body.connected).toMatchObject([{ platformId: `bluesky-${account.id}` }]);
    const wrong = await ann.ask('POST', '/connect/bluesky', {
      fields: { ...fields, appPassword: 'abcd-efgh-ijkl-mnop' },
    });
    expect([wrong.status, wrong.body.code]).toEqual([400, 'CONNECT_REFUSED']);
  });

  test('fields that are missing are named', async () => {
    const ann = await aPerson();
    const answer = await ann.ask('POST', '/connect/bluesky', { fields: {} });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      code: 'CONNECT_FIELDS_INVALID',
      fields: expect.arrayContaining([expect.objectContaining({ field: 'handle' })]),
    });
  });
});

test('a server that does not exist is reported as such', async () => {
  const ann = await aPerson();
  const answer = await ann.ask('POST', '/connect/mastodon', { fields: { instance: 'no-such-server.invalid' } });
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.body.error).toMatch(/\w/);
});

test('the reason why a server cannot be reached names the server, but no bot token', async () => {
  const unreachable = async (url: URL | string | Request) => {
    const cause = Object.assign(new Error(`getaddrinfo ENOTFOUND ${String(url)}`), { code: 'ENOTFOUND' });
    throw new TypeError('fetch failed', { cause });
  };
  const { platformAccess } = service.app;
  const app = { ...service.app, platformAccess: { ...platformAccess, route: (url: URL) => url, fetch: unreachable } };
  const { id: userId } = await service.aUser();
  const reasonOf = (platform: string, fields: object) =>
    startConnect(app, { userId }, platform, { ...fields }).then(
      () => '',
      ({ body }: { body: { reason: string } }) => body.reason,
    );
  expect(await reasonOf('mastodon', { instance: 'mastodon.example' })).toContain('ENOTFOUND https://mastodon.example/');
  const botToken = '123456789:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
  expect(await reasonOf('telegram', { botToken, channel: '@news' })).toContain('https://api.telegram.org/bot[secret]/');
});

test('the limit of the plan holds for many accounts that are connected at the same time', async () => {
  const ann = await aPerson('starter');
  const accounts = await Promise.all(
    Array.from({ length: 5 }, (_, number) => makeAccount('bluesky', `many${people}n${number}`)),
  );
  const answers = await Promise.all(
    accounts.map(({ account, credentials }) =>
      ann.ask('POST', '/connect/bluesky', { fields: { handle: account.handle, appPassword: credentials.appPassword } }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 403, 403]);
  expect(answers.find(({ status }) => status === 403)?.body).toMatchObject({ code: 'CHANNEL_LIMIT_REACHED', limit: 3 });
});

test('the networks are listed with the fields that each asks for', async () => {
  const ann = await aPerson();
  const { body } = await ann.ask('GET', '/connect');
  const listed = new Map(body.platforms.map((entry: { platform: string }) => [entry.platform, entry]));
  expect(listed.get('twitter')).toMatchObject({ kind: 'oauth', available: true, fields: null });
  expect(listed.get('telegram')).toMatchObject({
    kind: 'form',
    fields: {
      description: expect.stringMatching(/^In Telegram, message @BotFather .*\n.*\nEnter the token .*below\.$/),
      properties: { botToken: { secret: true }, channel: expect.not.objectContaining({ secret: true }) },
    },
  });
  expect(listed.get('bluesky')).toMatchObject({ fields: { properties: { appPassword: { secret: true } } } });
});

test("another user's account can be neither tested nor disconnected", async () => {
  const [ann, eve] = [await aPerson(), await aPerson()];
  const id = encodeURIComponent(await ann.aConnection());
  expect((await eve.call('POST', `/test-connection/${id}`)).body).toEqual({ error: 'Connection not found' });
  expect((await eve.ask('DELETE', `/connections/${id}`)).status).toBe(404);
  expect(await connectionsOf(ann)).toHaveLength(1);
});

test('a disconnected account is no longer listed', async () => {
  const ann = await aPerson();
  const id = await ann.aConnection();
  expect((await ann.ask('DELETE', `/connections/${encodeURIComponent(id)}`)).body).toEqual({ success: true });
  expect(await connectionsOf(ann)).toEqual([]);
  expect((await ann.ask('DELETE', `/connections/${encodeURIComponent(id)}`)).status).toBe(404);
});

interface Made {
  account: { id: string; handle: string };
  credentials: Record<string, string>;
}
const makeAccount = (vendor: string, handle: string) =>
  service.sandbox.control<Made>('POST', '/accounts', { network: vendor, handle });
