import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Browser } from '../../../../test/support/browser/cookies.ts';
import { whileTableIsLocked } from '../../../../test/support/database/locked-table.ts';
import { type TestApp, testApp, testClock, testServer } from '../../../../test/support/service/app.ts';
import { queuedMails } from '../../../../test/support/service/queued-mail.ts';
import { insertTestUser, testPassword } from '../../../../test/support/service/user.ts';
import type { Server } from '../../../foundation/http/server.ts';
import { fromBase32 } from '../../../foundation/lib/base32.ts';
import { sealingKey } from '../../../foundation/lib/seal.ts';
import { totpCode, totpStep } from '../../../foundation/lib/totp.ts';
import { finishRotation, resealCredentials } from '../../connections/credentials/rotate-sealing-key.ts';
import { sessionRoutes } from '../sign-in/routes.ts';
import { twoFactorRoutes } from './routes.ts';

const clock = testClock();
let ours: TestApp;
let server: Server;
beforeAll(async () => {
  ours = await testApp({ clock });
  server = await testServer(ours.app, routes);
});
afterAll(async () => {
  await server.close();
  await ours.close();
});

function routes(api: Server, app: TestApp['app']) {
  sessionRoutes(api, app);
  twoFactorRoutes(api, app);
}

let people = 0;
async function aPerson() {
  people += 1;
  const email = `person${people}@example.com`;
  const { id } = await insertTestUser(ours.app, { email, plan: 'pro' });
  const browser = new Browser(server, { address: `192.0.2.${people}` });
  await browser.signIn(email, testPassword);
  return { id, email, browser };
}

/** The code that the app shows now, or `stepsLater` steps from now. */
const codeOf = (secret: string, stepsLater = 0) => totpCode(fromBase32(secret), totpStep(clock.now()) + stepsLater);
const nextStep = () => clock.advance({ seconds: 30 });

/** A user with two-factor sign-in, in a step whose code has not been used yet. */
async function aCarefulPerson() {
  const person = await aPerson();
  const { secret } = (await person.browser.post('/auth/two-factor/start', { password: testPassword })).json();
  const confirmed = await person.browser.post('/auth/two-factor/confirm', { code: codeOf(secret) });
  expect(confirmed.statusCode).toBe(200);
  nextStep();
  return { ...person, secret: secret as string, recoveryCodes: confirmed.json().recoveryCodes as string[] };
}

async function aToken(browser: Browser, email: string): Promise<string> {
  const answer = await browser.signIn(email, testPassword);
  expect(answer.json()).toEqual({ twoFactorRequired: true, twoFactorToken: expect.any(String) });
  return answer.json().twoFactorToken;
}

const finish = (browser: Browser, twoFactorToken: string, code: string) =>
  browser.post('/auth/signin/two-factor', { twoFactorToken, code });

const eventsOf = async (userId: string) => {
  const rows = await ours.app.db
    .selectFrom('audit_log')
    .selectAll()
    .where('user_id', '=', userId)
    // The test's own setup is recorded as the system's.
    .where('actor_kind', '<>', 'system')
    .orderBy('id')
    .execute();
  return rows.map(({ event }) => event);
};

