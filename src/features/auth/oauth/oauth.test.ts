import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { boxesIn, consentIn } from '../../../../test/support/browser/approve.ts';
import { Browser } from '../../../../test/support/browser/cookies.ts';
import { type TestClock, testClock } from '../../../../test/support/service/app.ts';
import { type TestService, testService } from '../../../../test/support/service/service.ts';
import { testPassword } from '../../../../test/support/service/user.ts';
import { hashSecret } from '../../../foundation/lib/secrets.ts';
import { deleteStaleOAuth, selectKeysOfGrant } from './queries.ts';

/** The access that a user grants an application, and when it ends. */

let clock: TestClock;
let service: TestService;
let cookies: Record<'ada' | 'eve', string>;
beforeAll(async () => {
  clock = testClock();
  service = await testService({ clock });
  cookies = { ada: await signedIn(1), eve: await signedIn(2) };
});
afterAll(() => service.close());

async function signedIn(number: number): Promise<string> {
  await service.aUser();
  const browser = new Browser(service.server, { address: `192.0.2.${number}` });
  await browser.signIn(`user${number}@example.com`, testPassword);
  return [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
}

const callback = 'https://example.com/callback';
const verifier = 'v'.repeat(43);
const challenge = createHash('sha256').update(verifier).digest('base64url');

const send = (url: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
  service.server.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams(form).toString(),
  });

async function aClient(redirect_uris = [callback]): Promise<string> {
  const payload = { client_name: 'A test', redirect_uris, token_endpoint_auth_method: 'none' };
  return (await service.server.inject({ method: 'POST', url: '/register', payload })).json().client_id;
}

/** The page on which the user decides. */
async function opened(clientId: string, change: Record<string, string | null> = {}, cookie = cookies.ada) {
  const all: Record<string, string | null> = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: callback,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'the-state',
    ...change,
  };
  const query = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null);
  return service.server.inject({ url: `/authorize?${new URLSearchParams(query)}`, headers: { cookie } });
}

/** Presses a button on that page. */
const decide = (page: string, form: Record<string, string> = {}, cookie = cookies.ada) =>
  send('/authorize', { ...boxesIn(page), consent: consentIn(page), decision: 'approve', ...form }, { cookie });

/** A user can have ten keys, so the tests distribute them. */
async function anApproval(change: Record<string, string | null> = {}, cookie = cookies.ada) {
  const clientId = await aClient();
  const { headers } = await decide((await opened(clientId, change, cookie)).body, {}, cookie);
  const code = new URL(String(headers.location)).searchParams.get('code') ?? '';
  return { grant_type: 'authorization_code', client_id: clientId, code, code_verifier: verifier };
}

async function token(form: Record<string, string>) {
  const answer = await send('/token', form);
  return { status: answer.statusCode, body: answer.json() };
}

const worksAt = async (key: string) =>
  (await service.server.inject({ url: '/api/v1/webhooks', headers: { 'x-service-key': key } })).statusCode === 200;

/** The database notifies the process that a key has ended. */
const hasEnded = (key: string) => expect.poll(() => worksAt(key), { interval: 10 }).toBe(false);

describe('an approval', () => {
  test('gives the application a code, with its state and the issuer', async () => {
    const page = await opened(await aClient());
    expect([page.statusCode, page.body.includes('A test')]).toEqual([200, true]);
    const answer = await decide(page.body);
    const { origin, pathname, searchParams } = new URL(String(answer.headers.location));
    expect([answer.statusCode, origin + pathname]).toEqual([303, callback]);
    expect(Object.fromEntries(searchParams)).toEqual({
      code: expect.any(String),
      state: 'the-state',
      iss: service.app.publicUrl,
    });
  });

  test('that the person denies gives no code', async () => {
    const answer = await decide((await opened(await aClient(), { state: null })).body, { decision: 'deny' });
    const { searchParams } = new URL(String(answer.headers.location));
    expect([searchParams.get('error'), searchParams.has('code'), searchParams.has('state')]).toEqual([
      'access_denied',
      false,
      false,
    ]);
  });

  test('needs no redirect_uri of an application that has one, and needs it of one that has two', async () => {
    expect((await opened(await aClient(), { redirect_uri: null })).statusCode).toBe(200);
    const clientId = await aClient([callback, 'https://example.com/other']);
    expect((await opened(clientId, { redirect_uri: null })).statusCode).toBe(400);
    expect((await opened(clientId)).statusCode).toBe(200);
  });

  test.each([
    ['an address that was not registered', { redirect_uri: 'https://evil.example/' }],
    ['another response type', { response_type: 'token' }],
    ['no PKCE', { code_challenge: null }],
    ['PKCE without a hash', { code_challenge_method: 'plain' }],
    ['another service as its resource', { resource: 'https://other.example/mcp' }],
    ['an unknown application', { client_id: 'unknown' }],
  ])('with %s is refused on the page', async (_, change) => {
    const page = await opened(await aClient(), change);
    expect([page.statusCode >= 400, page.headers.location, consentIn(page.body)]).toEqual([true, undefined, '']);
  });

  test('counts once, for ten minutes, for the person who was asked, and with something chosen', async () => {
    const page = (await opened(await aClient())).body;
    const nothingChosen = { consent: consentIn(page), decision: 'approve' };
    const statuses = [
      await decide(page, {}, cookies.eve),
      await decide(page, {}, ''),
      await send('/authorize', nothingChosen, { cookie: cookies.ada }),
      await decide(page),
      await decide(page),
    ].map(({ statusCode }) => statusCode);
    expect(statuses).toEqual([403, 403, 400, 303, 403]);
    const late = (await opened(await aClient())).body;
    clock.advance({ seconds: 600 });
    expect((await decide(late)).statusCode).toBe(403);
  });

  test('asks a person who is not signed in to sign in first', async () => {
    const page = await opened(await aClient(), {}, '');
    expect([page.statusCode, page.body.includes('id="password"'), consentIn(page.body)]).toEqual([200, true, '']);
  });
});

