import { createHash, randomBytes } from 'node:crypto';
import {
  Client,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { approve, boxesIn, consentIn } from '../../../../test/support/browser/approve.ts';
import { contractBody } from '../../../../test/support/documents/contract-body.ts';
import { testClock } from '../../../../test/support/service/app.ts';
import { queuedMails } from '../../../../test/support/service/queued-mail.ts';
import { testPassword } from '../../../../test/support/service/user.ts';
import { type McpStage, mcpStage } from '../../../../test/support/stages/mcp.ts';
import { periodicTasks } from '../../../surfaces/worker.ts';
import { setAccess } from '../../accounts/operator/switches.ts';
import { systemActor } from '../../audit/actors.ts';
import { changeApiKey, revokeApiKey } from '../api-keys/api-keys.ts';

/** OAuth 2.1, from registering an application to the end of its key, with two instances behind a load balancer. */

const clock = testClock();
let stage: McpStage;
let sessions: Record<'ada' | 'eve', string>;

beforeAll(async () => {
  stage = await mcpStage({ clock });
  for (const _ of ['ada', 'eve']) await stage.aUser();
  sessions = { ada: await sessionOf('user1@example.com'), eve: await sessionOf('user2@example.com') };
});
afterAll(() => stage.close());

const callback = 'http://127.0.0.1:7777/callback';
const ada = () => ({ headers: { cookie: sessions.ada } });

async function sessionOf(email: string): Promise<string> {
  const response = await fetch(`${stage.url}/api/v1/auth/signin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: testPassword }),
  });
  return cookiesOf(response);
}

const cookiesOf = ({ headers }: Response) =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of the body, whatever its shape.
type Body = any;

async function register(more: object = {}): Promise<{ status: number; body: Body }> {
  const response = await fetch(`${stage.url}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'A test',
      redirect_uris: [callback],
      token_endpoint_auth_method: 'none',
      ...more,
    }),
  });
  return { status: response.status, body: await response.json() };
}

const aVerifier = () => randomBytes(32).toString('base64url');
const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');

function authorizeUrl(clientId: string, verifier: string, more: Record<string, string | null> = {}): URL {
  const url = new URL('/authorize', stage.url);
  const query: Record<string, string | null> = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: callback,
    code_challenge: challengeOf(verifier),
    code_challenge_method: 'S256',
    state: 'the-state',
    resource: `${stage.url}/mcp`,
    ...more,
  };
  for (const [name, value] of Object.entries(query)) if (value !== null) url.searchParams.set(name, value);
  return url;
}

const open = (url: URL, cookie = '') => fetch(url, { headers: { cookie }, redirect: 'manual' });

const submit = (url: URL | string, form: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { origin: stage.url, ...headers },
    body: new URLSearchParams(form),
    redirect: 'manual',
  });

async function token(form: Record<string, string>): Promise<{ status: number; body: Body }> {
  const response = await fetch(`${stage.url}/token`, { method: 'POST', body: new URLSearchParams(form) });
  return { status: response.status, body: await response.json() };
}

async function anApproval(cookie = sessions.ada, more: Record<string, string | null> = {}, untick: string[] = []) {
  const { body } = await register();
  const verifier = aVerifier();
  const back = await approve(authorizeUrl(body.client_id, verifier, more), { headers: { cookie }, untick });
  const code = back.searchParams.get('code') ?? '';
  const exchange = {
    grant_type: 'authorization_code',
    client_id: body.client_id as string,
    code,
    code_verifier: verifier,
    redirect_uri: callback,
  };
  return { clientId: body.client_id as string, exchange, back };
}

/** Another user, who is signed in. */
async function aPerson(plan: 'pro' | 'starter' = 'pro') {
  const person = await stage.aUser({ plan });
  const { rows } = await stage.database.pool.query('select email from users where id = $1', [person.id]);
  return { ...person, cookie: await sessionOf(rows[0].email) };
}

/** A call of a person who is signed in. */
async function atDashboard(
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  payload?: object,
  cookie = sessions.ada,
): Promise<Body> {
  const response = await fetch(`${stage.url}/api/v1${path}`, {
    method,
    headers: { cookie, ...(payload && { 'content-type': 'application/json' }) },
    ...(payload && { body: JSON.stringify(payload) }),
  });
  expect(response.status).toBe(200);
  return response.json();
}