describe('switching two-factor sign-in on', () => {
  test('takes the password and a code of the app, and returns ten recovery codes', async () => {
    const { browser, id, email } = await aPerson();
    const started = await browser.post('/auth/two-factor/start', { password: testPassword });
    const { secret, uri } = started.json();
    expect(uri).toContain(`otpauth://totp/Crier:${encodeURIComponent(email)}?secret=${secret}&`);
    expect((await browser.get('/auth/two-factor')).json()).toEqual({ enabled: false, recoveryCodesLeft: 0 });

    const wrong = await browser.post('/auth/two-factor/confirm', { code: codeOf(secret, 5) });
    expect([wrong.statusCode, wrong.json().code]).toEqual([400, 'TWO_FACTOR_CODE_INVALID']);
    const confirmed = await browser.post('/auth/two-factor/confirm', { code: codeOf(secret) });
    const { recoveryCodes } = confirmed.json();
    expect(new Set(recoveryCodes).size).toBe(10);
    for (const code of recoveryCodes) expect(code).toMatch(/^([a-z2-7]{4}-){3}[a-z2-7]{4}$/);
    expect((await browser.get('/auth/two-factor')).json()).toEqual({ enabled: true, recoveryCodesLeft: 10 });
    expect(await eventsOf(id)).toEqual(['signed_in', 'two_factor_enabled']);
  });

  test('ends all other sessions, which began with the password alone, and keeps this one', async () => {
    const { browser, email, id } = await aPerson();
    const elsewhere = new Browser(server, { address: '198.51.100.7' });
    await elsewhere.signIn(email, testPassword);
    const { secret } = (await browser.post('/auth/two-factor/start', { password: testPassword })).json();
    await browser.post('/auth/two-factor/confirm', { code: codeOf(secret, 5) });
    expect((await elsewhere.get('/auth/session')).statusCode, 'a wrong code changes nothing').toBe(200);
    expect((await browser.post('/auth/two-factor/confirm', { code: codeOf(secret) })).statusCode).toBe(200);
    expect((await elsewhere.get('/auth/session')).statusCode).toBe(401);
    expect((await browser.get('/auth/session')).statusCode).toBe(200);
    expect((await eventsOf(id)).slice(-2)).toEqual(['two_factor_enabled', 'session_ended']);
  });

  test('leaves no session to a sign-in with the password that runs meanwhile', async () => {
    const { browser, email, id } = await aPerson();
    const { secret } = (await browser.post('/auth/two-factor/start', { password: testPassword })).json();
    const thief = new Browser(server, { address: '198.51.100.8' });
    const [confirmed, signedIn] = await whileTableIsLocked(
      ours.database.pool,
      'recovery_codes',
      () => browser.post('/auth/two-factor/confirm', { code: codeOf(secret) }),
      () => thief.signIn(email, testPassword),
    );
    expect([confirmed.statusCode, signedIn.statusCode]).toEqual([200, 401]);
    const sessions = ours.app.db.selectFrom('auth_sessions').select('id').where('user_id', '=', id);
    expect(await sessions.execute()).toHaveLength(1);
    expect((await browser.get('/auth/session')).statusCode).toBe(200);
  });

  test('changes nothing about signing in until the first code', async () => {
    const { browser, email } = await aPerson();
    await browser.post('/auth/two-factor/start', { password: testPassword });
    expect((await browser.signIn(email, testPassword)).json()).toHaveProperty('accessToken');
  });

  test('takes the first code within 15 minutes', async () => {
    const { browser } = await aPerson();
    const start = async () => (await browser.post('/auth/two-factor/start', { password: testPassword })).json().secret;
    const late = await start();
    clock.advance({ seconds: 900 });
    const refused = await browser.post('/auth/two-factor/confirm', { code: codeOf(late) });
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'TWO_FACTOR_NOT_STARTED']);
    const fresh = await start();
    clock.advance({ seconds: 870 });
    expect((await browser.post('/auth/two-factor/confirm', { code: codeOf(fresh) })).statusCode).toBe(200);
  });

  test('lets somebody with the session guess ten first codes in an hour', async () => {
    const { browser } = await aPerson();
    await browser.post('/auth/two-factor/start', { password: testPassword });
    const guess = () => browser.post('/auth/two-factor/confirm', { code: '000000' });
    const answers = await Promise.all(Array.from({ length: 13 }, guess));
    const statuses = answers.map(({ statusCode }) => statusCode).sort();
    expect(statuses).toEqual([...Array(10).fill(400), ...Array(3).fill(429)]);
  });

  test('sends a mail, because the owner cannot sign in without a code if it was a thief', async () => {
    const { email } = await aCarefulPerson();
    const about = {
      at: expect.any(String),
      address: expect.stringMatching(/^192\.0\.2\./),
      device: 'Firefox on Windows',
    };
    expect(await queuedMails(ours.app, email, 'two_factor_enabled')).toEqual([
      { ...about, resetUrl: expect.stringMatching(/\/forgot-password$/) },
    ]);
  });

  test('needs the password, which can be guessed 20 times in ten minutes', async () => {
    const { browser } = await aPerson();
    const start = (password: string) => browser.post('/auth/two-factor/start', { password });
    const answers = await Promise.all(Array.from({ length: 21 }, () => start('a guess')));
    const statuses = answers.map(({ statusCode }) => statusCode).sort();
    expect(statuses).toEqual([...Array(20).fill(403), 429]);
    expect((await start(testPassword)).statusCode).toBe(429);
  });

  test('is refused twice, and without a start', async () => {
    const { browser, secret } = await aCarefulPerson();
    const again = await browser.post('/auth/two-factor/start', { password: testPassword });
    expect([again.statusCode, again.json().code]).toEqual([409, 'TWO_FACTOR_ON']);
    expect((await browser.post('/auth/two-factor/confirm', { code: codeOf(secret) })).statusCode).toBe(409);
    const { browser: other } = await aPerson();
    const early = await other.post('/auth/two-factor/confirm', { code: '123456' });
    expect([early.statusCode, early.json().code]).toEqual([409, 'TWO_FACTOR_NOT_STARTED']);
  });

  test('stores no secret and no code that can be read', async () => {
    const { secret, recoveryCodes } = await aCarefulPerson();
    const tables = ['two_factors', 'recovery_codes', 'audit_log'] as const;
    const rows = await Promise.all(tables.map((table) => ours.app.db.selectFrom(table).selectAll().execute()));
    const stored = JSON.stringify(rows);
    for (const text of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replaceAll('-', ''))]) {
      expect(stored).not.toContain(text);
    }
  });
});

