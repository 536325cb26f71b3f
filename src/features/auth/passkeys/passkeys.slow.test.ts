import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Authenticator } from '../../../../test/support/browser/authenticator.ts';
import { Browser } from '../../../../test/support/browser/cookies.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { type TestApp, testApp, testClock, testServer } from '../../../../test/support/service/app.ts';
import { insertTestUser, testPassword } from '../../../../test/support/service/user.ts';
import type { Server } from '../../../foundation/http/server.ts';
import { sessionRoutes } from '../sign-in/routes.ts';
import { twoFactorRoutes } from '../two-factor/routes.ts';
import { passkeyRoutes } from './routes.ts';

const origin = 'http://crier.test';
const clock = testClock();
let ours: TestApp;
let server: Server;
beforeAll(async () => {
  ours = await testApp({ clock, publicUrl: origin });
  server = await testServer(ours.app, (api, app) => {
    sessionRoutes(api, app);
    twoFactorRoutes(api, app);
    passkeyRoutes(api, app);
  });
});
afterAll(async () => {
  await server.close();
  await ours.close();
});

let people = 0;
/** A signed-in user with a browser. */
async function aPerson() {
  people += 1;
  const email = `person${people}@example.com`;
  const { id } = await insertTestUser(ours.app, { email, plan: 'pro' });
  const browser = new Browser(server);
  await browser.signIn(email, testPassword);
  return { id, email, browser };
}

const creationOptions = async (browser: Browser) => (await browser.post('/auth/passkeys/options')).json().options;
const signInOptions = async (browser: Browser) => (await browser.post('/auth/passkeys/sign-in/options')).json().options;
const add = (browser: Browser, response: object) => browser.post('/auth/passkeys', { name: 'Phone', response });
const signIn = (browser: Browser, response: object) => browser.post('/auth/passkeys/sign-in', { response });

/** A user with a passkey. */
async function aPasskey() {
  const person = await aPerson();
  const authenticator = new Authenticator(origin);
  const added = await add(person.browser, authenticator.create(await creationOptions(person.browser)));
  expect(added.statusCode).toBe(200);
  return { ...person, authenticator, passkeyId: added.json().passkey._id as string };
}

const eventsOf = async (userId: string) => {
  const rows = await ours.app.db
    .selectFrom('audit_log')
    .select(['event', 'details'])
    .where('user_id', '=', userId)
    // The test's own setup is recorded as the system's.
    .where('actor_kind', '<>', 'system')
    .orderBy('id')
    .execute();
  return rows.map(({ event, details }) => ({ event, details }));
};

describe('a passkey', () => {
  test('is listed, renamed and removed and only by its user', async () => {
    const { browser, passkeyId, id } = await aPasskey();
    const listed = await browser.get('/auth/passkeys');
    const passkey = { _id: passkeyId, name: 'Phone', createdAt: expect.any(String), lastUsedAt: null, synced: false };
    expect(listed.json()).toEqual({ passkeys: [passkey] });

    const { browser: stranger } = await aPerson();
    expect((await stranger.request('PATCH', `/auth/passkeys/${passkeyId}`, { name: 'Mine' })).statusCode).toBe(404);
    expect((await stranger.delete(`/auth/passkeys/${passkeyId}`)).statusCode).toBe(404);

    const renamed = await browser.request('PATCH', `/auth/passkeys/${passkeyId}`, { name: 'Key ring' });
    expect(renamed.json()).toEqual({ passkey: { ...passkey, name: 'Key ring' } });
    expect((await browser.delete(`/auth/passkeys/${passkeyId}`)).statusCode).toBe(200);
    expect((await browser.get('/auth/passkeys')).json()).toEqual({ passkeys: [] });
    expect(await eventsOf(id)).toEqual([
      { event: 'signed_in', details: { method: 'password', device: 'Firefox on Windows' } },
      { event: 'passkey_added', details: { name: 'Phone' } },
      { event: 'passkey_removed', details: { name: 'Key ring' } },
    ]);
  });

  test('signs in without a password', async () => {
    const { authenticator, id, email } = await aPasskey();
    const browser = new Browser(server);
    const options = await signInOptions(browser);
    expect(options).toMatchObject({ rpId: 'crier.test', userVerification: 'required' });
    expect(options.allowCredentials ?? []).toEqual([]);
    const answer = await signIn(browser, authenticator.get(options));
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      { accessToken: expect.any(String), user: expect.objectContaining({ _id: id, email }) },
    ]);
    expect((await browser.get('/auth/session')).json().user._id).toBe(id);
    expect((await browser.get('/auth/passkeys')).json().passkeys[0].lastUsedAt).toBe(clock.now().toISOString());
    expect((await eventsOf(id)).at(-1)).toMatchObject({ event: 'signed_in', details: { method: 'passkey' } });
  });

  test('counts as two factors: no code is asked for', async () => {
    const { authenticator, id } = await aPasskey();
    await ours.app.db
      .insertInto('two_factors')
      .values({ user_id: id, secret: 'unused', created_at: clock.now(), confirmed_at: clock.now() })
      .execute();
    const browser = new Browser(server);
    const answer = await signIn(browser, authenticator.get(await signInOptions(browser)));
    expect([answer.statusCode, Object.keys(answer.json())]).toEqual([200, ['accessToken', 'user']]);
  });

  test('that is removed does not sign in', async () => {
    const { authenticator, browser, passkeyId } = await aPasskey();
    await browser.delete(`/auth/passkeys/${passkeyId}`);
    const elsewhere = new Browser(server);
    expect((await signIn(elsewhere, authenticator.get(await signInOptions(elsewhere)))).statusCode).toBe(401);
  });

  test('of a user who is inactive does not sign in', async () => {
    const { authenticator, id } = await aPasskey();
    await ours.app.db.updateTable('users').set({ is_active: false }).where('id', '=', id).execute();
    const browser = new Browser(server);
    expect((await signIn(browser, authenticator.get(await signInOptions(browser)))).statusCode).toBe(401);
    expect(browser.cookies.has('crier.session_token')).toBe(false);
  });
});

