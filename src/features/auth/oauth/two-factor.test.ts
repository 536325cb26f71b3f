import { afterAll, beforeAll, expect, test } from 'vitest';
import { Browser } from '../../../../test/support/browser/cookies.ts';
import { testClock } from '../../../../test/support/service/app.ts';
import { type TestService, testService } from '../../../../test/support/service/service.ts';
import { testPassword } from '../../../../test/support/service/user.ts';
import { fromBase32 } from '../../../foundation/lib/base32.ts';
import { totpCode, totpStep } from '../../../foundation/lib/totp.ts';

/** The consent page for a user with two-factor sign-in. */

const clock = testClock();
let service: TestService;
let secret: string;
const email = 'user1@example.com';
beforeAll(async () => {
  service = await testService({ clock });
  await service.aUser();
  const browser = new Browser(service.server, { address: '192.0.2.1' });
  await browser.signIn(email, testPassword);
  secret = (await browser.post('/auth/two-factor/start', { password: testPassword })).json().secret;
  expect((await browser.post('/auth/two-factor/confirm', { code: codeNow() })).statusCode).toBe(200);
  clock.advance({ seconds: 30 });
});
afterAll(() => service.close());

const codeNow = () => totpCode(fromBase32(secret), totpStep(clock.now()));

async function authorizeUrl(): Promise<string> {
  const redirect_uri = 'https://example.com/callback';
  const payload = { redirect_uris: [redirect_uri] };
  const { client_id } = (await service.server.inject({ method: 'POST', url: '/register', payload })).json();
  const query = { response_type: 'code', client_id, code_challenge: 'a'.repeat(43), code_challenge_method: 'S256' };
  return `/authorize?${new URLSearchParams(query)}`;
}

const submit = (url: string, form: Record<string, string>) =>
  service.server.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(form).toString(),
  });

test('a password alone does not sign in: the page asks for the code, and takes a wrong one back', async () => {
  const url = await authorizeUrl();
  const asked = await submit(url, { email, password: testPassword });
  expect([asked.statusCode, asked.body.includes('Enter your code')]).toEqual([200, true]);
  const twoFactorToken = /name="twoFactorToken" value="([^"]+)"/.exec(asked.body)?.[1] ?? '';
  const wrong = await submit(url, { twoFactorToken, code: '000000' });
  expect([wrong.statusCode, wrong.body.includes(`value="${twoFactorToken}"`)]).toEqual([401, true]);
  expect(wrong.body).toContain('role="alert"');

  const signedIn = await submit(url, { twoFactorToken, code: codeNow() });
  expect([signedIn.statusCode, signedIn.headers.location]).toEqual([303, url]);
  const cookie = [signedIn.headers['set-cookie'] ?? []].flat().map((one) => one.split(';')[0]);
  const page = await service.server.inject({ url, headers: { cookie: cookie.join('; ') } });
  expect(page.body).toContain('value="approve">Approve</button>');
});

test('a token that is not valid leads back to the sign-in', async () => {
  const refused = await submit(await authorizeUrl(), { twoFactorToken: 'made up', code: '123456' });
  expect([refused.statusCode, refused.body.includes('id="password"')]).toEqual([401, true]);
});