/** The key after a refresh. */
async function refreshed({ clientId, refreshToken }: { clientId: string; refreshToken: string }): Promise<string> {
  const form = { grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken };
  const { status, body } = await token(form);
  expect(status).toBe(200);
  return body.access_token;
}

async function tokens(cookie = sessions.ada, more: Record<string, string> = {}) {
  const { exchange, clientId } = await anApproval(cookie, more);
  const { status, body } = await token(exchange);
  expect(status).toBe(200);
  return { exchange, clientId, accessToken: body.access_token as string, refreshToken: body.refresh_token as string };
}

const statusWith = async (key: string) =>
  (
    await stage.post(
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_connections' } },
      { authorization: `Bearer ${key}` },
    )
  ).status;

/** The instances notify each other that a key has ended. */
const hasEnded = (key: string) => expect.poll(() => statusWith(key)).toBe(401);

interface ListedKey {
  _id: string;
  name: string;
  keyPrefix: string;
  scopes: string[];
  application: string | null;
}

const keysOf = async (cookie: string): Promise<ListedKey[]> => {
  const { apiKeys } = (await (
    await fetch(`${stage.url}/api/v1/auth/api-keys`, { headers: { cookie } })
  ).json()) as Body;
  return apiKeys;
};
const keyOf = async (accessToken: string, cookie = sessions.ada) =>
  (await keysOf(cookie)).find(({ keyPrefix }) => keyPrefix === accessToken.split('.')[0]);
const revoke = (keyId: string, cookie: string) =>
  fetch(`${stage.url}/api/v1/auth/api-keys/${keyId}`, { method: 'DELETE', headers: { cookie, origin: stage.url } });
const userOf = (keyId: string) =>
  stage.app.db.selectFrom('api_keys').select('user_id as userId').where('id', '=', keyId).executeTakeFirstOrThrow();
/** Makes room for new keys: an account has at most ten. */
async function revokeOAuthKeys(cookie = sessions.ada) {
  for (const key of await keysOf(cookie)) if (key.application !== null) await revoke(key._id, cookie);
}

/** An application that keeps its state in memory. */
class Application implements OAuthClientProvider {
  readonly redirectUrl = callback;
  readonly clientMetadata = { client_name: 'Claude <b>Code</b>', redirect_uris: [callback] };
  information: OAuthClientInformationMixed | undefined;
  given: OAuthTokens | undefined;
  verifier = '';
  asked: URL | undefined;
  clientInformation = () => this.information;
  saveClientInformation(information: OAuthClientInformationMixed) {
    this.information = information;
  }
  tokens = () => this.given;
  saveTokens(given: OAuthTokens) {
    this.given = given;
  }
  redirectToAuthorization(url: URL) {
    this.asked = url;
  }
  saveCodeVerifier(verifier: string) {
    this.verifier = verifier;
  }
  codeVerifier = () => this.verifier;
}

