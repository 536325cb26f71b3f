import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Browser } from '../../../../test/support/browser/cookies.ts';
import { type TestApp, testApp, testClock, testServer } from '../../../../test/support/service/app.ts';
import { queuedMails } from '../../../../test/support/service/queued-mail.ts';
import { insertTestUser, testPassword } from '../../../../test/support/service/user.ts';
import type { Server } from '../../../foundation/http/server.ts';
import { fromBase32 } from '../../../foundation/lib/base32.ts';
import { totpCode, totpStep } from '../../../foundation/lib/totp.ts';
import { sessionRoutes } from '../sign-in/routes.ts';
import { twoFactorRoutes } from './routes.ts';

const clock = testClock();
let ours: TestApp;
let server: Server;
beforeAll(async () => {
  ours = await testApp({ clock });
  server = await testServer(ours.app, (api, app) => {
    sessionRoutes(api, app);
    twoFactorRoutes(api, app);
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
  await insertTestUser(ours.app, { email, plan: 'pro' });
  const browser = new Browser(server, { address: `192.0.2.${people}` });
  await browser.signIn(email, testPassword);
  return { email, browser };
}

const codeOf = (secret: string, stepsLater = 0) => totpCode(fromBase32(secret), totpStep(clock.now()) + stepsLater);
const start = async (browser: Browser): Promise<string> =>
  (await browser.post('/auth/two-factor/start', { password: testPassword })).json().secret;
const confirm = (browser: Browser, code: string) => browser.post('/auth/two-factor/confirm', { code });
const state = async (browser: Browser) => (await browser.get('/auth/two-factor')).json();

/** A user with two-factor sign-in, in a step whose code has not been used yet. */
async function aCarefulPerson() {
  const person = await aPerson();
  const secret = await start(person.browser);
  const { recoveryCodes } = (await confirm(person.browser, codeOf(secret))).json();
  clock.advance({ seconds: 30 });
  return { ...person, secret, recoveryCodes: recoveryCodes as string[] };
}

/** Signs in with the password and a code, from a browser that the account does not know. */
async function signIn(email: string, code: string, browser = stranger()) {
  const { twoFactorToken } = (await browser.signIn(email, testPassword)).json();
  return browser.post('/auth/signin/two-factor', { twoFactorToken, code });
}
let strangers = 0;
function stranger() {
  strangers += 1;
  return new Browser(server, { address: `198.51.100.${strangers}` });
}

describe('two-factor sign-in', () => {
  test('is on after the first code, and ends the other sessions', async () => {
    const { browser, email } = await aPerson();
    const elsewhere = stranger();
    await elsewhere.signIn(email, testPassword);
    const secret = await start(browser);
    expect((await confirm(browser, codeOf(secret, 5))).json().code).toBe('TWO_FACTOR_CODE_INVALID');
    expect(await state(browser)).toEqual({ enabled: false, recoveryCodesLeft: 0 });
    expect((await confirm(browser, codeOf(secret))).json().recoveryCodes).toHaveLength(10);
    expect(await state(browser)).toEqual({ enabled: true, recoveryCodesLeft: 10 });
    expect((await elsewhere.get('/auth/session')).statusCode).toBe(401);
    expect((await browser.get('/auth/session')).statusCode).toBe(200);
  });

  test('takes the first code for 15 minutes, and cannot be started twice', async () => {
    const { browser } = await aPerson();
    expect((await confirm(browser, '123456')).json().code).toBe('TWO_FACTOR_NOT_STARTED');
    const late = await start(browser);
    clock.advance({ seconds: 900 });
    expect((await confirm(browser, codeOf(late))).json().code).toBe('TWO_FACTOR_NOT_STARTED');
    const secret = await start(browser);
    expect((await confirm(browser, codeOf(secret))).statusCode).toBe(200);
    const again = await browser.post('/auth/two-factor/start', { password: testPassword });
    expect([again.statusCode, (await confirm(browser, codeOf(secret, 1))).statusCode]).toEqual([409, 409]);
  });

  test('takes a code of the app once', async () => {
    const { email, secret } = await aCarefulPerson();
    expect((await signIn(email, codeOf(secret, 5))).statusCode).toBe(401);
    const code = codeOf(secret);
    const spaced = `${code.slice(0, 3)} ${code.slice(3)}`;
    expect((await signIn(email, spaced)).statusCode).toBe(200);
    expect((await signIn(email, code)).statusCode).toBe(401);
  });

  test('takes each recovery code once, as people type it', async () => {
    const { email, recoveryCodes, browser } = await aCarefulPerson();
    const typed = recoveryCodes[0]!.toUpperCase().replaceAll('-', ' ');
    expect((await signIn(email, typed)).statusCode).toBe(200);
    expect((await signIn(email, recoveryCodes[0]!)).statusCode).toBe(401);
    expect(await state(browser)).toEqual({ enabled: true, recoveryCodesLeft: 9 });
  });

  test('is switched off with a code, and not with a wrong one', async () => {
    const { browser, email, secret } = await aCarefulPerson();
    const disable = (code: string) => browser.post('/auth/two-factor/disable', { password: testPassword, code });
    expect((await disable(codeOf(secret, 5))).json().code).toBe('TWO_FACTOR_CODE_INVALID');
    expect((await disable(codeOf(secret))).statusCode).toBe(200);
    expect(await state(browser)).toEqual({ enabled: false, recoveryCodesLeft: 0 });
    expect((await stranger().signIn(email, testPassword)).json()).toHaveProperty('accessToken');
    clock.advance({ seconds: 30 });
    expect((await disable(codeOf(secret))).statusCode).toBe(409);
  });
});

test('ten wrong codes of strangers make codes wait for an hour, and the owner gets a mail', async () => {
  const { email, secret, recoveryCodes, browser } = await aCarefulPerson();
  const wrong = () => signIn(email, codeOf(secret, 9));
  for (let count = 0; count < 4; count += 1) expect((await wrong()).statusCode).toBe(401);
  expect(await queuedMails(ours.app, email, 'wrong_codes')).toHaveLength(0);
  for (let count = 4; count < 10; count += 1) expect((await wrong()).statusCode).toBe(401);
  expect(await queuedMails(ours.app, email, 'wrong_codes')).toHaveLength(1);

  const refused = await signIn(email, codeOf(secret));
  expect([refused.statusCode, refused.json().retryAfterSec]).toEqual([429, 3600]);
  expect((await signIn(email, codeOf(secret), browser)).statusCode, 'a known device').toBe(200);
  expect((await signIn(email, recoveryCodes[0]!)).statusCode).toBe(200);
});
