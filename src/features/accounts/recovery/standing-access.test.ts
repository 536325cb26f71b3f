import { createHash, randomBytes } from 'node:crypto';
import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { boxesIn, consentIn } from '../../../../test/support/browser/approve.ts';
import { Authenticator } from '../../../../test/support/browser/authenticator.ts';
import { Browser } from '../../../../test/support/browser/cookies.ts';
import { whileTableIsLocked } from '../../../../test/support/database/locked-table.ts';
import { queuedMails, tokenFor } from '../../../../test/support/service/queued-mail.ts';
import { testPassword } from '../../../../test/support/service/user.ts';
import { type AccountsStage, accountsStage } from '../../../../test/support/stages/accounts.ts';

let stage: AccountsStage;
beforeAll(async () => {
  stage = await accountsStage();
});
afterAll(() => stage.close());

const newPassword = 'copper lantern drifting';

/** A user with a signed-in browser. */
async function aPerson() {
  const user = await stage.aUser();
  const browser = new Browser(stage.server);
  expect((await browser.signIn(user.email, testPassword)).statusCode).toBe(200);
  return { ...user, browser };
}

async function addPasskey(browser: Browser, name = 'Phone') {
  const authenticator = new Authenticator('http://crier.test');
  const { options } = (await browser.post('/auth/passkeys/options')).json();
  return {
    authenticator,
    added: await browser.post('/auth/passkeys', { name, response: authenticator.create(options) }),
  };
}

async function signInWith(authenticator: Authenticator) {
  const browser = new Browser(stage.server);
  const { options } = (await browser.post('/auth/passkeys/sign-in/options')).json();
  return browser.post('/auth/passkeys/sign-in', { response: authenticator.get(options) });
}

/** An application that asks the user for access. */
async function askForApproval(accessToken: string) {
  const redirect_uri = 'http://127.0.0.1/callback';
  const verifier = randomBytes(32).toString('base64url');
  const payload = { redirect_uris: [redirect_uri], client_name: 'Helpful agent', token_endpoint_auth_method: 'none' };
  const { client_id } = (await stage.server.inject({ method: 'POST', url: '/register', payload })).json();
  const query = new URLSearchParams({
    ...{ response_type: 'code', client_id, redirect_uri, code_challenge_method: 'S256' },
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  });
  const headers = { authorization: `Bearer ${accessToken}` };
  const { body } = await stage.server.inject({ url: `/authorize?${query}`, headers });
  const approve = () =>
    stage.server.inject({
      method: 'POST',
      url: '/authorize',
      headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ ...boxesIn(body), consent: consentIn(body), decision: 'approve' }).toString(),
    });
  return { approve, client_id, verifier };
}

/** The tokens of an application that the user has approved. */
async function approveApplication(accessToken: string) {
  const { approve, client_id, verifier } = await askForApproval(accessToken);
  const approved = await approve();
  const code = new URL(String(approved.headers.location)).searchParams.get('code')!;
  const exchange = () =>
    stage.submit('/token', { grant_type: 'authorization_code', client_id, code, code_verifier: verifier });
  const refresh = (refresh_token: string) =>
    stage.submit('/token', { grant_type: 'refresh_token', client_id, refresh_token });
  return { exchange, refresh };
}

const worksAsKey = async (key: string) =>
  (await stage.server.inject({ url: '/api/v1/account-context', headers: { 'x-service-key': key } })).statusCode === 200;

async function resetToken(email: string): Promise<string> {
  await stage.post('password/forgot', { email });
  return tokenFor(stage.app, email, 'reset_password');
}
const reset = async (email: string, more: object = {}) =>
  stage.post('password/reset', { token: await resetToken(email), newPassword, ...more });

/** A user with one of each kind of access, all working. */
async function aWellConnectedPerson() {
  const person = await aPerson();
  const { authenticator } = await addPasskey(person.browser, 'Key of <b>Eve</b>');
  const { exchange, refresh } = await approveApplication(await stage.signIn(person.email));
  const { access_token, refresh_token } = (await exchange()).json();
  const works = async () => ({
    passkey: (await signInWith(authenticator)).statusCode === 200,
    key: await worksAsKey(person.apiKey),
    application: await worksAsKey(access_token),
  });
  expect(await works()).toEqual({ passkey: true, key: true, application: true });
  return { ...person, works, refresh: () => refresh(refresh_token) };
}

