import { createTransport } from 'nodemailer';
import { afterEach, expect, test } from 'vitest';
import { storeGrant } from '../../../src/features/connections/connections.ts';
import type { Server } from '../../../src/foundation/http/server.ts';
import { openSmtpServer } from '../servers/smtp.ts';
import { type TestApp, testApp, testServer } from '../service/app.ts';
import { recordedLog } from '../service/recorded-log.ts';
import { insertTestUser, testPassword } from '../service/user.ts';
import { SecretWatch, secretWatch } from './watch.ts';

/** Leaks are planted here, and must not fail this file. */
afterEach(() => secretWatch.forget());

const key = `sk_live_1a2b3c.${'0123456789abcdef'.repeat(4).slice(0, 52)}`;
const accessToken = 'network-token-0123456789';

async function withRoute(answer: () => unknown, use: (server: Server, ours: TestApp) => Promise<unknown>) {
  const ours = await testApp();
  const server = await testServer(ours.app, (api) => {
    api.get('/leak', async () => answer());
    api.post('/auth/api-keys', async () => answer());
  });
  await use(server, ours);
  await server.close();
  await ours.close();
}

test('an API key in an answer is found, unless the route is meant to hand it out', async () => {
  await withRoute(
    () => ({ rawKey: key }),
    (server) => server.inject({ method: 'POST', url: '/api/v1/auth/api-keys' }),
  );
  expect(secretWatch.leaks()).toEqual([]);
  await withRoute(
    () => ({ rawKey: key }),
    (server) => server.inject('/api/v1/leak'),
  );
  expect(secretWatch.leaks()).toEqual(['API key in the answer of GET /api/v1/leak']);
});

test('a stored credential is found in an answer over a socket, although it becomes known only later', async () => {
  await withRoute(
    () => `The network refused ${accessToken}.`,
    async (server, { app }) => {
      const { id } = await insertTestUser(app, { email: 'ada@example.com', plan: 'pro' });
      const account = { id: '1', handle: 'ada', displayName: 'Ada', avatarUrl: null, profileUrl: null, traits: {} };
      await storeGrant(app, id, 'twitter', { account, credentials: { accessToken }, scopes: [], expiresAt: null });
      const base = await server.listen({ port: 0, host: '127.0.0.1' });
      await fetch(`${base}/api/v1/leak`);
    },
  );
  expect(secretWatch.leaks()).toEqual(['token of a network in the answer of GET /api/v1/leak']);
});

test('a password and a sealing key are found in a log line, with and without a log of the test', async () => {
  for (const options of [{ log: recordedLog().log }, {}]) {
    const ours = await testApp(options);
    ours.app.log.warn({ err: new Error(`Wrong password: ${testPassword}`) }, 'failed');
    ours.app.log.info({ key: ours.app.sealingKeys.current.secret.toString('hex') }, 'key');
    await ours.close();
    expect(secretWatch.leaks()).toEqual(['SECRET_KEY in a log line', 'password in a log line']);
    secretWatch.forget();
  }
});

test('a session token is found in a mail, and the token of its link is not', async () => {
  const smtp = await openSmtpServer();
  const transport = createTransport({ host: '127.0.0.1', port: smtp.port });
  const text = `https://crier.example/reset-password?token=${'t'.repeat(43)}`;
  secretWatch.secret('link token', 't'.repeat(43));
  secretWatch.secret('session token', 'session-token-0123456789');
  await transport.sendMail({ from: 'a@example.com', to: 'b@example.com', text });
  expect(secretWatch.leaks()).toEqual([]);
  await transport.sendMail({ from: 'a@example.com', to: 'b@example.com', text: 'session-token-0123456789' });
  expect(secretWatch.leaks()).toEqual(['session token in a mail']);
  transport.close();
  await smtp.close();
});

const handedOut: [kind: string, text: string][] = [
  ['API key', key],
  ['attach token', `"at_${'a'.repeat(43)}"`],
  ['session token', '{"accessToken":"0123456789abcdefghij"}'],
  ['session token', 'set-cookie: crier.session_token=0123456789abcdefghij.signature'],
  ['device token', 'set-cookie: crier.device=0123456789abcdefghij'],
  ['two-factor token', '{"twoFactorToken":"0123456789abcdefghij"}'],
  ['recovery code', '["abcd-efgh-ijkl-mnop"]'],
  ['webhook secret', `{"secret":"${'0123456789abcdef'.repeat(4)}"}`],
  ['TOTP secret', `{"secret":"${'ABCDEFGH'.repeat(4)}"}`],
  ['link token', `https://crier.example/verify-email?token=${'t'.repeat(43)}`],
];

test.each(handedOut)('a %s is known by its form, and found wherever it is seen again', (kind, text) => {
  const watch = new SecretWatch();
  watch.output('its own answer', text, [kind]);
  expect(watch.leaks()).toEqual([]);
  watch.output('another answer', text);
  expect(watch.leaks()).toEqual([`${kind} in another answer`]);
});