describe('a code', () => {
  test('gives a key once, and all that it gave ends when it comes again', async () => {
    const exchange = await anApproval();
    const { status, body } = await token(exchange);
    expect([status, body.token_type, await worksAt(body.access_token)]).toEqual([200, 'Bearer', true]);
    expect(await token(exchange)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    await hasEnded(body.access_token);
  });

  test('lasts for a minute', async () => {
    const [kept, late] = [await anApproval(), await anApproval()];
    clock.advance({ seconds: 59 });
    expect((await token(kept)).status).toBe(200);
    clock.advance({ seconds: 1 });
    expect(await token(late)).toMatchObject({ status: 400, body: { error_description: 'The code has expired.' } });
  });

  test.each([
    ['another verifier', { code_verifier: 'w'.repeat(43) }],
    ['a verifier that is too short', { code_verifier: 'v' }],
    ['another redirect_uri', { redirect_uri: 'https://example.com/other' }],
    ['another resource', { resource: 'https://other.example/mcp' }],
    ['another grant type', { grant_type: 'password' }],
    ['a code that is made up', { code: 'made up' }],
  ])('with %s gives nothing, and stays valid', async (_, change) => {
    const exchange = await anApproval();
    expect((await token({ ...exchange, ...change })).status).toBe(400);
    expect((await token({ ...exchange, redirect_uri: callback })).status).toBe(200);
  });

  test('gives a key with the scopes that were approved', async () => {
    const { body } = await token(await anApproval({ scope: 'read unknown' }));
    expect(body.scope).toBe('read');
  });
});

describe('a refresh token', () => {
  test('replaces the key and itself, and everything ends when it comes again', async () => {
    const { client_id, ...exchange } = await anApproval({}, cookies.eve);
    const first = (await token({ client_id, ...exchange })).body;
    const refresh = { grant_type: 'refresh_token', client_id, refresh_token: first.refresh_token };
    const second = await token(refresh);
    expect([second.status, await worksAt(second.body.access_token)]).toEqual([200, true]);
    await hasEnded(first.access_token);
    expect(await token(refresh)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    await hasEnded(second.body.access_token);
    const last = { ...refresh, refresh_token: second.body.refresh_token };
    expect(await token(last)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  test('leaves one key that a second use would end, however often it was replaced', async () => {
    const { client_id, ...exchange } = await anApproval({}, cookies.eve);
    let { body } = await token({ client_id, ...exchange });
    for (const _ of [1, 2, 3]) {
      body = (await token({ grant_type: 'refresh_token', client_id, refresh_token: body.refresh_token })).body;
    }
    const { grantId } = await service.app.db
      .selectFrom('oauth_refresh_tokens')
      .select('grant_id as grantId')
      .where('token_hash', '=', hashSecret(body.refresh_token))
      .executeTakeFirstOrThrow();
    expect(await selectKeysOfGrant(service.app.db, grantId)).toHaveLength(1);
  });

  test('makes at most 120 keys an hour', async () => {
    const { client_id, ...exchange } = await anApproval({}, cookies.eve);
    const { body } = await token({ client_id, ...exchange });
    await service.database.pool.query(`update rate_counters set used = 120 where name like 'new keys of %'`);
    const refresh = { grant_type: 'refresh_token', client_id, refresh_token: body.refresh_token };
    expect(await token(refresh)).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
    expect(await worksAt(body.access_token)).toBe(true);
    clock.advance({ seconds: 3600 });
    expect((await token(refresh)).status).toBe(200);
  });

  test('and its key are deleted a month after the key was revoked', async () => {
    const { client_id, ...exchange } = await anApproval({}, cookies.eve);
    const { body } = await token({ client_id, ...exchange });
    const refreshed = (await token({ grant_type: 'refresh_token', client_id, refresh_token: body.refresh_token })).body;
    const keys = async () =>
      (await service.database.pool.query('select from api_keys where revoked_at is not null')).rows;
    expect(await keys()).not.toEqual([]);
    await deleteStaleOAuth(service.app.db, new Date(clock.now().getTime() + 31 * 86_400_000));
    expect(await keys()).toEqual([]);
    expect(await worksAt(refreshed.access_token)).toBe(true);
  });

  test('gives nothing if it is made up, or for another resource', async () => {
    const { client_id, ...exchange } = await anApproval({}, cookies.eve);
    const { body } = await token({ client_id, ...exchange });
    const refresh = { grant_type: 'refresh_token', client_id, refresh_token: body.refresh_token };
    expect((await token({ ...refresh, refresh_token: 'made up' })).status).toBe(400);
    expect((await token({ ...refresh, resource: 'https://other.example/' })).status).toBe(400);
    expect(await token(refresh)).toMatchObject({ status: 200 });
  });
});