describe('signing in with two factors', () => {
  test('starts no session after the password, and one after the code', async () => {
    const { email, secret, id } = await aCarefulPerson();
    const browser = new Browser(server, { address: '198.51.100.1' });
    const token = await aToken(browser, email);
    expect([...browser.cookies.keys()]).toEqual([]);
    const sessions = ours.app.db.selectFrom('auth_sessions').select('id').where('user_id', '=', id);
    expect(await sessions.execute()).toHaveLength(1);

    const answer = await finish(browser, token, codeOf(secret));
    expect(answer.json()).toEqual({
      accessToken: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
      user: expect.objectContaining({ _id: id, email }),
    });
    expect((await browser.get('/auth/session')).json().user._id).toBe(id);
    expect(await sessions.execute()).toHaveLength(2);
  });

  test('accepts a code of the app once', async () => {
    const { email, secret, browser } = await aCarefulPerson();
    const code = codeOf(secret);
    const [one, other] = [await aToken(browser, email), await aToken(browser, email)];
    const both = await Promise.all([finish(browser, one, code), finish(browser, other, code)]);
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 401]);
    nextStep();
    const replayed = await finish(browser, await aToken(browser, email), code);
    expect([replayed.statusCode, replayed.json().code]).toEqual([401, 'TWO_FACTOR_CODE_WRONG']);
    expect((await finish(browser, await aToken(browser, email), codeOf(secret))).statusCode).toBe(200);
  });

  test('does not accept the code that switched it on again', async () => {
    const { browser, email } = await aPerson();
    const { secret } = (await browser.post('/auth/two-factor/start', { password: testPassword })).json();
    const code = codeOf(secret);
    await browser.post('/auth/two-factor/confirm', { code });
    expect((await finish(browser, await aToken(browser, email), code)).statusCode).toBe(401);
  });

  test('accepts each recovery code once, however it is typed', async () => {
    const { email, recoveryCodes, browser, id } = await aCarefulPerson();
    const [first = '', second = ''] = recoveryCodes;
    expect((await finish(browser, await aToken(browser, email), first)).statusCode).toBe(200);
    expect((await finish(browser, await aToken(browser, email), first)).statusCode).toBe(401);
    const typed = second.toUpperCase().replaceAll('-', ' ');
    expect((await finish(browser, await aToken(browser, email), typed)).statusCode).toBe(200);
    expect((await browser.get('/auth/two-factor')).json().recoveryCodesLeft).toBe(8);
    expect((await eventsOf(id)).filter((event) => event === 'recovery_code_used')).toHaveLength(2);
  });

  test('accepts a token once, for five tries, and for ten minutes', async () => {
    const { email, secret, browser } = await aCarefulPerson();
    const used = await aToken(browser, email);
    expect((await finish(browser, used, codeOf(secret))).statusCode).toBe(200);
    nextStep();
    const again = await finish(browser, used, codeOf(secret));
    expect([again.statusCode, again.json().code]).toEqual([401, 'TWO_FACTOR_TOKEN_INVALID']);

    const tried = await aToken(browser, email);
    const tries = await Promise.all(Array.from({ length: 8 }, () => finish(browser, tried, '000000')));
    const codes = tries.map((answer) => answer.json().code).sort();
    expect(codes).toEqual([...Array(5).fill('TWO_FACTOR_CODE_WRONG'), ...Array(3).fill('TWO_FACTOR_TOKEN_INVALID')]);
    expect((await finish(browser, tried, codeOf(secret))).statusCode).toBe(401);

    const late = await aToken(browser, email);
    clock.advance({ seconds: 600 });
    expect((await finish(browser, late, codeOf(secret))).statusCode).toBe(401);
    expect((await finish(browser, 'made up', codeOf(secret))).statusCode).toBe(401);
  });

  test('does not accept the code of another user', async () => {
    const [ada, eve] = [await aCarefulPerson(), await aCarefulPerson()];
    const token = await aToken(eve.browser, ada.email);
    expect((await finish(eve.browser, token, codeOf(eve.secret))).statusCode).toBe(401);
    expect((await finish(eve.browser, token, eve.recoveryCodes[0]!)).statusCode).toBe(401);
  });

  test('fails for an inactive user as a wrong password does', async () => {
    const { email, secret, browser, id } = await aCarefulPerson();
    const token = await aToken(browser, email);
    await ours.app.db.updateTable('users').set({ is_active: false }).where('id', '=', id).execute();
    expect((await finish(browser, token, codeOf(secret))).json().code).toBe('INVALID_CREDENTIALS');
    expect((await browser.signIn(email, testPassword)).json().code).toBe('INVALID_CREDENTIALS');
  });
});

