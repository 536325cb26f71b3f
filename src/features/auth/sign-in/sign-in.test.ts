import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contractBody } from '../../../../test/support/documents/contract-body.ts';
import { type TestApp, testApp, testServer } from '../../../../test/support/service/app.ts';
import { hashedPasswords } from '../../../../test/support/setup/known-hashes.ts';
import type { Server } from '../../../foundation/http/server.ts';
import { sessionRoutes } from './routes.ts';

let ours: TestApp;
let server: Server;
beforeAll(async () => {
  ours = await testApp({ environment: { DEFAULT_PLAN: 'pro_legacy' } });
  server = await testServer(ours.app, sessionRoutes);
});
afterAll(async () => {
  await server.close();
  await ours.close();
});

const post = (path: string, body?: object, headers: Record<string, string> = {}) =>
  server.inject({ method: 'POST', url: `/api/v1/auth/${path}`, headers, ...(body && { payload: body }) });
const whoAmI = (headers: Record<string, string>) => server.inject({ url: '/api/v1/auth/session', headers });

const password = 'correct horse battery';
const ada = { email: 'ada@example.com', password, name: 'Ada' };
beforeAll(async () => {
  await post('signup', ada);
});

describe('signing up', () => {
  test('creates an account on the default plan and signs in', async () => {
    const answer = await post('signup', { email: ' Grace@Example.com ', password });
    expect(answer.statusCode).toBe(200);
    const { accessToken, user } = answer.json();
    expect(user).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      email: 'grace@example.com',
      name: 'grace',
      plan: 'pro_legacy',
    });
    expect((await whoAmI({ authorization: `Bearer ${accessToken}` })).json()).toEqual({ user });
  });

  test('strips HTML from the name', async () => {
    const answer = await post('signup', { ...ada, email: 'html@example.com', name: '<b>Ada</b> L' });
    expect(answer.json().user.name).toBe('Ada L');
  });

  test.each([
    ['an email that is none', { ...ada, email: 'ada' }, 400, 'Invalid email'],
    ['no email', { password }, 400, 'Invalid email'],
    ['a password of 7 characters', { ...ada, password: '1234567' }, 400, 'Password must have 8 to 128 characters'],
    ['a password of 129', { ...ada, password: 'x'.repeat(129) }, 400, 'Password must have 8 to 128 characters'],
    ['a name of 101', { ...ada, name: 'x'.repeat(101) }, 400, 'Name must be a string with maximum 100 characters'],
    ['a taken email', { ...ada, email: 'ADA@example.com' }, 409, 'An account with this email already exists'],
  ])('refuses %s', async (_, body, status, error) => {
    const answer = await post('signup', body);
    expect([answer.statusCode, contractBody(answer.json())]).toEqual([status, { error }]);
  });

  test('of many requests with the same email at the same time, one succeeds', async () => {
    const body = { email: 'race@example.com', password };
    const answers = await Promise.all(Array.from({ length: 5 }, () => post('signup', body)));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409, 409, 409]);
  });
});

describe('signing in', () => {
  test('returns an access token and the user', async () => {
    const answer = await post('signin', { email: 'Ada@Example.com', password });
    expect([answer.statusCode, contractBody(answer.json())]).toEqual([
      200,
      {
        accessToken: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
        user: { _id: expect.any(String), email: ada.email, name: 'Ada', plan: 'pro_legacy' },
      },
    ]);
  });

  test('gives the same answer for an unknown email, a wrong password, an inactive user and one without a password', async () => {
    const managed = await post('signup', { email: 'managed@example.com', password });
    await ours.app.db.deleteFrom('auth_accounts').where('user_id', '=', managed.json().user._id).execute();
    await post('signup', { email: 'gone@example.com', password });
    await ours.app.db.updateTable('users').set({ is_active: false }).where('email', '=', 'gone@example.com').execute();
    const answers = [
      await post('signin', { email: 'nobody@example.com', password }),
      await post('signin', { email: ada.email, password: `${password}!` }),
      await post('signin', { email: 'gone@example.com', password }),
      await post('signin', { email: 'managed@example.com', password }),
    ];
    for (const answer of answers) {
      expect([answer.statusCode, contractBody(answer.json())]).toEqual([401, { error: 'Invalid email or password' }]);
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
  });

  test('hashes one password, also for an unknown email and without a password, so that its time tells nothing', async () => {
    const hashesOf = async (email: string) => {
      const before = hashedPasswords();
      await post('signin', { email, password: 'not the password' });
      return hashedPasswords() - before;
    };
    const wrong = await hashesOf(ada.email);
    const unknown = await hashesOf('nobody-at-all@example.com');
    const without = await hashesOf('managed@example.com');
    expect({ wrong, unknown, without }).toEqual({ wrong: 1, unknown: 1, without: 1 });
  });

  test.each([
    ['no password', { email: ada.email }, 'Password is required'],
    ['a password that is no string', { email: ada.email, password: 12345678 }, 'Password is required'],
    ['an email that is none', { email: 'ada', password }, 'Invalid email'],
  ])('refuses %s', async (_, body, error) => {
    const answer = await post('signin', body);
    expect([answer.statusCode, contractBody(answer.json())]).toEqual([400, { error }]);
  });

  test('refuses a body that is not an object', async () => {
    const answer = await server.inject({
      method: 'POST',
      url: '/api/v1/auth/signin',
      headers: { 'content-type': 'application/json' },
      payload: '[]',
    });
    expect([answer.statusCode, answer.json().error]).toEqual([400, 'The body must be a JSON object, not an array']);
  });
});

describe('signing out', () => {
  test('ends that session and no other', async () => {
    const [here, there] = [await post('signin', ada), await post('signin', ada)].map((answer) => ({
      authorization: `Bearer ${answer.json().accessToken}`,
    }));
    const answer = await post('signout', undefined, here);
    expect([answer.statusCode, contractBody(answer.json())]).toEqual([200, { message: 'Signed out successfully' }]);
    expect((await whoAmI(here!)).statusCode).toBe(401);
    expect((await whoAmI(there!)).statusCode).toBe(200);
  });

  test('without a session is not an error', async () => {
    expect((await post('signout')).statusCode).toBe(200);
  });
});