test('adding a passkey is mailed to the owner, with the way to end it', async () => {
  const { browser, email } = await aPerson();
  expect((await addPasskey(browser, 'Key ring')).added.statusCode).toBe(200);
  expect(await queuedMails(stage.app, email, 'passkey_added')).toEqual([
    {
      name: 'Key ring',
      at: stage.clock.now().toISOString(),
      address: '192.0.2.1',
      device: 'Firefox on Windows',
      resetUrl: 'http://crier.test/forgot-password',
    },
  ]);
});

test('an API key, an application and a webhook are mailed to the owner who gives them access', async () => {
  const { browser, email } = await aPerson();
  const before = await queuedMails(stage.app, email, 'access_added');
  expect((await browser.post('/auth/api-keys', { name: 'Backup' })).statusCode).toBe(200);
  expect((await browser.post('/auth/generate-api-key')).statusCode).toBe(200);
  const hook = { name: 'Mirror', url: 'https://example.com/hook', events: ['post.published'] };
  expect((await browser.post('/dashboard/webhooks', hook)).statusCode).toBe(201);
  const { exchange, refresh } = await approveApplication(await stage.signIn(email));
  await refresh((await exchange()).json().refresh_token);
  const mails = (await queuedMails(stage.app, email, 'access_added')).slice(before.length);
  expect(mails).toEqual([
    { what: 'API key', name: 'Backup', ...seen('Firefox on Windows') },
    { what: 'API key', name: 'Current key', ...seen('Firefox on Windows') },
    { what: 'webhook', name: 'Mirror', ...seen('Firefox on Windows') },
    { what: 'application', name: expect.any(String), ...seen(expect.any(String)) },
  ]);

  function seen(device: string) {
    const resetUrl = 'http://crier.test/forgot-password';
    return { at: expect.any(String), address: expect.any(String), device, resetUrl };
  }
});

test('many new keys are mailed a few times, so that no one else waits for their mail', async () => {
  const { browser, email } = await aPerson();
  const before = await queuedMails(stage.app, email, 'access_added');
  for (let made = 0; made < 8; made += 1) await browser.post('/auth/generate-api-key');
  expect((await queuedMails(stage.app, email, 'access_added')).length - before.length).toBe(5);
});

describe('a password reset', () => {
  test('that asks for it ends passkeys, API keys and applications, with an entry for each in the audit log', async () => {
    const { id, email, works, refresh } = await aWellConnectedPerson();
    expect((await reset(email, { endAccess: true })).statusCode).toBe(200);
    expect(await works()).toEqual({ passkey: false, key: false, application: false });
    const refreshed = await refresh();
    expect([refreshed.statusCode, refreshed.json().error]).toEqual([400, 'invalid_grant']);
    const events = (await stage.audit(id)).map(({ event, details }) => ({ event, details }));
    expect(events.filter(({ event }) => event === 'passkey_removed')).toHaveLength(1);
    expect(events.filter(({ event }) => event === 'api_key_revoked')).toHaveLength(2);
    expect(events).toContainEqual({
      event: 'password_reset',
      details: expect.objectContaining({ passkeys: 1, apiKeys: 2, webhooks: 0, memberships: 0 }),
    });
    expect((await queuedMails(stage.app, email, 'password_changed')).at(-1)).toMatchObject({ otherAccess: 'ended' });
  });

  test('of a caller that does not ask for it leaves them, and the mail says so', async () => {
    const { email, works } = await aWellConnectedPerson();
    expect((await reset(email)).statusCode).toBe(200);
    expect(await works()).toEqual({ passkey: true, key: true, application: true });
    expect((await queuedMails(stage.app, email, 'password_changed')).at(-1)).toMatchObject({ otherAccess: 'kept' });
  });

  test('leaves what belongs to other users', async () => {
    const [ada, grace] = [await aPerson(), await aWellConnectedPerson()];
    expect((await reset(ada.email, { endAccess: true })).statusCode).toBe(200);
    expect(await grace.works()).toEqual({ passkey: true, key: true, application: true });
  });
});

