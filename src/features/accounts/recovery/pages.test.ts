import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApp } from '../../../../test/support/service/app.ts';
import { queuedMails, tokenFor } from '../../../../test/support/service/queued-mail.ts';
import { recordedLog } from '../../../../test/support/service/recorded-log.ts';
import { type AccountsStage, accountsStage, withMail } from '../../../../test/support/stages/accounts.ts';
import { buildServer } from '../../../surfaces/server.ts';
import { operatorActor } from '../../audit/actors.ts';
import { invite } from '../../auth/sign-up/invitations.ts';

let stage: AccountsStage;
beforeAll(async () => {
  stage = await accountsStage({ ...withMail, SIGN_UP: 'open' });
});
afterAll(() => stage.close());

const password = 'correct horse battery';
const newest = async (email: string, kind: 'verify_email' | 'reset_password') =>
  (await queuedMails(stage.app, email, kind)).at(-1)!.link;
/** The prefilled fields of a form, as a browser sends them. */
const filledIn = (html: string) =>
  Object.fromEntries(
    [...html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)].map(([, name, value]) => [name!, value!]),
  );
const actionOf = (html: string) => /<form method="post" action="([^"]+)"/.exec(html)?.[1] ?? '';
const alertIn = (html: string) => /role="alert"[^>]*>([^<]*)/.exec(html)?.[1];

describe('the page that a link opens', () => {
  test.each(['/reset-password?token=x', '/forgot-password', '/verify-email?token=x', '/sign-up', '/sign-up?token=x'])(
    '%s cannot be framed, is not stored and tells no other site its address',
    async (url) => {
      const { headers, body } = await stage.open(url);
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex',
        'x-content-type-options': 'nosniff',
      });
      const policy = headers['content-security-policy'];
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("form-action 'self'");
      expect(headers['set-cookie']).toBeUndefined();
      expect(body).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">');
      expect(body).toContain('color-scheme: light dark');
      expect(body).not.toMatch(/<script|onclick|src=/);
    },
  );

  test('sets a new password, after telling what is wrong with a weak one', async () => {
    const { email } = await stage.aUser();
    const asked = await stage.submit('/forgot-password', { email });
    expect([asked.statusCode, asked.body]).toEqual([200, expect.stringContaining('If this address has an account')]);
    const link = await newest(email, 'reset_password');
    const page = await stage.open(link);
    expect(page.body).toContain(email);
    const fields = filledIn(page.body);
    const weak = await stage.submit(actionOf(page.body), { ...fields, newPassword: 'sunshine' });
    expect([weak.statusCode, alertIn(weak.body)]).toEqual([
      400,
      'This password is too easy to guess. It is on a list of common passwords, possibly with digits added. ' +
        'Choose a longer password, such as four unrelated words.',
    ]);
    const short = await stage.submit(actionOf(weak.body), { ...filledIn(weak.body), newPassword: 'short' });
    expect(alertIn(short.body)).toBe('Password must have 8 to 128 characters.');
    const done = await stage.submit(actionOf(short.body), { ...filledIn(short.body), newPassword: password });
    expect([done.statusCode, done.body]).toEqual([200, expect.stringContaining('sign in with your new password')]);
    await stage.signIn(email, password);
  });

  test('opening a link changes nothing, however often a mail scanner does it', async () => {
    const { email } = await stage.aUser();
    await stage.post('password/forgot', { email });
    await stage.post('signup', { email: 'scanned@example.com', password });
    const links = [await newest(email, 'reset_password'), await newest('scanned@example.com', 'verify_email')];
    for (const link of links) {
      for (let time = 0; time < 3; time += 1) expect((await stage.open(link)).statusCode).toBe(200);
      const head = await stage.server.inject({ method: 'HEAD', url: link.replace(stage.app.publicUrl, '') });
      expect(head.statusCode).toBe(200);
    }
    expect((await stage.post('signin', { email: 'scanned@example.com', password })).statusCode).toBe(401);
    const page = await stage.open(links[1]!);
    expect((await stage.submit(actionOf(page.body), { ...filledIn(page.body), password })).statusCode).toBe(200);
    await stage.signIn('scanned@example.com', password);
  });

  test('of a sign-up on the page leads by mail to an account', async () => {
    const form = await stage.open('/sign-up');
    expect(form.body).not.toContain('type="password"');
    const person = { email: 'paper@example.com', name: '<b>Paper</b> & Co' };
    const sent = await stage.submit(actionOf(form.body), person);
    expect([sent.statusCode, sent.body]).toEqual([200, expect.stringContaining('Open the link in the email')]);
    const page = await stage.open(await newest('paper@example.com', 'verify_email'));
    expect(page.body).toContain('<strong>Paper &amp; Co</strong>');
    for (const wrong of [{}, { password: '' }, { password: 'sunshine' }]) {
      const refused = await stage.submit(actionOf(page.body), { ...filledIn(page.body), ...wrong });
      expect([refused.statusCode, alertIn(refused.body)]).toEqual([400, expect.stringContaining('assword')]);
    }
    const done = await stage.submit(actionOf(page.body), { ...filledIn(page.body), password });
    expect([done.statusCode, done.body]).toEqual([200, expect.stringContaining('Your account is ready')]);
    await stage.signIn('paper@example.com', password);
  });

  test('of an invitation makes the account of the address that was invited, whatever the form says', async () => {
    const { link } = await invite(stage.app, { email: 'guest@example.com' }, operatorActor());
    const page = await stage.open(link);
    expect(page.body).toContain('<strong>guest@example.com</strong>');
    const form = { ...filledIn(page.body), email: 'other@example.com', name: 'Guest', password };
    const done = await stage.submit(actionOf(page.body), form);
    expect([done.statusCode, done.headers['set-cookie']]).toEqual([200, undefined]);
    await stage.signIn('guest@example.com', password);
    expect((await stage.open(link)).statusCode).toBe(404);
  });

  test('escapes what a stranger puts into its address', async () => {
    const { email } = await stage.aUser();
    await stage.post('password/forgot', { email });
    const token = await tokenFor(stage.app, email, 'reset_password');
    const html = (await stage.submit('/reset-password', { token, newPassword: '"><script>' })).body;
    expect(html).not.toContain('<script');
    const gone = await stage.open(`/verify-email?token=${encodeURIComponent('"><script>alert(1)</script>')}`);
    expect(gone.body).not.toContain('<script');
  });

  test.each([
    ['/reset-password', 'action="/forgot-password"'],
    ['/verify-email', 'href="/sign-up"'],
    ['/sign-up', 'ask the person who invited you'],
  ])('%s with a link that has expired says so and offers a new one', async (path, offer) => {
    for (const token of ['x'.repeat(43), 'x', '%00']) {
      const page = await stage.open(`${path}?token=${token}`);
      expect([page.statusCode, page.body]).toEqual([404, expect.stringContaining('This link does not work')]);
      expect(page.body).toContain(offer);
    }
    const submitted = await stage.submit(path, { token: 'x'.repeat(43), newPassword: password, password });
    expect([submitted.statusCode, submitted.body]).toEqual([404, expect.stringContaining(offer)]);
  });

  test('says that an address is none', async () => {
    const page = await stage.submit('/forgot-password', { email: 'ada' });
    expect([page.statusCode, alertIn(page.body)]).toEqual([400, 'Invalid email.']);
  });
});

