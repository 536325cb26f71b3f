import { expect, test } from 'vitest';
import { z } from 'zod';
import { serve } from '../../../test/support/servers/local.ts';
import { expectNoSecret, failureOf } from '../../../test/support/stages/platform.ts';
import { platformClient } from '../kit/http/client.ts';
import { connect, testConnection } from './connect.ts';

const did = 'did:plc:ewvi7nxzyoun6zhxrhs64oiz';
const pds = 'https://pds.example.com';
const fields = { handle: '@Ann.example.com', appPassword: ' abcd-efgh-ijkl-mnop ' };
const credentials = {
  pds,
  did,
  appPassword: 'abcd-efgh-ijkl-mnop',
  accessJwt: 'access-token',
  refreshJwt: 'refresh-token',
};
const exp = 1_900_000_000;
const jwt = (claims: object) =>
  ['{}', JSON.stringify(claims), 'x'].map((part) => Buffer.from(part).toString('base64url')).join('.');
const accessJwt = jwt({ scope: 'com.atproto.appPass', sub: did, exp });
const document = (endpoint: unknown = pds, id = did) => ({
  id,
  service: [
    { id: '#other', type: 'Other', serviceEndpoint: 'https://other.example' },
    { id: '#atproto_pds', type: 'AtprotoPersonalDataServer', serviceEndpoint: endpoint },
  ],
});
const session = { did, handle: 'ann.example.com', active: true, accessJwt, refreshJwt: 'new-refresh-token' };

const resolveHandle = '/xrpc/com.atproto.identity.resolveHandle';
const createSession = '/xrpc/com.atproto.server.createSession';
const refreshSession = '/xrpc/com.atproto.server.refreshSession';
const getSession = '/xrpc/com.atproto.server.getSession';
const getProfile = '/xrpc/app.bsky.actor.getProfile';
const stock = {
  [resolveHandle]: { did },
  [`/${did}`]: document(),
  [createSession]: session,
  [refreshSession]: session,
  [getSession]: session,
  [getProfile]: { did, handle: 'ann.example.com', displayName: 'Ann', avatar: 'https://cdn.example/ann.jpg' },
};
/** A response, or with `httpStatus` an error. */
type Answers = Record<string, { httpStatus?: number; [name: string]: unknown }>;

