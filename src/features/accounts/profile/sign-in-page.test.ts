import { afterEach, describe, expect, test } from 'vitest';
import packageJson from '../../../../package.json' with { type: 'json' };
import { type TestApp, type TestAppOptions, testApp, testServer } from '../../../../test/support/service/app.ts';
import { insertTestUser } from '../../../../test/support/service/user.ts';
import { passkeyObstacle } from './sign-in-page.ts';
import { signInPageRoutes } from './sign-in-page-routes.ts';

let ours: TestApp | undefined;
afterEach(async () => {
  await ours?.close();
  ours = undefined;
});

async function settings(options: TestAppOptions = {}, users = 0) {
  ours = await testApp(options);
  for (let user = 0; user < users; user += 1) {
    await insertTestUser(ours.app, { email: `user${user}@example.com`, plan: 'pro' });
  }
  const server = await testServer(ours.app, signInPageRoutes);
  const answer = await server.inject('/api/v1/dashboard/settings');
  await server.close();
  return answer;
}
const live = { NETWORKS: 'live', SECRET_KEY: '7e'.repeat(32) };
const mail = { MAIL_URL: 'smtp://ada:hunter2@mail.example.com:587', MAIL_FROM: 'crier@example.com' };

describe('before anybody has signed in, a page learns', () => {
  test('what it can offer, and may keep that for a minute', async () => {
    const answer = await settings({ sandboxUrl: 'http://127.0.0.1:7777', publicUrl: 'http://localhost:3000' }, 1);
    expect(answer.headers['cache-control']).toBe('public, max-age=60');
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(answer.json()).toEqual({
      signUp: 'open',
      verifiesEmail: false,
      passwordResetByMail: true,
      passkeys: { offered: true, reason: null },
      sandboxUrl: 'http://127.0.0.1:7777',
      version: packageJson.version,
    });
  });

  test('that addresses are verified where there is mail, and nothing about the mail server', async () => {
    const answer = await settings({ environment: { ...live, ...mail, SIGN_UP: 'invite' } });
    expect(answer.json()).toMatchObject({ signUp: 'invite', verifiesEmail: true, passwordResetByMail: true });
    expect(answer.body).not.toMatch(/hunter2|mail\.example/);
  });

  test.each([
    [0, 'open'],
    [1, 'closed'],
  ])('without a setting, with %i users: sign-up is %s', async (users, signUp) => {
    const { passwordResetByMail, sandboxUrl, ...others } = (await settings({ environment: live }, users)).json();
    expect([others.signUp, passwordResetByMail, sandboxUrl]).toEqual([signUp, false, null]);
  });
});

describe('passkeys', () => {
  test.each(['https://crier.example.com', 'http://localhost:3000', 'http://crier.localhost:3000'])(
    'are offered at %s',
    (address) => expect(passkeyObstacle(new URL(address))).toBeNull(),
  );

  test.each([
    ['http://127.0.0.1:3000', 'localhost'],
    ['https://203.0.113.7', 'IP address'],
    ['https://[2001:db8::1]', 'IP address'],
    ['http://crier.example.com', 'https'],
  ])('are not offered at %s, and it says why', (address, reason) =>
    expect(passkeyObstacle(new URL(address))).toContain(reason),
  );
});