describe('adding a passkey is refused', () => {
  const refused = { error: 'The passkey could not be verified', code: 'PASSKEY_REFUSED' };
  test.each([
    ['made for another origin', { origin: 'http://evil.test' }],
    ['made for another host', { rpId: 'evil.test' }],
    ['that did not verify its user', { userVerified: false }],
  ])('for one %s', async (_, wrong) => {
    const { browser } = await aPerson();
    const answer = await add(browser, new Authenticator(origin).create(await creationOptions(browser), wrong));
    expect([answer.statusCode, answer.json()]).toEqual([400, expect.objectContaining(refused)]);
    expect((await browser.get('/auth/passkeys')).json()).toEqual({ passkeys: [] });
  });

  test('with a challenge that was used, that is made up, or that is for a sign-in', async () => {
    const { browser } = await aPerson();
    const options = await creationOptions(browser);
    const cookies = new Map(browser.cookies);
    expect((await add(browser, new Authenticator(origin).create(options))).statusCode).toBe(200);
    for (const [name, value] of cookies) browser.cookies.set(name, value);
    expect((await add(browser, new Authenticator(origin).create(options))).statusCode).toBe(400);
    await creationOptions(browser);
    const challenge = Buffer.from('made up').toString('base64url');
    expect((await add(browser, new Authenticator(origin).create({ challenge }))).statusCode).toBe(400);
    expect((await add(browser, new Authenticator(origin).create(await signInOptions(browser)))).statusCode).toBe(400);
  });

  test('if there would be more than 20, also if several are added at the same time', async () => {
    const { id, email, browser } = await aPerson();
    await sql`insert into auth_passkeys (id, user_id, name, credential_id, public_key, counter, device_type, backed_up)
      select ${id} || '-' || number, ${id}, 'Phone', ${id} || number, 'none', 0, 'singleDevice', false
      from generate_series(1, 19) as number`.execute(ours.app.db);
    const browsers: Browser[] = [browser];
    for (let count = 1; count < 7; count += 1) {
      const another = new Browser(server);
      await another.signIn(email, testPassword);
      browsers.push(another);
    }
    const responses: object[] = [];
    for (const one of browsers) responses.push(new Authenticator(origin).create(await creationOptions(one)));
    const answers = await Promise.all(browsers.map((one, i) => add(one, responses[i]!)));
    expect(new Set(answers.map(({ statusCode }) => statusCode)).isSubsetOf(new Set([200, 400]))).toBe(true);
    const refusedOnes = answers.filter(({ statusCode }) => statusCode === 400);
    expect(refusedOnes.map((answer) => answer.json().code)).toEqual(refusedOnes.map(() => 'PASSKEY_LIMIT'));
    const { passkeys } = (await browser.get('/auth/passkeys')).json();
    expect(passkeys.length).toBeLessThanOrEqual(20);
    expect(passkeys).toHaveLength(19 + 7 - refusedOnes.length);
  });

  test('with the challenge of another user', async () => {
    const [ada, eve] = [await aPerson(), await aPerson()];
    const options = await creationOptions(ada.browser);
    const name = 'crier.passkey_challenge';
    eve.browser.cookies.set(name, ada.browser.cookies.get(name)!);
    expect((await add(eve.browser, new Authenticator(origin).create(options))).statusCode).toBe(400);
  });

  test('with the credential id of another user, whose passkey goes on working', async () => {
    const ada = await aPasskey();
    const { browser: eve } = await aPerson();
    const copy = new Authenticator(origin, { credentialId: ada.authenticator.credentialId });
    expect((await add(eve, copy.create(await creationOptions(eve)))).statusCode).toBe(400);
    const browser = new Browser(server);
    const answer = await signIn(browser, ada.authenticator.get(await signInOptions(browser)));
    expect(answer.json().user._id).toBe(ada.id);
  });

  test('if the session ends meanwhile, and a session that began with the passkey ends too', async () => {
    const { browser, id } = await aPerson();
    const response = new Authenticator(origin).create(await creationOptions(browser));
    const passkeys = ours.app.db.selectFrom('auth_passkeys').select('id').where('user_id', '=', id);
    const holder = await ours.database.pool.connect();
    await holder.query('begin');
    await holder.query('select from users where id = $1 for no key update', [id]);
    const adding = add(browser, response);
    await eventually(async () => expect(await passkeys.execute()).toHaveLength(1));
    // The owner ends all sessions, and the thief signs in with the new passkey.
    await holder.query('delete from auth_sessions where user_id = $1', [id]);
    await holder.query('update auth_passkeys set last_used_at = now() where user_id = $1', [id]);
    await holder.query(
      `insert into auth_sessions (id, user_id, token, expires_at, created_at)
      values ('begun with it', $1, $2, now() + interval '1 day', $3)`,
      [id, 'a'.repeat(64), clock.now()],
    );
    await holder.query('commit');
    holder.release();
    expect((await adding).statusCode).toBe(401);
    expect(await passkeys.execute()).toEqual([]);
    const sessions = ours.app.db.selectFrom('auth_sessions').select('id').where('user_id', '=', id);
    expect(await sessions.execute()).toEqual([]);
  });

  test('if the sign-in is more than an hour ago', async () => {
    const { browser } = await aPerson();
    clock.advance({ seconds: 3601 });
    const answer = await browser.post('/auth/passkeys/options');
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'RECENT_SIGN_IN_REQUIRED']);
    expect((await add(browser, new Authenticator(origin).create({ challenge: 'x' }))).statusCode).toBe(403);
  });

  test.each([
    ['nothing', undefined],
    ['a text', 'text'],
    ['an empty object', {}],
    ['numbers for texts', { id: 1, rawId: 1, type: 'public-key', response: { clientDataJSON: 1 } }],
  ])('for %s', async (_, response) => {
    const { browser } = await aPerson();
    const answer = await browser.post('/auth/passkeys', { response });
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'PASSKEY_RESPONSE_REQUIRED']);
  });
});