describe('wrong codes after the right password', () => {
  const wrongCode = '000000';
  const limited = 'TWO_FACTOR_CODES_LIMITED';
  let strangers = 0;
  /** Someone who knows the password, in a place that the account does not know. */
  const aStranger = () => {
    strangers += 1;
    return new Browser(server, { address: `203.0.113.${strangers}` });
  };
  /** Makes this many guesses. Each sign-in uses all its tries concurrently, each from a different address. */
  const guess = async (email: string, times: number) => {
    const codes: string[] = [];
    while (codes.length < times) {
      const browser = aStranger();
      const token = await aToken(browser, email);
      const tries = Array.from({ length: Math.min(5, times - codes.length) }, () => finish(browser, token, wrongCode));
      codes.push(...(await Promise.all(tries)).map((answer) => answer.json().code));
    }
    return codes;
  };
  const tryOnce = async (email: string, code = wrongCode) => {
    const browser = aStranger();
    const answer = await finish(browser, await aToken(browser, email), code);
    return answer.statusCode === 200 ? 200 : [answer.json().code, Number(answer.headers['retry-after'] ?? 0)];
  };
  const mailsTo = (email: string) => queuedMails(ours.app, email, 'wrong_codes');

  test('are limited to ten for an account, from all addresses together, and the owner signs in where they are known', async () => {
    const { email, secret, browser } = await aCarefulPerson();
    const codes = await guess(email, 25);
    expect(codes.filter((code) => code === 'TWO_FACTOR_CODE_WRONG')).toHaveLength(10);
    expect(codes.filter((code) => code === limited)).toHaveLength(15);
    expect((await finish(browser, await aToken(browser, email), codeOf(secret))).statusCode).toBe(200);
    expect(await tryOnce(email), 'a right code ends the wait').toEqual(['TWO_FACTOR_CODE_WRONG', 0]);
  });

  test('are waited for after that: an hour, then twice as long each time, up to a day', async () => {
    const { email } = await aCarefulPerson();
    await guess(email, 10);
    for (const seconds of [3600, 7200, 14_400, 28_800, 57_600, 86_400, 86_400]) {
      expect(await tryOnce(email)).toEqual([limited, seconds]);
      clock.advance({ seconds });
      expect(await tryOnce(email)).toEqual(['TWO_FACTOR_CODE_WRONG', 0]);
    }
  });

  test('do not keep the owner out of a new place: a recovery code signs in there, and a code of the app after it', async () => {
    const { email, secret, recoveryCodes } = await aCarefulPerson();
    await guess(email, 10);
    expect(await tryOnce(email, codeOf(secret))).toEqual([limited, 3600]);
    expect(await tryOnce(email, recoveryCodes[0])).toBe(200);
    expect(await tryOnce(email, codeOf(secret))).toBe(200);
  });

  test('are limited to ten in an hour with a device that signed in before', async () => {
    const { email, secret, browser } = await aCarefulPerson();
    const statuses: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const token = await aToken(browser, email);
      const answers = await Promise.all(Array.from({ length: 5 }, () => finish(browser, token, wrongCode)));
      statuses.push(...answers.map(({ statusCode }) => statusCode));
    }
    expect(statuses.sort()).toEqual([...Array(10).fill(401), ...Array(5).fill(429)]);
    clock.advance({ seconds: 3600 });
    expect((await finish(browser, await aToken(browser, email), codeOf(secret))).statusCode).toBe(200);
  });

  test('are reported to the owner after the fifth, by one mail a day', async () => {
    const { email } = await aCarefulPerson();
    await guess(email, 4);
    expect(await mailsTo(email)).toEqual([]);
    await guess(email, 20);
    expect(await mailsTo(email)).toEqual([
      {
        at: clock.now().toISOString(),
        address: expect.stringMatching(/^203\.0\.113\./),
        device: 'Firefox on Windows',
        resetUrl: expect.stringMatching(/\/forgot-password$/),
      },
    ]);
    clock.advance({ seconds: 86_400 });
    await guess(email, 1);
    expect(await mailsTo(email)).toHaveLength(2);
  });

  test('count with a session and the password too, and are reported', async () => {
    const { browser, email } = await aCarefulPerson();
    // Advance to the start of an hour.
    clock.advance({ seconds: 3600 - ((clock.now().getTime() / 1000) % 3600) });
    const disable = () => browser.post('/auth/two-factor/disable', { password: testPassword, code: wrongCode });
    const replace = () => browser.post('/auth/two-factor/recovery-codes', { password: testPassword, code: wrongCode });
    const answers = await Promise.all(Array.from({ length: 13 }, (_, at) => (at % 2 ? disable() : replace())));
    const statuses = answers.map(({ statusCode }) => statusCode).sort();
    expect(statuses).toEqual([...Array(10).fill(400), ...Array(3).fill(429)]);
    expect(await mailsTo(email)).toHaveLength(1);
    clock.advance({ seconds: 600 });
    expect((await disable()).statusCode, 'counted by the hour').toBe(429);
  });
});

