import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contractBody } from '../../../../test/support/documents/contract-body.ts';
import { type TestApp, testApp, testServer } from '../../../../test/support/service/app.ts';
import type { Server } from '../../../foundation/http/server.ts';
import { sealingKey } from '../../../foundation/lib/seal.ts';
import { buildServer } from '../../../surfaces/server.ts';
import { createUser } from '../../accounts/operator/users.ts';
import { requireSession, signIn, signOut, userOfAccessToken } from './session.ts';

const ada = { email: 'ada@example.com', password: 'correct horse battery', plan: 'pro' as const, name: 'Ada' };
let ours: TestApp;
let server: Server;
let userId: string;
beforeAll(async () => {
  ours = await testApp({ environment: { CORS_ORIGINS: 'https://partner.example' } });
  server = await testServer(ours.app, probes);
  userId = (await createUser(ours.app, ada)).id;
});
afterAll(async () => {
  await server.close();
  await ours.close();
});

function probes(api: Server, app: TestApp['app']) {
  api.post('/in', async (request, reply) => signIn(app, ada, request, reply));
  api.post('/out', async (request, reply) => signOut(app, request, reply));
  api.get('/probe', { onRequest: requireSession(app) }, async ({ session }) => session);
  api.post('/probe', { onRequest: requireSession(app) }, async ({ session }) => session);
}

async function signedIn(at = server) {
  const answer = await at.inject({ method: 'POST', url: '/api/v1/in' });
  const setCookie = `${answer.headers['set-cookie']}`;
  return { accessToken: answer.json().accessToken as string, setCookie, cookie: setCookie.split(';')[0]! };
}

const get = (headers: Record<string, string>) => server.inject({ url: '/api/v1/probe', headers });
const post = (headers: Record<string, string>) => server.inject({ method: 'POST', url: '/api/v1/probe', headers });

const session = { email: 'ada@example.com', name: 'Ada', plan: 'pro' };
const required = { error: 'Sign in to continue' };

