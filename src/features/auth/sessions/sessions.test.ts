import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Browser, iphone } from '../../../../test/support/browser/cookies.ts';
import { type TestApp, testApp, testClock, testServer } from '../../../../test/support/service/app.ts';
import { insertTestUser, testPassword } from '../../../../test/support/service/user.ts';
import type { Server } from '../../../foundation/http/server.ts';
import { pruneSessions, userOfAccessToken } from '../access/session.ts';
import { sessionRoutes } from '../sign-in/routes.ts';
import { sessionListRoutes } from './routes.ts';

const clock = testClock();
let ours: TestApp;
let server: Server;
beforeAll(async () => {
  ours = await testApp({ clock });
  server = await testServer(ours.app, (api, app) => {
    sessionRoutes(api, app);
    sessionListRoutes(api, app);
  });
});
afterAll(async () => {
  await server.close();
  await ours.close();
});

let people = 0;
async function aPerson() {
  people += 1;
  const email = `person${people}@example.com`;
  const { id } = await insertTestUser(ours.app, { email, plan: 'pro' });
  return { id, email };
}

async function signedIn(email: string, options: { address?: string; userAgent?: string } = {}) {
  const browser = new Browser(server, options);
  const answer = await browser.signIn(email, testPassword);
  expect(answer.statusCode).toBe(200);
  return Object.assign(browser, { accessToken: answer.json().accessToken as string });
}

const isSignedIn = async (browser: Browser) => (await browser.get('/auth/session')).statusCode === 200;
const days = (number: number) => ({ seconds: number * 86_400 });

const eventsOf = async (userId: string) => {
  const rows = await ours.app.db
    .selectFrom('audit_log')
    .selectAll()
    .where('user_id', '=', userId)
    // The test's own setup is recorded as the system's.
    .where('actor_kind', '<>', 'system')
    .orderBy('id')
    .execute();
  return rows.map(({ event, actor_kind, actor_id, address, details }) => ({
    event,
    actor_kind,
    actor_id,
    address,
    details,
  }));
};

describe('the list of sessions', () => {
  test('shows device, address and last use of each, and which one asks', async () => {
    const { email } = await aPerson();
    const started = clock.now().toISOString();
    const phone = await signedIn(email, { address: '203.0.113.7', userAgent: iphone });
    const laptop = await signedIn(email, { address: '2001:db8::7' });
    clock.advance({ seconds: 61 });
    const answer = await laptop.get('/auth/sessions');
    expect(answer.json()).toEqual({
      sessions: [
        {
          _id: expect.stringMatching(/^[0-9a-f]{24}$/),
          createdAt: started,
          lastUsedAt: clock.now().toISOString(),
          device: 'Firefox on Windows',
          address: '2001:db8::7',
          current: true,
        },
        {
          _id: expect.any(String),
          createdAt: started,
          lastUsedAt: started,
          device: 'Safari on iPhone',
          address: '203.0.113.7',
          current: false,
        },
      ],
    });
    expect(JSON.stringify(answer.json())).not.toContain(phone.accessToken);
  });

  test('has the address of the caller, and not what a header claims', async () => {
    const { email } = await aPerson();
    const answer = await server.inject({
      method: 'POST',
      url: '/api/v1/auth/signin',
      headers: { 'x-crier-address': '10.9.9.9', 'x-forwarded-for': '10.9.9.9' },
      payload: { email, password: testPassword },
      remoteAddress: '203.0.113.9',
    });
    const headers = { authorization: `Bearer ${answer.json().accessToken}` };
    const { sessions } = (await server.inject({ url: '/api/v1/auth/sessions', headers })).json();
    expect(sessions[0].address).toBe('203.0.113.9');
  });
});

describe('a session can be ended', () => {
  test('by its user, from another one', async () => {
    const { email, id } = await aPerson();
    const [phone, laptop] = [await signedIn(email, { userAgent: iphone }), await signedIn(email)];
    const { sessions } = (await laptop.get('/auth/sessions')).json();
    const { _id } = sessions.find((session: { current: boolean }) => !session.current);
    const answer = await laptop.delete(`/auth/sessions/${_id}`);
    expect([answer.statusCode, answer.json()]).toEqual([200, { message: 'Session ended successfully' }]);
    expect([await isSignedIn(phone), await isSignedIn(laptop)]).toEqual([false, true]);
    expect((await laptop.delete(`/auth/sessions/${_id}`)).statusCode).toBe(404);
    expect((await eventsOf(id)).at(-1)).toEqual({
      event: 'session_ended',
      actor_kind: 'user',
      actor_id: id,
      address: '192.0.2.1',
      details: { sessions: 1, device: 'Safari on iPhone' },
    });
  });

  test('but not by another user', async () => {
    const [ada, eve] = [await signedIn((await aPerson()).email), await signedIn((await aPerson()).email)];
    const [{ _id }] = (await ada.get('/auth/sessions')).json().sessions;
    expect((await eve.delete(`/auth/sessions/${_id}`)).statusCode).toBe(404);
    expect(await isSignedIn(ada)).toBe(true);
  });

  test('together with all others of its user', async () => {
    const { email, id } = await aPerson();
    const other = await signedIn((await aPerson()).email);
    const browsers = [await signedIn(email), await signedIn(email), await signedIn(email)];
    const answer = await browsers[1]!.delete('/auth/sessions');
    expect(answer.json()).toEqual({ message: 'All other sessions ended successfully', ended: 2 });
    expect(await Promise.all(browsers.map(isSignedIn))).toEqual([false, true, false]);
    expect(await isSignedIn(other)).toBe(true);
    expect((await eventsOf(id)).at(-1)).toMatchObject({ event: 'session_ended', details: { sessions: 2 } });
  });

  test('by signing out, which the audit log shows once', async () => {
    const { email, id } = await aPerson();
    const browser = await signedIn(email);
    await browser.post('/auth/signout');
    await browser.post('/auth/signout');
    expect((await eventsOf(id)).map(({ event }) => event)).toEqual(['signed_in', 'signed_out']);
  });
});

describe('a session ends 30 days after the sign-in', () => {
  test('however often it is used', async () => {
    const { email } = await aPerson();
    const browser = await signedIn(email);
    for (let day = 1; day < 30; day += 1) {
      clock.advance(days(1));
      expect(await isSignedIn(browser)).toBe(true);
    }
    clock.advance(days(1));
    const ended = await browser.get('/auth/session');
    expect([ended.statusCode, ended.json().code]).toEqual([401, 'SESSION_REQUIRED']);
    expect(browser.cookies.has('crier.session_token')).toBe(false);
    const token = createHash('sha256').update(browser.accessToken).digest('hex');
    expect(await ours.app.db.selectFrom('auth_sessions').select('id').where('token', '=', token).execute()).toEqual([]);
  });

  test('also as the consent to join a workspace, and it is neither listed nor kept', async () => {
    const { email, id } = await aPerson();
    const old = await signedIn(email);
    clock.advance(days(29));
    expect(await userOfAccessToken(ours.app, old.accessToken)).toMatchObject({ userId: id });
    const fresh = await signedIn(email);
    clock.advance(days(1));
    expect(await userOfAccessToken(ours.app, old.accessToken)).toBeNull();
    expect((await fresh.get('/auth/sessions')).json().sessions).toHaveLength(1);
    await pruneSessions(ours.app);
    const left = await ours.app.db.selectFrom('auth_sessions').select('id').where('user_id', '=', id).execute();
    expect(left).toHaveLength(1);
  });
});