describe('recovery codes', () => {
  test('are replaced with the password and a code, and the earlier ones end', async () => {
    const { browser, email, secret, recoveryCodes, id } = await aCarefulPerson();
    const replace = (body: object) => browser.post('/auth/two-factor/recovery-codes', body);
    const code = codeOf(secret);
    expect((await replace({ password: 'a guess', code })).statusCode).toBe(403);
    expect((await replace({ password: testPassword })).json().code).toBe('TWO_FACTOR_CODE_REQUIRED');
    expect((await replace({ password: testPassword, code: '000000' })).json().code).toBe('TWO_FACTOR_CODE_INVALID');
    const replaced = await replace({ password: testPassword, code });
    expect(replaced.json().recoveryCodes).toHaveLength(10);
    expect((await finish(browser, await aToken(browser, email), recoveryCodes[0]!)).statusCode).toBe(401);
    const [fresh] = replaced.json().recoveryCodes;
    expect((await finish(browser, await aToken(browser, email), fresh)).statusCode).toBe(200);
    expect(await eventsOf(id)).toContain('recovery_codes_replaced');
    expect(await queuedMails(ours.app, email, 'recovery_codes_replaced')).toMatchObject([
      { device: 'Firefox on Windows' },
    ]);
  });
});

describe('switching two-factor sign-in off', () => {
  const disable = (browser: Browser, body: object) => browser.post('/auth/two-factor/disable', body);

  test('takes the password and a code, and then the password signs in', async () => {
    const { browser, email, id, secret } = await aCarefulPerson();
    const code = codeOf(secret);
    expect((await disable(browser, { password: 'a guess', code })).statusCode).toBe(403);
    const without = await disable(browser, { password: testPassword });
    expect([without.statusCode, without.json().code]).toEqual([400, 'TWO_FACTOR_CODE_REQUIRED']);
    const wrong = await disable(browser, { password: testPassword, code: '000000' });
    expect([wrong.statusCode, wrong.json().code]).toEqual([400, 'TWO_FACTOR_CODE_INVALID']);
    expect((await browser.get('/auth/two-factor')).json().enabled).toBe(true);
    expect((await disable(browser, { password: testPassword, code })).statusCode).toBe(200);
    expect((await browser.signIn(email, testPassword)).json()).toHaveProperty('accessToken');
    expect((await disable(browser, { password: testPassword, code })).statusCode).toBe(409);
    expect(await eventsOf(id)).toContain('two_factor_disabled');
    expect(await queuedMails(ours.app, email, 'two_factor_disabled')).toMatchObject([{ byOperator: false }]);
  });

  test('takes a recovery code as well, but no code that was used before', async () => {
    const { browser, email, secret, recoveryCodes } = await aCarefulPerson();
    const [used = '', unused = ''] = recoveryCodes;
    const appCode = codeOf(secret);
    expect((await finish(browser, await aToken(browser, email), used)).statusCode).toBe(200);
    expect((await finish(browser, await aToken(browser, email), appCode)).statusCode).toBe(200);
    for (const code of [used, appCode]) {
      expect((await disable(browser, { password: testPassword, code })).statusCode).toBe(400);
    }
    expect((await disable(browser, { password: testPassword, code: unused })).statusCode).toBe(200);
  });

  test('and replacing the recovery codes cannot both be done with one code at the same moment', async () => {
    const { browser, secret } = await aCarefulPerson();
    const body = { password: testPassword, code: codeOf(secret) };
    const answers = await Promise.all([
      disable(browser, body),
      browser.post('/auth/two-factor/recovery-codes', body),
      disable(browser, body),
    ]);
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  });
});

test('secrets still open after the sealing key was rotated and the old key is gone', async () => {
  const { email, secret } = await aCarefulPerson();
  const [old, current] = [ours.app.sealingKeys.current, sealingKey('ee'.repeat(32))];
  const rotating = { ...ours.app, sealingKeys: { current, previous: [old] } };
  await resealCredentials(rotating);
  expect(await finishRotation(rotating, async (_, idsInUse) => idsInUse)).toEqual([current.id]);
  const later = await testApp({ clock, database: ours.database, sealingKeys: { current, previous: [] } });
  const laterServer = await testServer(later.app, routes);
  const browser = new Browser(laterServer, { address: '203.0.113.5' });
  const { twoFactorToken } = (await browser.signIn(email, testPassword)).json();
  expect((await finish(browser, twoFactorToken, codeOf(secret))).statusCode).toBe(200);
  await laterServer.close();
  await later.close();
});