describe('a sign-in with a passkey is refused', () => {
  const failed = { error: 'Sign-in with this passkey failed', code: 'PASSKEY_SIGN_IN_FAILED' };
  test.each([
    ['for another origin', { origin: 'http://evil.test' }],
    ['for another host', { rpId: 'evil.test' }],
    ['without a verified user', { userVerified: false }],
  ])('%s', async (_, wrong) => {
    const { authenticator } = await aPasskey();
    const browser = new Browser(server);
    const answer = await signIn(browser, authenticator.get(await signInOptions(browser), wrong));
    expect([answer.statusCode, answer.json()]).toEqual([401, expect.objectContaining(failed)]);
    expect(browser.cookies.has('crier.session_token')).toBe(false);
  });

  test('if the same answer is sent again', async () => {
    const { authenticator } = await aPasskey();
    const browser = new Browser(server);
    const answer = authenticator.get(await signInOptions(browser));
    const cookies = new Map(browser.cookies);
    expect((await signIn(browser, answer)).statusCode).toBe(200);
    const thief = new Browser(server);
    for (const [name, value] of cookies) thief.cookies.set(name, value);
    expect((await signIn(thief, answer)).statusCode).toBe(401);
    // It does not match the thief's challenge either.
    await signInOptions(thief);
    expect((await signIn(thief, answer)).statusCode).toBe(401);
  });

  test('if the counter went back, as that of a copy does', async () => {
    const { authenticator } = await aPasskey();
    const browser = new Browser(server);
    authenticator.counter = 10;
    expect((await signIn(browser, authenticator.get(await signInOptions(browser)))).statusCode).toBe(200);
    const copy = new Browser(server);
    const answer = authenticator.get(await signInOptions(copy), { counter: 5 });
    expect((await signIn(copy, answer)).statusCode).toBe(401);
  });

  test('with the credential id of another user and a key of one’s own', async () => {
    const ada = await aPasskey();
    const forged = new Authenticator(origin, { credentialId: ada.authenticator.credentialId });
    const browser = new Browser(server);
    expect((await signIn(browser, forged.get(await signInOptions(browser)))).statusCode).toBe(401);
  });

  test('with an unknown passkey, as with a wrong signature', async () => {
    const browser = new Browser(server);
    const answer = await signIn(browser, new Authenticator(origin).get(await signInOptions(browser)));
    expect([answer.statusCode, answer.json()]).toEqual([401, expect.objectContaining(failed)]);
  });

  test('after 100 wrong ones in ten minutes from an address', async () => {
    const browser = new Browser(server, { address: '198.51.100.9' });
    const response = new Authenticator(origin).get({ challenge: 'x' });
    const wrong = await Promise.all(Array.from({ length: 100 }, () => signIn(browser, response)));
    expect(new Set(wrong.map(({ statusCode }) => statusCode))).toEqual(new Set([401]));
    expect((await signIn(browser, response)).statusCode).toBe(429);
  });
});