describe('a session', () => {
  test('is accepted by its cookie or by its access token', async () => {
    const { cookie, accessToken } = await signedIn();
    expect((await get({ cookie })).json()).toMatchObject({ ...session, userId });
    expect((await get({ authorization: `Bearer ${accessToken}` })).json()).toMatchObject({ ...session, userId });
  });

  test.each([
    ['nothing', {}],
    ['an empty token', { authorization: 'Bearer ' }],
    ['an unknown token', { authorization: `Bearer ${'a'.repeat(32)}` }],
    ['an API key', { authorization: `Bearer sk_mabc_01234567.${'0'.repeat(52)}` }],
    ['an unknown cookie', { cookie: `crier.session_token=${'a'.repeat(32)}.${'A'.repeat(43)}%3D` }],
    ['a cookie of another shape', { cookie: 'crier.session_token=%00é.x; a' }],
  ])('is not accepted by %s', async (_, headers: Record<string, string>) => {
    const answer = await get(headers);
    expect([answer.statusCode, contractBody(answer.json())]).toEqual([401, required]);
  });

  test('is accepted by the one cookie name that fits the scheme, so that a page without https cannot choose the session', async () => {
    const secure = await testApp({ database: ours.database, publicUrl: 'https://crier.example' });
    const secureServer = await testServer(secure.app, probes);
    const [plain, own] = [await signedIn(), await signedIn(secureServer)];
    expect(own.cookie).toMatch(/^__Secure-crier\.session_token=/);
    const probe = (cookie: string) => secureServer.inject({ url: '/api/v1/probe', headers: { cookie } });
    expect((await probe(plain.cookie)).statusCode).toBe(401);
    const both = (await probe(`${plain.cookie}; ${own.cookie}`)).json();
    expect(both.sessionId).toBe((await probe(own.cookie)).json().sessionId);
    expect((await get({ cookie: own.cookie })).statusCode).toBe(401);
    await secureServer.close();
    await secure.close();
  });

  test('is not accepted by the cookie if the request also has a wrong access token', async () => {
    const { cookie } = await signedIn();
    const answer = await get({ cookie, authorization: `Bearer sk_mabc.${'0'.repeat(52)}` });
    expect(answer.statusCode).toBe(401);
  });

  test('is stored as the hash of its token, which is not accepted as a token', async () => {
    const { accessToken, cookie } = await signedIn();
    const stored = createHash('sha256').update(accessToken).digest('hex');
    const rows = await ours.app.db.selectFrom('auth_sessions').selectAll().where('token', '=', stored).execute();
    expect(rows).toEqual([expect.objectContaining({ user_id: userId, id: expect.stringMatching(/^[0-9a-f]{24}$/) })]);
    const everything = JSON.stringify(await ours.app.db.selectFrom('auth_sessions').selectAll().execute());
    expect(everything).not.toContain(accessToken);
    expect((await get({ authorization: `Bearer ${stored}` })).statusCode).toBe(401);
    expect((await get({ cookie: cookie.replace(accessToken, stored) })).statusCode).toBe(401);
    expect((await get({ authorization: `Bearer ${cookie.split('=')[1]}` })).statusCode).toBe(401);
  });

  test('ends when it expires, and its cookie is deleted', async () => {
    const { accessToken, cookie } = await signedIn();
    const token = createHash('sha256').update(accessToken).digest('hex');
    await ours.app.db
      .updateTable('auth_sessions')
      .set({ expires_at: new Date(0) })
      .where('token', '=', token)
      .execute();
    const answer = await get({ cookie });
    expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([
      401,
      expect.arrayContaining(['crier.session_token=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax']),
    ]);
    expect(await ours.app.db.selectFrom('auth_sessions').select('id').where('token', '=', token).execute()).toEqual([]);
  });

  test('is prolonged by use after a day, with the same token', async () => {
    const { accessToken, cookie } = await signedIn();
    const token = createHash('sha256').update(accessToken).digest('hex');
    const inFiveDays = new Date(Date.now() + 5 * 86_400_000);
    const row = ours.app.db.updateTable('auth_sessions').where('token', '=', token);
    await row.set({ expires_at: inFiveDays }).execute();
    const answer = await get({ cookie });
    expect(`${answer.headers['set-cookie']}`.split(';')[0]).toBe(cookie);
    const { expires_at } = await ours.app.db
      .selectFrom('auth_sessions')
      .select('expires_at')
      .where('token', '=', token)
      .executeTakeFirstOrThrow();
    expect(expires_at.getTime()).toBeGreaterThan(inFiveDays.getTime() + 86_400_000);
  });

  test('survives a rotation of the sealing key', async () => {
    const { cookie } = await signedIn();
    const sealingKeys = { current: sealingKey('ee'.repeat(32)), previous: [ours.app.sealingKeys.current] };
    const later = await testApp({ database: ours.database, sealingKeys });
    const laterServer = await testServer(later.app, probes);
    expect((await laterServer.inject({ url: '/api/v1/probe', headers: { cookie } })).statusCode).toBe(200);
    await laterServer.close();
    await later.close();
  });

  test('ends when the user signs out', async () => {
    const { cookie } = await signedIn();
    await server.inject({ method: 'POST', url: '/api/v1/out', headers: { cookie } });
    expect((await get({ cookie })).statusCode).toBe(401);
  });

  test('identifies the user whose access token is given as consent', async () => {
    const { accessToken } = await signedIn();
    expect(await userOfAccessToken(ours.app, accessToken)).toEqual({ ...session, userId });
    expect(await userOfAccessToken(ours.app, 'a'.repeat(32))).toBeNull();
    expect(await userOfAccessToken(ours.app, 'not\na token')).toBeNull();
  });
});