describe('the page that sets a new password', () => {
  const form = (html: string) => ({ ...boxesIn(html), ...Object.fromEntries(hiddenIn(html)) });
  const hiddenIn = (html: string) =>
    [...html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)].map(([, name, value]) => [name!, value!]);

  test('lists what else opens the account, and ends all of it unless the person unticks the box', async () => {
    const { email, works } = await aWellConnectedPerson();
    const token = await resetToken(email);
    const page = await stage.open(`/reset-password?token=${token}`);
    expect(page.body).toContain('Passkey <strong>Key of &lt;b&gt;Eve&lt;/b&gt;</strong>');
    expect(page.body).toContain('API key <strong>Default</strong>');
    expect(page.body).toMatch(/Application <strong>MCP \(Helpful agent #\w+\)<\/strong>/);
    expect(page.body).toContain('last used on 4 March 2027');
    expect(await works(), 'opening the page changes nothing').toEqual({ passkey: true, key: true, application: true });
    expect(form(page.body)).toEqual({ token, endAccess: 'on' });
    const weak = await stage.submit('/reset-password', { ...form(page.body), newPassword: 'sunshine' });
    expect(form(weak.body)).toEqual({ token, endAccess: 'on' });
    expect((await stage.submit('/reset-password', { ...form(weak.body), newPassword })).statusCode).toBe(200);
    expect(await works()).toEqual({ passkey: false, key: false, application: false });
  });

  test('keeps the choice of a person who needs it, also after a refused password', async () => {
    const { email, works } = await aWellConnectedPerson();
    const token = await resetToken(email);
    const weak = await stage.submit('/reset-password', { token, newPassword: 'sunshine' });
    expect(form(weak.body)).toEqual({ token });
    expect((await stage.submit('/reset-password', { token, newPassword })).statusCode).toBe(200);
    expect(await works()).toEqual({ passkey: true, key: true, application: true });
  });

  test('lists the members of the workspace, who stay', async () => {
    const [owner, member] = [await aPerson(), await aPerson()];
    const { pool } = stage.database;
    await pool.query('delete from api_keys where user_id = any($1)', [[owner.id, member.id]]);
    await pool.query('update users set parent_user_id = $2 where id = $1', [member.id, owner.id]);
    const token = await resetToken(owner.email);
    const page = await stage.open(`/reset-password?token=${token}`);
    expect(page.body).not.toContain('What else has access');
    expect(page.body).toContain('They use your plan and keep their access.');
    expect(page.body).toMatch(new RegExp(`Member <strong>[^<]* \\(${member.email}\\)</strong></li>`));
    expect(form(page.body)).toEqual({ token, endAccess: 'on' });
    expect((await stage.submit('/reset-password', { ...form(page.body), newPassword })).statusCode).toBe(200);
    const { rows } = await pool.query('select parent_user_id from users where id = $1', [member.id]);
    expect(rows).toEqual([{ parent_user_id: owner.id }]);
    // There was nothing to end.
    expect((await queuedMails(stage.app, owner.email, 'password_changed')).at(-1)).not.toHaveProperty('otherAccess');
  });

  test('lists nothing without a link that works', async () => {
    const { email } = await aPerson();
    const token = await resetToken(email);
    await stage.submit('/reset-password', { token, newPassword });
    for (const gone of [token, 'x'.repeat(43), '']) {
      const page = await stage.open(`/reset-password?token=${gone}`);
      expect([page.statusCode, page.body.includes('What else has access')]).toEqual([404, false]);
    }
  });

  test('ends what is added while it is open', async () => {
    const { email, id, browser } = await aPerson();
    await stage.database.pool.query('delete from api_keys where user_id = $1', [id]);
    const token = await resetToken(email);
    const page = await stage.open(`/reset-password?token=${token}`);
    expect(page.body).not.toContain('What else has access');
    const { authenticator } = await addPasskey(browser);
    await stage.submit('/reset-password', { ...form(page.body), newPassword });
    expect((await signInWith(authenticator)).statusCode).toBe(401);
  });
});

test('an approval that was not exchanged ends with the session that gave it', async () => {
  const { email } = await aPerson();
  const stolen = await stage.signIn(email);
  const { exchange } = await approveApplication(stolen);
  expect((await stage.post('signout', {}, stolen)).statusCode).toBe(200);
  const answer = await exchange();
  expect([answer.statusCode, answer.json().error]).toEqual([400, 'invalid_grant']);
});

describe('while a password reset ends everything', () => {
  const during = async (email: string, other: () => Promise<LightMyRequestResponse>) => {
    const token = await resetToken(email);
    const set = () => stage.post('password/reset', { token, newPassword, endAccess: true });
    const [done, answer] = await whileTableIsLocked(stage.database.pool, 'mails', set, other);
    expect(done.statusCode).toBe(200);
    return answer;
  };
  const leftOf = async (userId: string) => {
    const { rows } = await stage.database.pool.query(
      `select from api_keys where user_id = $1 and revoked_at is null union all
       select from auth_passkeys where user_id = $1 union all select from auth_sessions where user_id = $1 union all
       select from attach_tokens where user_id = $1 union all
       select from oauth_codes where user_id = $1 and used_at is null`,
      [userId],
    );
    return rows.length;
  };

  test.each([
    ['/auth/api-keys', { name: 'Late' }],
    ['/auth/generate-api-key', undefined],
    ['/auth/attach-token', undefined],
  ])('no key or token comes from POST %s with a session that ends', async (path, body) => {
    const { id, email, browser } = await aPerson();
    expect((await during(email, () => browser.post(path, body))).statusCode).toBe(401);
    expect(await leftOf(id)).toBe(0);
  });

  test('no passkey is added with a session that ends', async () => {
    const { id, email, browser } = await aPerson();
    const { options } = (await browser.post('/auth/passkeys/options')).json();
    const response = new Authenticator('http://crier.test').create(options);
    const answer = await during(email, () => browser.post('/auth/passkeys', { name: 'Late', response }));
    expect(answer.statusCode).toBe(401);
    expect(await leftOf(id)).toBe(0);
  });

  test('no session comes from a passkey that ends', async () => {
    const { id, email, browser } = await aPerson();
    const { authenticator } = await addPasskey(browser);
    expect((await during(email, () => signInWith(authenticator))).statusCode).toBe(401);
    expect(await leftOf(id)).toBe(0);
  });

  test('no application is let in with a session that ends', async () => {
    const { id, email } = await aPerson();
    const { approve } = await askForApproval(await stage.signIn(email));
    expect((await during(email, approve)).statusCode).toBe(401);
    expect(await leftOf(id)).toBe(0);
  });

  test('no key comes from an approval that ends, or from a refresh token', async () => {
    const { id, email } = await aPerson();
    const approved = await approveApplication(await stage.signIn(email));
    expect((await during(email, approved.exchange)).statusCode).toBe(400);
    expect(await leftOf(id)).toBe(0);

    const grace = await aPerson();
    const granted = await approveApplication(await stage.signIn(grace.email));
    const { refresh_token } = (await granted.exchange()).json();
    expect((await during(grace.email, () => granted.refresh(refresh_token))).statusCode).toBe(400);
    expect(await leftOf(grace.id)).toBe(0);
  });
});

test.each([
  { access: 'kept', endAccess: false, answer: 200 },
  { access: 'ended', endAccess: true, answer: 410 },
])('with other access $access, an open upload URL gets $answer', async ({ endAccess, answer }) => {
  const { email, browser } = await aPerson();
  const file = { fileName: 'logo.png', contentType: 'image/png' };
  const { uploadUrl } = (await browser.post('/media', file)).json();
  const token = await resetToken(email);
  expect((await browser.post('/auth/password/reset', { token, newPassword, endAccess })).statusCode).toBe(200);
  const put = await stage.server.inject({
    method: 'PUT',
    url: uploadUrl.replace(stage.app.publicUrl, ''),
    headers: { 'content-type': 'image/png' },
    payload: Buffer.from('from whoever has the URL'),
  });
  expect(put.statusCode).toBe(answer);
});