/** A fake Bluesky with responses by path. It records the URL of each request. */
async function vendor(answers: Answers = {}) {
  const known: Answers = { ...stock, ...answers };
  const requests: { url: string; authorization: string | undefined; body: string }[] = [];
  const hosts: string[] = [];
  const server = await serve(async (request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    const body = await new Response(request).text();
    requests.push({
      url: `https://${hosts.shift()}${request.url}`,
      authorization: request.headers.authorization,
      body,
    });
    const { httpStatus = 200, ...answer } = known[path] ?? { httpStatus: 404, error: 'NotFound' };
    response.writeHead(httpStatus, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  const access = server.access();
  const route = (url: URL) => {
    hosts.push(url.host);
    return access.route(url);
  };
  const ctx = platformClient({ ...access, route }, 'bluesky', new AbortController().signal);
  return { ctx, requests, [Symbol.asyncDispose]: server.close };
}

test('the password is sent to the server that the account names', async () => {
  await using net = await vendor();
  const [grant] = await connect.finish(fields, net.ctx);
  expect(net.requests.map(({ url }) => url)).toEqual([
    'https://public.api.bsky.app/xrpc/com.atproto.identity.resolveHandle?handle=ann.example.com',
    `https://plc.directory/${did}`,
    `${pds}/xrpc/com.atproto.server.createSession`,
    `https://public.api.bsky.app/xrpc/app.bsky.actor.getProfile?${new URLSearchParams({ actor: did })}`,
  ]);
  expect(JSON.parse(net.requests[2]?.body ?? '')).toEqual({ identifier: did, password: 'abcd-efgh-ijkl-mnop' });
  expect(grant).toEqual({
    account: {
      id: did,
      handle: 'ann.example.com',
      displayName: 'Ann',
      avatarUrl: 'https://cdn.example/ann.jpg',
      profileUrl: 'https://bsky.app/profile/ann.example.com',
      traits: {},
    },
    credentials: { pds, did, appPassword: 'abcd-efgh-ijkl-mnop', accessJwt, refreshJwt: 'new-refresh-token' },
    scopes: ['com.atproto.appPass'],
    expiresAt: new Date(exp * 1000),
  });
});

test("the person's own server resolves the handle if they name it, but does not get the password", async () => {
  await using net = await vendor();
  await connect.finish({ ...fields, pds: 'http://Other.example/xrpc/' }, net.ctx);
  expect(net.requests[0]?.url).toMatch(/^https:/);
  expect(net.requests.map(({ url }) => new URL(url).host).slice(0, 3)).toEqual([
    'other.example',
    'plc.directory',
    'pds.example.com',
  ]);
});

test('a DID works like a handle, also one that is a domain', async () => {
  const web = 'did:web:ann.example.com';
  await using net = await vendor({
    '/.well-known/did.json': document(pds, web),
    [createSession]: { ...session, did: web },
  });
  const [grant] = await connect.finish({ ...fields, handle: web }, net.ctx);
  expect(net.requests[0]?.url).toBe('https://ann.example.com/.well-known/did.json');
  expect(grant?.account.id).toBe(web);
});

test.for<[title: string, Answers]>([
  ['no server', { [`/${did}`]: { id: did } }],
  ['an address that is not a server', { [`/${did}`]: document('javascript:alert(1)') }],
  ['a server without encryption', { [`/${did}`]: document('http://pds.example.com') }],
  ['a server in an unknown form', { [`/${did}`]: document({ uri: pds }) }],
  ['another account', { [`/${did}`]: document(pds, 'did:plc:other') }],
  ['an id that would change an address', { [resolveHandle]: { did: 'did:plc:../x' } }],
])('no password is sent when the account names %s', async ([, answers]) => {
  await using net = await vendor(answers);
  const failure = await failureOf(connect.finish(fields, net.ctx));
  expect(failure).toMatchObject({ kind: 'rejected', message: expect.stringContaining('could not find the server') });
  expect(net.requests.map(({ url }) => new URL(url).pathname)).not.toContain(createSession);
});

test.for([
  ['HandleNotFound', 'Unable to resolve handle'],
  ['InvalidRequest', 'Unable to resolve handle'],
] as const)('an unknown handle is rejected with the handle in the message (%s)', async ([error, message]) => {
  await using net = await vendor({ [resolveHandle]: { httpStatus: 400, error, message } });
  const failure = await failureOf(connect.finish(fields, net.ctx));
  expect(failure).toMatchObject({ kind: 'rejected', reason: `${error}: ${message}` });
  expect(failure.message).toBe('There is no Bluesky account with the handle ann.example.com. Check the spelling.');
});

test('an account that is not active is refused with its status', async () => {
  await using net = await vendor({ [createSession]: { ...session, active: false, status: 'deactivated' } });
  const failure = await failureOf(connect.finish(fields, net.ctx));
  expect(failure).toMatchObject({ kind: 'auth', reason: 'deactivated' });
  expect(failure.message).toContain('is deactivated');
});

test('a server that answers for another account is refused', async () => {
  await using net = await vendor({ [createSession]: { ...session, did: 'did:plc:other' } });
  expect(await failureOf(connect.finish(fields, net.ctx))).toMatchObject({
    kind: 'auth',
    reason: 'did:plc:other',
  });
});

test('the password of the account itself is refused', async () => {
  await using net = await vendor({
    [createSession]: { ...session, accessJwt: jwt({ scope: 'com.atproto.access', exp }) },
  });
  const failure = await failureOf(connect.finish(fields, net.ctx));
  expect(failure.kind).toBe('auth');
  expect(failure.message).toMatch(/account password.*Create an app password/);
});

test.for([
  [{ handle: 'ann@example.com' }, 'handle', 'Enter your Bluesky handle, such as ann.bsky.social.'],
  [{ appPassword: '  ' }, 'appPassword', expect.stringMatching(/^Enter an app password\. .*App passwords\.$/)],
  [{ pds: 'not a server' }, 'pds', 'Enter the address of your server, such as pds.example.com.'],
] as const)('an invalid field is an issue: %o', ([wrong, field, message]) => {
  expect(connect.fields.safeParse({ ...fields, ...wrong }).error?.issues).toMatchObject([{ path: [field], message }]);
});

test('the fields can be shown as a form', () => {
  expect(z.toJSONSchema(connect.fields, { io: 'input' })).toMatchObject({
    properties: {
      handle: { type: 'string', title: 'Handle' },
      appPassword: { type: 'string', title: 'App password', secret: true },
      pds: { type: 'string', title: 'Server', default: '' },
    },
    required: ['handle', 'appPassword'],
  });
});

test('a refresh sends the refresh token without a body, and stores both new tokens', async () => {
  await using net = await vendor();
  const renewed = await connect.refresh?.(credentials, net.ctx);
  expect(net.requests).toEqual([{ url: `${pds}${refreshSession}`, authorization: 'Bearer refresh-token', body: '' }]);
  expect(renewed).toEqual({
    credentials: { ...credentials, accessJwt, refreshJwt: 'new-refresh-token' },
    expiresAt: new Date(exp * 1000),
  });
});

const moved = { ...session, didDoc: document('https://new.host.bsky.network') };

test('an account that Bluesky has moved gets its new server', async () => {
  const answers = { [refreshSession]: moved, [`/${did}`]: document('https://new.host.bsky.network') };
  await using net = await vendor(answers);
  expect((await connect.refresh?.(credentials, net.ctx))?.credentials.pds).toBe('https://new.host.bsky.network');
});

test.for<[title: string, Answers]>([
  ['names another one', { [`/${did}`]: document() }],
  ['names none', { [`/${did}`]: { id: did } }],
  ['names one without encryption', { [`/${did}`]: document('http://new.host.bsky.network') }],
  ['cannot be read', { [`/${did}`]: { httpStatus: 503 } }],
])('a server cannot move an account by itself: the directory %s', async ([, answers]) => {
  await using net = await vendor({ [refreshSession]: moved, ...answers });
  expect((await connect.refresh?.(credentials, net.ctx))?.credentials.pds).toBe(pds);
});

test("a first session does not come with the server's own word for the server", async () => {
  await using net = await vendor({ [createSession]: moved });
  const [grant] = await connect.finish(fields, net.ctx);
  expect(grant?.credentials.pds).toBe(pds);
});

test.for(['ExpiredToken', 'InvalidToken'])(
  'a session that has ended (%s) is opened again with the app password',
  async (error) => {
    await using net = await vendor({
      [refreshSession]: { httpStatus: 400, error, message: 'Token has been revoked' },
    });
    expect((await connect.refresh?.(credentials, net.ctx))?.credentials.accessJwt).toBe(accessJwt);
    expect(JSON.parse(net.requests[1]?.body ?? '')).toEqual({ identifier: did, password: credentials.appPassword });
  },
);

test('a revoked app password says what to do', async () => {
  await using net = await vendor({
    [refreshSession]: { httpStatus: 400, error: 'ExpiredToken', message: 'Token has been revoked' },
    [createSession]: { httpStatus: 401, error: 'AuthenticationRequired', message: `Not ${credentials.appPassword}` },
  });
  const failure = await failureOf(connect.refresh?.(credentials, net.ctx) ?? Promise.resolve());
  expect(failure).toMatchObject({ kind: 'auth', status: 401, reason: 'AuthenticationRequired: Not [secret]' });
  expect(failure.message).toContain(
    'Create a new app password in Bluesky (Settings, Privacy and security, App passwords)',
  );
  expectNoSecret(failure, Object.values(credentials).slice(2));
});

test.for<[httpStatus: number, error: string, message: string]>([
  [401, 'AccountTakedown', 'Account has been taken down'],
  [400, 'InvalidRequest', `Could not find user info for account: ${did}`],
])('an account that Bluesky has closed is refused as such, and no password is tried: %i %s', async (answer) => {
  const [httpStatus, error, message] = answer;
  await using net = await vendor({ [refreshSession]: { httpStatus, error, message } });
  const failure = await failureOf(connect.refresh?.(credentials, net.ctx) ?? Promise.resolve());
  expect(failure).toMatchObject({ kind: 'auth', reason: `${error}: ${message}` });
  expect(failure.message).toContain('deactivated, suspended or deleted');
  expect(net.requests).toHaveLength(1);
});

test('a token that cannot be read is "unavailable"', async () => {
  await using net = await vendor({ [refreshSession]: { ...session, accessJwt: 'opaque' } });
  expect(await failureOf(connect.refresh?.(credentials, net.ctx) ?? Promise.resolve())).toMatchObject({
    kind: 'unavailable',
  });
});

test('if the profile cannot be read, the connection still works with the known names', async () => {
  await using net = await vendor({ [getProfile]: { httpStatus: 502, error: 'UpstreamFailure' } });
  const known = {
    id: did,
    handle: 'old.example.com',
    displayName: 'Ann',
    avatarUrl: 'https://cdn.example/a',
    profileUrl: null,
    traits: {},
  };
  expect(await testConnection({ ...net.ctx, account: known, credentials })).toMatchObject({
    handle: 'ann.example.com',
    displayName: 'Ann',
    avatarUrl: 'https://cdn.example/a',
  });
  const [grant] = await connect.finish(fields, net.ctx);
  expect(grant?.account).toMatchObject({ displayName: 'ann.example.com', avatarUrl: null });
});