describe('the cookie', () => {
  test('is HttpOnly, SameSite, and valid for a week', async () => {
    const { setCookie } = await signedIn();
    expect(setCookie).toMatch(/^crier\.session_token=[^;]+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  test('is Secure if the service uses https', async () => {
    const secure = await testApp({ database: ours.database, publicUrl: 'https://crier.example' });
    const secureServer = await testServer(secure.app, probes);
    const { setCookie } = await signedIn(secureServer);
    expect(setCookie).toMatch(/^__Secure-crier\.session_token=.*; HttpOnly; Secure; SameSite=Lax$/);
    await secureServer.close();
    await secure.close();
  });
});

describe('a request by cookie that changes something', () => {
  test.each([
    ['http://crier.test', 'crier.test'],
    ['https://partner.example', 'crier.test'],
    ['http://127.0.0.1:3000', '127.0.0.1:3000'],
    ['http://other.test', 'other.test:80'],
  ])('is accepted from %s at the host %s', async (origin, host) => {
    const { cookie } = await signedIn();
    expect((await post({ cookie, origin, host })).statusCode).toBe(200);
  });

  test.each([
    ['https://evil.example', 'crier.test'],
    ['null', 'crier.test'],
    ['http://crier.test.evil.example', 'crier.test'],
    ['http://crier.test:81', 'crier.test'],
    ['https://crier.test', 'crier.test'],
    ['ftp://crier.test', 'crier.test'],
    ['https://127.0.0.1:3000', '127.0.0.1:3000'],
    ['http://127.0.0.1:3001', '127.0.0.1:3000'],
    ['http://localhost:3000', '127.0.0.1:3000'],
  ])('is refused from %s at the host %s', async (origin, host) => {
    const { cookie } = await signedIn();
    const answer = await post({ cookie, origin, host });
    expect([answer.statusCode, contractBody(answer.json())]).toEqual([
      403,
      { error: 'Requests from this origin are not allowed' },
    ]);
  });

  test('knows from a trusted proxy alone which scheme and host the browser used', async () => {
    const { app, close } = await testApp({ database: ours.database, environment: { TRUST_PROXY: '10.0.0.1' } });
    const proxied = await buildServer(app);
    const statusFrom = async (remoteAddress: string, origin: string) =>
      (
        await proxied.inject({
          method: 'POST',
          url: '/api/v1/auth/signin',
          remoteAddress,
          headers: { origin, host: 'inside:3000', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'other.test' },
          payload: { email: ada.email, password: ada.password },
        })
      ).statusCode;
    expect(await statusFrom('10.0.0.1', 'https://other.test')).toBe(200);
    expect(await statusFrom('10.0.0.1', 'http://other.test')).toBe(403);
    expect(await statusFrom('10.0.0.2', 'https://other.test')).toBe(403);
    await proxied.close();
    await close();
  });

  test('is accepted from clients other than browsers, which send no origin', async () => {
    const { cookie } = await signedIn();
    expect((await post({ cookie })).statusCode).toBe(200);
  });
});

test('a request by access token may come from any origin', async () => {
  const { accessToken } = await signedIn();
  const answer = await post({ authorization: `Bearer ${accessToken}`, origin: 'https://evil.example' });
  expect(answer.statusCode).toBe(200);
});

describe('[auth.hold] Account on hold', () => {
  const hold = (values: { held_at: Date | null; hold_expires_at?: Date | null; hold_reason?: string | null }) =>
    ours.app.db
      .updateTable('users')
      .set({ hold_expires_at: null, hold_reason: null, ...values })
      .where('id', '=', userId)
      .execute();

  test('the error has the reason and the end of the hold', async () => {
    const { cookie } = await signedIn();
    const holdExpiresAt = '2199-01-02T03:04:05.006Z';
    await hold({ held_at: new Date(), hold_expires_at: new Date(holdExpiresAt), hold_reason: 'Unpaid invoice' });
    const answer = await get({ cookie });
    expect([answer.statusCode, contractBody(answer.json())]).toEqual([
      403,
      {
        error: 'Account on hold',
        message: 'Your account is temporarily on hold. Please contact support.',
        holdExpiresAt,
        holdReason: 'Unpaid invoice',
      },
    ]);
  });

  test('a hold without an end or a reason has null', async () => {
    const { cookie } = await signedIn();
    await hold({ held_at: new Date() });
    expect((await get({ cookie })).json()).toMatchObject({ holdExpiresAt: null, holdReason: null });
  });

  test('a hold that has ended does not count', async () => {
    const { cookie } = await signedIn();
    await hold({ held_at: new Date(0), hold_expires_at: new Date(1) });
    expect((await get({ cookie })).statusCode).toBe(200);
    await hold({ held_at: null });
  });
});

test('a user who becomes inactive loses the session', async () => {
  const { cookie, accessToken } = await signedIn();
  const setActive = (is_active: boolean) =>
    ours.app.db.updateTable('users').set({ is_active }).where('id', '=', userId).execute();
  await setActive(false);
  const answer = await get({ cookie });
  expect([answer.statusCode, contractBody(answer.json())]).toEqual([401, required]);
  expect(await userOfAccessToken(ours.app, accessToken)).toBeNull();
  await setActive(true);
});