test('where addresses are not verified, the sign-up asks for the password', async () => {
  const trusting = await accountsStage({ SIGN_UP: 'open' });
  const page = await trusting.open('/sign-up');
  expect(page.body).toContain('name="password" type="password"');
  const person = { email: 'direct@example.com', name: '' };
  const refused = await trusting.submit('/sign-up', person);
  expect([refused.statusCode, alertIn(refused.body)]).toEqual([400, 'Password must have 8 to 128 characters.']);
  expect((await trusting.post('signup', person)).json().code).toBe('INVALID_PASSWORD');
  expect((await trusting.submit('/sign-up', { ...person, password })).statusCode).toBe(200);
  await trusting.signIn('direct@example.com', password);
  await trusting.close();
});

test('where sign-up is closed, the page says so and has no form', async () => {
  const closed = await accountsStage({ SIGN_UP: 'invite' });
  const page = await closed.open('/sign-up');
  expect([page.statusCode, alertIn(page.body)]).toEqual([403, expect.stringContaining('by invitation only')]);
  expect(page.body).not.toContain('<form');
  await closed.close();
});

test('the token of a link is not in the log', async () => {
  const { log, lines } = recordedLog();
  const ours = await testApp({ log });
  const server = await buildServer(ours.app);
  await server.inject({ url: '/reset-password?token=a-secret-token-of-a-link' });
  await server.inject({ method: 'POST', url: '/api/v1/auth/password/reset', payload: { token: 'a-secret-token-2' } });
  expect(lines.length).toBeGreaterThan(1);
  expect(JSON.stringify(lines)).not.toContain('a-secret-token');
  await server.close();
  await ours.close();
});