describe('the way of an application', () => {
  test('the official client registers, is approved after a sign-in, works, refreshes, and ends with its key', async () => {
    const authProvider = new Application();
    const connect = () => {
      const transport = new StreamableHTTPClientTransport(new URL('/mcp', stage.url), { authProvider });
      return { transport, client: new Client({ name: 'Claude Code', version: '1' }) };
    };
    const before = connect();
    await before.client.connect(before.transport);
    await expect(before.client.callTool({ name: 'list_connections' })).rejects.toThrow(UnauthorizedError);

    // The user is not signed in yet.
    const asked = authProvider.asked!;
    expect(asked.searchParams.get('resource')).toBe(`${stage.url}/mcp`);
    expect(await (await open(asked)).text()).toContain('<button>Sign in</button>');
    const wrong = await submit(asked, { email: 'user1@example.com', password: 'not this one' });
    expect([wrong.status, await wrong.text()]).toEqual([401, expect.stringContaining('Invalid email or password')]);
    const signedIn = await submit(asked, { email: 'user1@example.com', password: testPassword });
    expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, asked.pathname + asked.search]);
    const cookie = cookiesOf(signedIn);
    const page = await (await open(asked, cookie)).text();
    expect(page).toContain('calls itself <strong>Claude Code</strong>');
    expect(page).toContain('<strong>user1@example.com</strong>');
    const back = await approve(asked, { headers: { cookie } });
    expect(back.origin + back.pathname).toBe(callback);
    expect(back.searchParams.get('iss')).toBe(stage.url);
    await before.transport.finishAuth(back.searchParams);
    await before.client.close();

    const { client, transport } = connect();
    await client.connect(transport);
    expect(await client.callTool({ name: 'list_connections' })).toMatchObject({ structuredContent: { success: true } });
    const name = expect.stringMatching(/^MCP \(Claude Code #[0-9a-f]{6}\)$/);
    expect(await keysOf(cookie)).toContainEqual(expect.objectContaining({ name }));

    const first = authProvider.given!;
    const refreshed = await token({
      grant_type: 'refresh_token',
      refresh_token: first.refresh_token!,
      client_id: authProvider.information!.client_id,
      client_secret: authProvider.information!.client_secret!,
      resource: `${stage.url}/mcp`,
    });
    expect(refreshed.body).toMatchObject({ token_type: 'Bearer', access_token: expect.stringMatching(/^sk_/) });
    await hasEnded(first.access_token);
    expect(await statusWith(refreshed.body.access_token)).toBe(200);

    const oauthKeys = (await keysOf(cookie)).filter((key) => key.name.startsWith('MCP '));
    expect(oauthKeys).toHaveLength(1);
    await revoke(oauthKeys[0]!._id, cookie);
    await hasEnded(refreshed.body.access_token);
    await client.close();
  });

  test('the metadata names the routes', async () => {
    const read = async (path: string): Promise<Body> => (await fetch(`${stage.url}/.well-known/${path}`)).json();
    expect(await read('oauth-authorization-server')).toMatchObject({
      issuer: stage.url,
      authorization_endpoint: `${stage.url}/authorize`,
      token_endpoint: `${stage.url}/token`,
      registration_endpoint: `${stage.url}/register`,
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['client_secret_post', 'none'],
      code_challenge_methods_supported: ['S256'],
    });
    const servers = { authorization_servers: [stage.url] };
    expect(await read('oauth-protected-resource/mcp')).toMatchObject({ resource: `${stage.url}/mcp`, ...servers });
    expect(await read('oauth-protected-resource')).toMatchObject({ resource: `${stage.url}/`, ...servers });
  });

  test('a person who denies sends the application a refusal, and no code', async () => {
    const { body } = await register();
    const back = await approve(authorizeUrl(body.client_id, aVerifier()), { ...ada(), decision: 'deny' });
    expect(Object.fromEntries(back.searchParams)).toMatchObject({ error: 'access_denied', state: 'the-state' });
    expect(back.searchParams.has('code')).toBe(false);
  });

  test('the key counts among the ten, and an account that has ten gets no more', async () => {
    const made: string[] = [];
    while ((await keysOf(sessions.eve)).length < 10) {
      const { exchange } = await anApproval(sessions.eve);
      made.push((await token(exchange)).body.access_token);
    }
    const { exchange } = await anApproval(sessions.eve);
    expect(await token(exchange)).toMatchObject({
      status: 400,
      body: { error: 'access_denied', error_description: 'Maximum of 10 active API keys allowed' },
    });
    expect(await statusWith(made[0]!)).toBe(200);
    await revokeOAuthKeys(sessions.eve);
    await hasEnded(made[0]!);
  });
});

describe('what the application may do', () => {
  const all = ['read', 'write', 'media', 'webhooks', 'workspace'];
  const boxesFor = async (more: Record<string, string>) => {
    const { body } = await register();
    const page = await (await open(authorizeUrl(body.client_id, aVerifier(), more), sessions.ada)).text();
    return Object.keys(boxesIn(page)).map((name) => name.replace('scope_', ''));
  };

  test('the page offers what is asked for, and everything if nothing is that Crier knows', async () => {
    expect(await boxesFor({ scope: 'write read' })).toEqual(['read', 'write']);
    expect(await boxesFor({ scope: 'openid media' })).toEqual(['media']);
    for (const more of [{}, { scope: '' }, { scope: 'claudeai offline_access' }])
      expect(await boxesFor(more)).toEqual(all);
    const { scopes_supported } = (await (
      await fetch(`${stage.url}/.well-known/oauth-protected-resource/mcp`)
    ).json()) as Body;
    expect(scopes_supported).toEqual(all);
  });

  test('the key has the scopes that the person left, and is listed with the application', async () => {
    const { exchange } = await anApproval(sessions.ada, { scope: 'read write media' }, ['scope_write']);
    const { body } = await token(exchange);
    expect(body.scope).toBe('read media');
    expect(await keyOf(body.access_token)).toMatchObject({
      name: expect.stringMatching(/^MCP \(A test #[0-9a-f]{6}\)$/),
      scopes: ['read', 'media'],
      application: 'A test',
    });
    const write = { name: 'create_post', arguments: { content: 'Hi', platforms: ['x'] } };
    const answer = await stage.post(
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: write },
      { authorization: `Bearer ${body.access_token}` },
    );
    const { result } = (await answer.json()) as Body;
    expect(result.isError).toBe(true);
    expect(JSON.parse(result.content[0].text)).toMatchObject({ code: 'INSUFFICIENT_SCOPE', requiredScope: 'write' });
    await revokeOAuthKeys();
  });

  test('a form cannot add what was not asked for, and none without a box is approved', async () => {
    const { body } = await register();
    const verifier = aVerifier();
    const page = await (await open(authorizeUrl(body.client_id, verifier, { scope: 'read' }), sessions.ada)).text();
    const form = { consent: consentIn(page), decision: 'approve' };
    const cookie = sessions.ada;
    const none = await submit(`${stage.url}/authorize`, { ...form, scope_write: 'on' }, { cookie });
    expect([none.status, none.headers.get('location')]).toEqual([400, null]);
    expect(await none.text()).toContain('No permissions were selected');
    const more = { ...form, scope_read: 'on', scope_write: 'on', scope_workspace: 'on' };
    const back = new URL((await submit(`${stage.url}/authorize`, more, { cookie })).headers.get('location') ?? '');
    const code = back.searchParams.get('code') ?? '';
    const exchange = { grant_type: 'authorization_code', client_id: body.client_id, code, code_verifier: verifier };
    expect((await token(exchange)).body.scope).toBe('read');
    await revokeOAuthKeys();
  });

  test('a refresh keeps the name of the key and the limits that the person has set since', async () => {
    const { clientId, accessToken, refreshToken } = await tokens();
    const { _id } = (await keyOf(accessToken))!;
    const limits = { scopes: ['read'] as const, allowedAddresses: ['127.0.0.0/8'] };
    const { userId } = await userOf(_id);
    await changeApiKey(stage.app, userId, _id, { name: 'My agent', ...limits }, systemActor);
    const form = { grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken };
    const { body } = await token(form);
    expect(body.scope).toBe('read');
    expect(await keyOf(body.access_token)).toMatchObject({ name: 'My agent', application: 'A test', ...limits });
    await revokeOAuthKeys();
  });

  test('a refresh during a membership keeps a key from before, and ends one from during it', async () => {
    const owner = await stage.aUser();
    await setAccess(stage.app, owner.id, { workspace: true });
    const { id: userId, cookie } = await aPerson('starter');
    const before = await tokens(cookie);
    const { attachToken } = await atDashboard('POST', '/auth/attach-token', {}, cookie);
    expect((await owner.call('POST', '/workspace/users/attach', { userId, attachToken })).status).toBe(200);
    const during = await tokens(cookie);
    const [kept, ended] = [await refreshed(before), await refreshed(during)];
    for (const key of [kept, ended]) expect(await statusWith(key)).toBe(200);
    expect((await owner.call('DELETE', `/workspace/users/${userId}`)).status).toBe(200);
    await hasEnded(ended);
    expect(await statusWith(kept)).toBe(200);
  });

  test('of an agent stops without MCP access, whatever its requests say, and that of a program does not', async () => {
    const person = await aPerson();
    const keyFor = (resource: string) => tokens(person.cookie, { resource: `${stage.url}${resource}` });
    const [agent, root, program] = [await keyFor('/mcp'), await keyFor('/'), await keyFor('/api/v1')];
    await setAccess(stage.app, person.id, { mcp: false });
    for (const key of [agent.accessToken, root.accessToken, await refreshed(agent)]) {
      for (const headers of [{}, { 'x-service-client': 'api' }, { 'x-service-client': '' }]) {
        const ask = () => person.call('GET', '/platform-connections', undefined, { 'x-service-key': key, ...headers });
        await expect.poll(async () => (await ask()).status, { interval: 20 }).toBeGreaterThan(400);
      }
    }
    const refusal = await person.call('GET', '/platform-connections', undefined, { 'x-service-key': root.accessToken });
    expect(contractBody(refusal.body)).toEqual({ error: 'MCP access is not enabled for this account' });
    expect(await statusWith(program.accessToken)).toBe(200);
    expect((await person.call('GET', '/platform-connections')).status).toBe(200);
    await setAccess(stage.app, person.id, { mcp: true });
    await expect.poll(() => statusWith(root.accessToken), { interval: 20 }).toBe(200);
  });

  test('a key that was refreshed since it was listed, and gets more rights by the id in the list, is mailed', async () => {
    const { clientId, refreshToken } = await tokens();
    const listed = (await atDashboard('GET', '/auth/api-keys')).apiKeys.at(-1)._id;
    await atDashboard('PATCH', `/auth/api-keys/${listed}`, { scopes: ['read'] });
    await refreshed({ clientId, refreshToken });
    // Few such mails are sent in an hour.
    clock.advance({ seconds: 3_600 });
    const mails = () => queuedMails(stage.app, 'user1@example.com', 'access_added');
    const before = (await mails()).length;
    await atDashboard('PATCH', `/auth/api-keys/${listed}`, { scopes: null });
    expect((await mails()).slice(before)).toMatchObject([{ what: 'wider API key' }]);
  });

  test('a key that was refreshed since it was listed is changed and revoked by the id in the list', async () => {
    const { clientId, accessToken, refreshToken } = await tokens();
    const { _id: listed } = (await keyOf(accessToken))!;
    const { userId } = await userOf(listed);
    const { body } = await token({ grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken });
    await changeApiKey(stage.app, userId, listed, { scopes: ['read'] }, systemActor);
    expect((await keyOf(body.access_token))!.scopes).toEqual(['read']);
    await revokeApiKey(stage.app, userId, listed, systemActor);
    await hasEnded(body.access_token);
    await expect(revokeApiKey(stage.app, userId, listed, systemActor)).rejects.toMatchObject({
      key: 'api_key_not_found',
    });
  });

  test('a program that asks for the REST API gets a key with the name of the program alone', async () => {
    const { exchange } = await anApproval(sessions.ada, { resource: `${stage.url}/api/v1` });
    const { body } = await token(exchange);
    expect(await keyOf(body.access_token)).toMatchObject({ name: 'A test', application: 'A test' });
    await revokeOAuthKeys();
  });
});

describe('registration', () => {
  test.each([
    ['http://example.com/callback'],
    ['javascript:alert(1)'],
    ['cursor://callback'],
    ['https://example.com/callback#part'],
    ['https://name:password@example.com/'],
    ['http://127.0.0.1.example.com/'],
    ['http://localhost.example.com/'],
    ['not an address'],
  ])('refuses the redirect %s', async (uri) => {
    expect(await register({ redirect_uris: [callback, uri] })).toMatchObject({
      status: 400,
      body: { error: 'invalid_redirect_uri' },
    });
  });

  test.each([[{ redirect_uris: [] }], [{ redirect_uris: 'x' }], [{ grant_types: ['client_credentials'] }]])(
    'refuses %j',
    async (more) => {
      expect(await register(more)).toMatchObject({ status: 400, body: { error: 'invalid_client_metadata' } });
    },
  );

  test('accepts https and the own machine, and gives a secret to an application that can keep one', async () => {
    const uris = ['https://claude.ai/api/mcp/auth_callback', 'http://localhost/', 'http://[::1]:8080/cb'];
    const { status, body } = await register({ redirect_uris: uris, token_endpoint_auth_method: 'client_secret_post' });
    expect([status, body.redirect_uris, body.client_secret_expires_at]).toEqual([201, uris, 0]);
    expect((await register()).body.client_secret).toBeUndefined();
  });

  test('nothing secret is stored as it is', async () => {
    const { body } = await register({ token_endpoint_auth_method: 'client_secret_post' });
    const { exchange, accessToken, refreshToken } = await tokens();
    const { rows } = await stage.database.pool.query(
      `select row_to_json(oauth_clients)::text as row from oauth_clients
       union all select row_to_json(oauth_codes)::text from oauth_codes
       union all select row_to_json(oauth_refresh_tokens)::text from oauth_refresh_tokens
       union all select row_to_json(api_keys)::text from api_keys`,
    );
    const stored = rows.map(({ row }) => row).join('\n');
    for (const secret of [body.client_secret, exchange.code, accessToken, refreshToken]) {
      expect(stored).not.toContain(secret);
    }
    await revokeOAuthKeys();
  });
});

describe('attacks on the consent page', () => {
  test('an unknown application, or a redirect that it has not registered, is shown and sent nowhere', async () => {
    const { body } = await register();
    const tries = [
      authorizeUrl('f'.repeat(24), aVerifier()),
      authorizeUrl(body.client_id, aVerifier(), { redirect_uri: 'https://evil.example/callback' }),
      authorizeUrl(body.client_id, aVerifier(), { redirect_uri: `${callback}/more` }),
      authorizeUrl(body.client_id, aVerifier(), { redirect_uri: callback.replace('127.0.0.1', 'localhost') }),
      authorizeUrl(body.client_id, aVerifier(), { redirect_uri: `${callback}?x=1` }),
    ];
    for (const url of tries) {
      const refused = await open(url, sessions.ada);
      expect([refused.status, refused.headers.get('location')]).toEqual([400, null]);
      expect(await refused.text()).toContain('role="alert"');
    }
  });

  test('only the port of the own machine may differ from what was registered', async () => {
    const { body } = await register();
    const other = callback.replace('7777', '9999');
    const back = await approve(authorizeUrl(body.client_id, aVerifier(), { redirect_uri: other }), ada());
    expect(back.port).toBe('9999');
  });

  test.each([
    ['response_type must be code', { response_type: 'token' }],
    ['response_type must be code', { response_type: null }],
    ['S256 is required', { code_challenge: null }],
    ['S256 is required', { code_challenge_method: 'plain' }],
    ['S256 is required', { code_challenge_method: null }],
    ['resource is not part', { resource: 'https://other.example/mcp' }],
  ])('a wrong request is shown on a page and leads no one to the application: %s for %j', async (error, more) => {
    const { body } = await register({ redirect_uris: ['https://evil.example/'] });
    const url = authorizeUrl(body.client_id, aVerifier(), { redirect_uri: 'https://evil.example/', ...more });
    const form = { email: 'user1@example.com', password: testPassword };
    for (const refused of [await open(url), await open(url, sessions.ada), await submit(url, form)]) {
      expect([refused.status, refused.headers.get('location')]).toEqual([400, null]);
      expect(await refused.text()).toMatch(new RegExp(`role="alert".*${error}`));
    }
  });

  test('the page cannot be framed, runs no script, and shows names as text', async () => {
    const { body } = await register({ client_name: 'A & "B" <img src=x onerror=alert(1)> \u202e' });
    const response = await open(authorizeUrl(body.client_id, aVerifier()), sessions.ada);
    expect(response.headers.get('x-frame-options')).toBe('DENY');
    const policy = response.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(response.headers.get('cache-control')).toBe('no-store');
    const page = await response.text();
    expect(page).toContain('A &amp; &quot;B&quot;');
    expect(page).not.toContain('<img');
  });

  test('another site cannot approve for a person who is signed in (CSRF)', async () => {
    const { body } = await register();
    const verifier = aVerifier();
    const url = authorizeUrl(body.client_id, verifier);
    const consentOf = async (cookie: string) => consentIn(await (await open(url, cookie)).text());
    const [hers, his] = [await consentOf(sessions.ada), await consentOf(sessions.eve)];
    const form = (consent: string) => ({ consent, decision: 'approve', scope_read: 'on' });
    const at = `${stage.url}/authorize`;
    const cookie = sessions.ada;
    const tries = [
      await submit(at, form(hers), { cookie, origin: 'https://evil.example' }),
      await submit(at, form(hers), { cookie, origin: 'null' }),
      // A consent that the attacker obtained for their own account.
      await submit(at, form(his), { cookie }),
      await submit(at, form(''), { cookie }),
      await submit(at, form('v1.made.up.by.me'), { cookie }),
      await submit(at, form(hers)),
      // A consent that was shown in another session of the same person.
      await submit(at, form(hers), { cookie: await sessionOf('user1@example.com') }),
    ];
    expect(tries.map(({ status }) => status)).toEqual(tries.map(() => 403));
    expect(tries.map(({ headers }) => headers.get('location'))).toEqual(tries.map(() => null));
    clock.advance({ seconds: 601 });
    expect((await submit(at, form(hers), { cookie })).status).toBe(403);
  });

  describe('a consent works once', () => {
    async function aConsent() {
      const { body } = await register();
      const page = await (await open(authorizeUrl(body.client_id, aVerifier()), sessions.ada)).text();
      return (decision: 'approve' | 'deny', boxes = boxesIn(page)) =>
        submit(`${stage.url}/authorize`, { ...boxes, consent: consentIn(page), decision }, { cookie: sessions.ada });
    }
    const codes = async () => {
      const { rows } = await stage.database.pool.query('select count(*)::int as count from oauth_codes');
      return rows[0].count;
    };

    test('also if the person approves several times at the same moment', async () => {
      const decide = await aConsent();
      const before = await codes();
      const answers = await Promise.all(Array.from({ length: 8 }, () => decide('approve')));
      const went = answers.map(({ headers }) => headers.get('location')).filter((address) => address !== null);
      expect(went).toEqual([expect.stringContaining(`${callback}?code=`)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([303, ...Array(7).fill(403)]);
      expect(await codes()).toBe(before + 1);
    });

    test('and is over when it was denied', async () => {
      const decide = await aConsent();
      expect((await decide('deny')).headers.get('location')).toContain('error=access_denied');
      const again = await decide('approve');
      expect([again.status, again.headers.get('location')]).toEqual([403, null]);
      expect(await again.text()).toContain('was already approved or denied');
    });

    test('but can be repaired when nothing was chosen', async () => {
      const decide = await aConsent();
      expect((await decide('approve', {})).status).toBe(400);
      expect((await decide('approve')).status).toBe(303);
    });
  });

  test('another site cannot sign a person in (login CSRF)', async () => {
    const { body } = await register();
    const form = { email: 'user2@example.com', password: testPassword };
    const url = authorizeUrl(body.client_id, aVerifier());
    const refused = await submit(url, form, { origin: 'https://evil.example' });
    expect([refused.status, refused.headers.getSetCookie()]).toEqual([403, []]);
  });
});

describe('attacks on the token', () => {
  const invalidGrant = { status: 400, body: { error: 'invalid_grant' } };

  test.each([
    ['a wrong verifier', { code_verifier: aVerifier() }],
    ['no verifier', { code_verifier: '' }],
    ['the challenge as verifier', { code_verifier: 'a' }],
    ['another redirect', { redirect_uri: 'https://evil.example/' }],
    ['another code', { code: aVerifier() }],
  ])('%s gets nothing, and leaves the code to its owner', async (_, more) => {
    const { exchange } = await anApproval();
    expect(await token({ ...exchange, ...more })).toMatchObject(invalidGrant);
    expect((await token(exchange)).status).toBe(200);
    await revokeOAuthKeys();
  });

  test('another application gets nothing for the code', async () => {
    const { exchange } = await anApproval();
    const { body } = await register();
    expect(await token({ ...exchange, client_id: body.client_id })).toMatchObject(invalidGrant);
    expect(await token({ ...exchange, client_id: 'f'.repeat(24) })).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    });
  });

  test('an application with a secret must show it', async () => {
    const { body } = await register({ token_endpoint_auth_method: 'client_secret_post' });
    const verifier = aVerifier();
    const back = await approve(authorizeUrl(body.client_id, verifier), ada());
    const code = back.searchParams.get('code') ?? '';
    const form = { grant_type: 'authorization_code', client_id: body.client_id, code, code_verifier: verifier };
    for (const secret of [{}, { client_secret: aVerifier() }]) {
      expect(await token({ ...form, ...secret })).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    }
    expect((await token({ ...form, client_secret: body.client_secret })).status).toBe(200);
    await revokeOAuthKeys();
  });

  test('another resource than the approved one is refused', async () => {
    const { exchange } = await anApproval();
    for (const resource of ['https://other.example/mcp', `${stage.url}/`]) {
      expect(await token({ ...exchange, resource })).toMatchObject({ status: 400, body: { error: 'invalid_target' } });
    }
  });

  test('a code works for 60 seconds', async () => {
    const { exchange } = await anApproval();
    clock.advance({ seconds: 60 });
    expect(await token(exchange)).toMatchObject(invalidGrant);
  });

  test('a code that is used again ends what it gave, also after a refresh', async () => {
    const { exchange, clientId, accessToken, refreshToken } = await tokens();
    const refreshed = await token({ grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken });
    await hasEnded(accessToken);
    expect(await statusWith(refreshed.body.access_token)).toBe(200);
    expect(await token(exchange)).toMatchObject(invalidGrant);
    await hasEnded(refreshed.body.access_token);
    const again = { grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshed.body.refresh_token };
    expect(await token(again)).toMatchObject(invalidGrant);
  });

  test('of exchanges at the same moment one gives a key at most, and none stays', async () => {
    const { exchange } = await anApproval();
    const answers = await Promise.all(Array.from({ length: 5 }, () => token(exchange)));
    const given = answers.filter(({ status }) => status === 200);
    expect(given).toHaveLength(1);
    await hasEnded(given[0]!.body.access_token);
  });

  test('a refresh token that is used again ends the grant', async () => {
    const { clientId, refreshToken } = await tokens();
    const form = { grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken };
    const first = await token(form);
    expect(await statusWith(first.body.access_token)).toBe(200);
    expect(await token(form)).toMatchObject(invalidGrant);
    await hasEnded(first.body.access_token);
  });

  test('a refresh token ends with its key', async () => {
    const { clientId, refreshToken } = await tokens();
    await revokeOAuthKeys();
    const form = { grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken };
    expect(await token(form)).toMatchObject(invalidGrant);
  });

  describe('of an account that is closed', () => {
    const set = (id: string, change: object) =>
      stage.app.db.updateTable('users').set(change).where('id', '=', id).execute();
    /** A person with an approval that was not exchanged, and a refresh token. */
    async function aPerson() {
      const { id } = await stage.aUser();
      const { email } = await stage.app.db
        .selectFrom('users')
        .select('email')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      const cookie = await sessionOf(email);
      const [first, second] = [await anApproval(cookie), await anApproval(cookie)];
      const { body } = await token(first.exchange);
      const refresh = { grant_type: 'refresh_token', client_id: first.clientId, refresh_token: body.refresh_token };
      return { id, exchange: second.exchange, refresh };
    }

    test.each(['person', 'owner'])('nothing is given while the %s is deactivated', async (who) => {
      const [person, owner] = [await aPerson(), await stage.aUser()];
      await set(person.id, { parent_user_id: owner.id });
      const closed = who === 'person' ? person.id : owner.id;
      await set(closed, { is_active: false });
      expect(await token(person.exchange)).toMatchObject(invalidGrant);
      expect(await token(person.refresh)).toMatchObject(invalidGrant);
      await set(closed, { is_active: true });
      expect((await token(person.exchange)).status).toBe(200);
      expect((await token(person.refresh)).status).toBe(200);
    });

    test('a hold ends no key, but lets in no other application', async () => {
      const person = await aPerson();
      await set(person.id, { held_at: clock.now() });
      expect(await token(person.exchange)).toMatchObject(invalidGrant);
      expect((await token(person.refresh)).status).toBe(200);
      await set(person.id, { hold_expires_at: clock.now() });
      expect((await token(person.exchange)).status).toBe(200);
    });
  });

  test('other grants are refused', async () => {
    const { body } = await register();
    expect(await token({ grant_type: 'password', client_id: body.client_id })).toMatchObject({
      status: 400,
      body: { error: 'unsupported_grant_type' },
    });
  });
});

test('applications that nobody uses are forgotten, those with a key are kept', async () => {
  const { clientId: used } = await tokens();
  const { body: unused } = await register();
  const prune = async () => {
    const task = periodicTasks(stage.app).find(({ name }) => name === 'prune-oauth-clients');
    await task?.run(new AbortController().signal);
    const { rows } = await stage.database.pool.query('select id from oauth_clients');
    return rows.map(({ id }) => id);
  };
  expect(await prune()).toEqual(expect.arrayContaining([used, unused.client_id]));
  clock.advance({ seconds: 100 * 86_400 });
  const kept = await prune();
  expect(kept).toContain(used);
  expect(kept).not.toContain(unused.client_id);
});
