import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contractBody } from '../../../../test/support/documents/contract-body.ts';
import { queuedMails, tokenFor } from '../../../../test/support/service/queued-mail.ts';
import { type AccountsStage, accountsStage, withMail } from '../../../../test/support/stages/accounts.ts';
import { createManagedUser, detachUser, listManagedUsers } from '../../accounts/workspace/workspace.ts';
import { operatorActor } from '../../audit/actors.ts';
import { authTasks } from '../tasks.ts';

const byOperator = { owner: operatorActor(), member: operatorActor(), credential: null };

let stage: AccountsStage;
beforeAll(async () => {
  stage = await accountsStage({ ...withMail, SIGN_UP: 'open' });
});
afterAll(() => stage.close());

const password = 'correct horse battery';
const signUp = (email: string, more: object = {}) => stage.post('signup', { email, password, ...more });
const verify = (token: string, more: object = {}) => stage.post('verify-email', { token, ...more });
const tokenTo = (email: string) => tokenFor(stage.app, email, 'verify_email');
const tokensTo = async (email: string) =>
  (await queuedMails(stage.app, email, 'verify_email')).map(
    ({ link }) => new URL(link).searchParams.get('token') ?? '',
  );
const userWith = (email: string) =>
  stage.app.db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();
const sent = { message: 'Open the link in the mail that we have sent to this address.' };
const dead = [400, 'LINK_TOKEN_INVALID'];

describe('signing up where addresses are verified', () => {
  test('from the sign-up by mail to the first sign-in', async () => {
    const answer = await signUp(' Ada@Example.com ', { name: 'Ada' });
    expect([answer.statusCode, answer.json(), answer.headers['set-cookie']]).toEqual([202, sent, undefined]);
    expect(await userWith('ada@example.com')).toBeUndefined();
    const [mail] = await queuedMails(stage.app, 'ada@example.com', 'verify_email');
    expect(mail!.link).toMatch(/^http:\/\/crier\.test\/verify-email\?token=[\w-]{43}$/);
    const verified = await verify(await tokenTo('ada@example.com'));
    expect([verified.statusCode, verified.json()]).toEqual([200, { message: 'The account is ready: sign in.' }]);
    await stage.signIn('ada@example.com', password);
    const user = await userWith('ada@example.com');
    expect(user).toMatchObject({ name: 'Ada', email_verified: true, plan: 'starter', plan_is_default: true });
    expect((await stage.audit(user!.id)).slice(0, 2)).toMatchObject([
      { event: 'signed_up', actor_kind: 'user', address: '127.0.0.1' },
      { event: 'email_verified' },
    ]);
  });

  test('an account that is not verified yet fails to sign in exactly like a wrong password', async () => {
    await signUp('pending@example.com');
    const pending = await stage.post('signin', { email: 'pending@example.com', password });
    const wrong = await stage.post('signin', { email: 'nobody@example.com', password });
    for (const answer of [pending, wrong]) {
      expect([answer.statusCode, contractBody(answer.json())]).toEqual([401, { error: 'Invalid email or password' }]);
    }
  });

  test('a known address gets the same answer in about the same time, and its owner a mail', async () => {
    const { email } = await stage.aUser();
    const timed = async (address: string) => {
      const start = performance.now();
      const { statusCode, body } = await signUp(address);
      return { ms: performance.now() - start, answer: [statusCode, body] };
    };
    const known = [await timed(email), await timed(email), await timed(email)];
    const unknown = [await timed('new1@example.com'), await timed('new2@example.com'), await timed('new3@example.com')];
    expect(new Set([...known, ...unknown].map(({ answer }) => JSON.stringify(answer))).size).toBe(1);
    const fastest = (all: { ms: number }[]) => Math.min(...all.map(({ ms }) => ms));
    // Hashing a password takes about 90 ms, everything else together less than 10.
    const times = [fastest(known), fastest(unknown)];
    expect(Math.max(...times) / Math.min(...times)).toBeLessThan(3);
    expect(await queuedMails(stage.app, email, 'verify_email')).toEqual([]);
    expect(await queuedMails(stage.app, email, 'already_signed_up')).toEqual([
      { signInUrl: 'http://crier.test/', resetUrl: 'http://crier.test/forgot-password' },
    ]);
  });

  test('a password that is refused is refused alike for a known and an unknown address', async () => {
    const { email } = await stage.aUser();
    const answers = [
      await signUp(email, { password: 'sunshine' }),
      await signUp('new4@example.com', { password: 'sunshine' }),
    ];
    expect(answers.map((answer) => [answer.statusCode, answer.json().code])).toEqual([
      [400, 'WEAK_PASSWORD'],
      [400, 'WEAK_PASSWORD'],
    ]);
  });

  test('a sign-up without a password has it chosen with the link, which stays good until then', async () => {
    expect((await signUp('later@example.com', { password: undefined })).statusCode).toBe(202);
    const token = await tokenTo('later@example.com');
    const without = await verify(token);
    expect([without.statusCode, without.json().code]).toEqual([400, 'PASSWORD_REQUIRED']);
    const weak = await verify(token, { password: 'later@example.com' });
    expect([weak.statusCode, weak.json().code]).toEqual([400, 'WEAK_PASSWORD']);
    expect((await verify(token, { password: 'chosen with the link' })).statusCode).toBe(200);
    await stage.signIn('later@example.com', 'chosen with the link');
  });

  test('who signs up with the address of somebody else does not occupy it: the own link counts', async () => {
    await signUp('owner@example.com', { password: 'the squatter chose it' });
    await signUp('owner@example.com', { password: 'the owner chose it' });
    const tokens = await tokensTo('owner@example.com');
    expect((await verify(tokens[1]!)).statusCode).toBe(200);
    await stage.signIn('owner@example.com', 'the owner chose it');
    const late = await verify(tokens[0]!);
    expect([late.statusCode, late.json().code]).toEqual(dead);
  });

  test('a link works once, also for many requests at the same time', async () => {
    await signUp('race@example.com');
    const token = await tokenTo('race@example.com');
    const answers = await Promise.all(Array.from({ length: 4 }, () => verify(token)));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400, 400, 400]);
  });

  test('of two links for one address used at the same time, one works', async () => {
    await signUp('twice@example.com');
    const first = await tokenTo('twice@example.com');
    await signUp('twice@example.com');
    const second = await tokenTo('twice@example.com');
    const answers = await Promise.all([verify(first), verify(second)]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400]);
  });

  test('a link works for a day, and what has expired is deleted', async () => {
    await signUp('late@example.com');
    const token = await tokenTo('late@example.com');
    stage.clock.advance({ seconds: 24 * 3600 });
    const answer = await verify(token);
    expect([answer.statusCode, answer.json().code]).toEqual(dead);
    for (const { run } of authTasks(stage.app)) await run(new AbortController().signal);
    const left = stage.app.db.selectFrom('pending_sign_ups').select('email').where('email', '=', 'late@example.com');
    expect(await left.execute()).toEqual([]);
  });

  test('an address that got an account in the meantime is reported to the holder of the link', async () => {
    await signUp('meanwhile@example.com');
    const token = await tokenTo('meanwhile@example.com');
    await stage.aUser({ email: 'meanwhile@example.com' });
    const answer = await verify(token);
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'EMAIL_TAKEN']);
  });

  test('tokens and passwords are not stored', async () => {
    await signUp('secret@example.com', { password: 'a very secret password' });
    const token = await tokenTo('secret@example.com');
    const { rows } = await stage.app.pool.query<{ text: string }>(
      'select pending_sign_ups::text as text from pending_sign_ups union all select mails::text from mails',
    );
    expect(rows.length).toBeGreaterThan(1);
    expect(rows.filter(({ text }) => text.includes(token) || text.includes('a very secret password'))).toEqual([]);
  });
});

describe('sign-ups of strangers with the address of somebody else', () => {
  const from = (remoteAddress: string, email: string, chosen?: string) => {
    stage.clock.advance({ seconds: 1 });
    const payload = { email, password: chosen };
    return stage.server.inject({ method: 'POST', url: '/api/v1/auth/signup', payload, remoteAddress });
  };
  const pending = (email: string) =>
    stage.app.db.selectFrom('pending_sign_ups').select('token_hash').where('email', '=', email).execute();
  const squatted = 'the squatter chose it';
  /** Full hours, so that the rate limit windows start with the test. */
  const nextHour = () => {
    const ms = stage.clock.now().getTime();
    stage.clock.advance({ seconds: 3600 - Math.floor((ms / 1000) % 3600) });
  };

  test('from one network send five mails an hour, and the own sign-up still sends one', async () => {
    nextHour();
    const email = 'flooded@example.com';
    for (let time = 0; time < 12; time += 1) expect((await from('198.51.100.1', email, squatted)).statusCode).toBe(202);
    expect(await tokensTo(email)).toHaveLength(5);
    expect((await from('192.0.2.7', email)).statusCode).toBe(202);
    expect(await tokensTo(email)).toHaveLength(6);
    nextHour();
    await from('198.51.100.1', email, squatted);
    expect(await tokensTo(email)).toHaveLength(7);
  });

  test('from many networks send ten mails an hour, then one in ten minutes, and the newest ten links work', async () => {
    nextHour();
    const email = 'besieged@example.com';
    for (let at = 0; at < 14; at += 1) await from(`198.51.100.${at}`, email, squatted);
    expect(await tokensTo(email)).toHaveLength(11);
    stage.clock.advance({ seconds: 600 });
    expect((await from('192.0.2.7', email)).statusCode).toBe(202);
    const tokens = await tokensTo(email);
    expect(tokens).toHaveLength(12);
    expect(await pending(email)).toHaveLength(10);
    const statuses = [];
    for (const token of tokens) statuses.push((await stage.open(`/verify-email?token=${token}`)).statusCode);
    expect(statuses).toEqual([404, 404, ...Array(10).fill(200)]);
  });

  test('never give the account their password: whichever link the owner opens, the page asks for one', async () => {
    nextHour();
    const email = 'victim@example.com';
    for (const address of ['198.51.100.1', '198.51.100.2']) await from(address, email, squatted);
    const [token = ''] = await tokensTo(email);
    const page = await stage.open(`/verify-email?token=${token}`);
    expect(page.body).toContain('name="password" type="password"');
    expect((await stage.submit('/verify-email', { token })).statusCode).toBe(400);
    expect(await userWith(email)).toBeUndefined();
    expect((await stage.submit('/verify-email', { token, password: 'the owner chose it' })).statusCode).toBe(200);
    expect((await stage.post('signin', { email, password: squatted })).statusCode).toBe(401);
    await stage.signIn(email, 'the owner chose it');
    expect(await pending(email)).toEqual([]);
  });

  test('at the same moment never leave more than ten waiting', async () => {
    nextHour();
    const email = 'crowded@example.com';
    for (let hour = 0; hour < 2; hour += 1) {
      nextHour();
      await Promise.all(Array.from({ length: 9 }, (_, at) => from(`198.51.100.${at}`, email)));
    }
    expect(await tokensTo(email)).toHaveLength(18);
    expect(await pending(email)).toHaveLength(10);
  });

  test('that are replaced while one is verified do not stop it', async () => {
    nextHour();
    const email = 'busy@example.com';
    for (let at = 0; at < 9; at += 1) await from(`198.51.100.${at}`, email, squatted);
    const tokens = await tokensTo(email);
    nextHour();
    const [verified, ...others] = await Promise.all([
      verify(tokens.at(-1)!, { password: 'the owner chose it' }),
      ...Array.from({ length: 6 }, (_, at) => from(`203.0.113.${at}`, email, squatted)),
    ]);
    expect(verified.statusCode).toBe(200);
    expect(new Set(others.map(({ statusCode }) => statusCode))).toEqual(new Set([202]));
    await stage.signIn(email, 'the owner chose it');
  });
});

test('sign-ups that send mail are limited for each IP address', async () => {
  const limited = await accountsStage({ ...withMail, SIGN_UP: 'open', RATE_LIMITS: '0.05' });
  const sign = (at: number, remoteAddress = '192.0.2.1') =>
    limited.server.inject({
      method: 'POST',
      url: '/api/v1/auth/signup',
      payload: { email: `stranger${at}@example.com`, password },
      remoteAddress,
    });
  for (let at = 0; at < 3; at += 1) {
    expect((await sign(at)).statusCode).toBe(202);
    // Sign-ups are also limited per minute, mails per hour.
    limited.clock.advance({ seconds: 60 });
  }
  const refused = await sign(3);
  expect([refused.statusCode, refused.json().code]).toEqual([429, 'RATE_LIMITED']);
  expect((await sign(4, '192.0.2.2')).statusCode).toBe(202);
  await limited.close();
});

describe('[workspace] the address of a managed user', () => {
  test('goes to the person who verifies it; the managed user keeps its data, and the owner is notified', async () => {
    const owner = await stage.aUser();
    const managed = await createManagedUser(
      stage.app,
      owner.id,
      { username: 'real@example.com', displayName: 'Real' },
      byOperator,
    );
    expect((await signUp('real@example.com')).json()).toEqual(sent);
    expect((await listManagedUsers(stage.app, owner.id))[0]).toMatchObject({ email: 'real@example.com' });
    expect((await verify(await tokenTo('real@example.com'))).statusCode).toBe(200);

    const [kept] = await listManagedUsers(stage.app, owner.id);
    expect(kept).toMatchObject({ id: managed.id, name: 'Real', isActive: true });
    expect(kept!.email).toMatch(/^released-[0-9a-f]{16}@managed\.invalid$/);
    await stage.signIn('real@example.com', password);
    expect((await userWith('real@example.com'))!.id).not.toBe(managed.id);
    expect((await userWith('real@example.com'))!.parent_user_id).toBeNull();
    const released = { name: 'Real', email: 'real@example.com', newEmail: kept!.email };
    expect(await queuedMails(stage.app, owner.email, 'managed_email_released')).toEqual([released]);
    for (const id of [owner.id, managed.id]) {
      expect(await stage.audit(id)).toContainEqual(
        expect.objectContaining({ event: 'email_released', actor_kind: 'system', address: null }),
      );
    }
  });

  test('goes to the person who verifies it also after a detach, and the account from the workspace stays apart', async () => {
    const owner = await stage.aUser();
    const managed = await createManagedUser(stage.app, owner.id, { username: 'left@example.com' }, byOperator);
    await detachUser(stage.app, owner.id, managed.id, byOperator);
    expect((await signUp('left@example.com')).json()).toEqual(sent);
    expect((await verify(await tokenTo('left@example.com'))).statusCode).toBe(200);

    await stage.signIn('left@example.com', password);
    expect((await userWith('left@example.com'))!.id).not.toBe(managed.id);
    const users = stage.app.db.selectFrom('users').select('email').where('id', '=', managed.id);
    expect(await users.execute()).toEqual([
      { email: expect.stringMatching(/^released-[0-9a-f]{16}@managed\.invalid$/) },
    ]);
    expect(await queuedMails(stage.app, owner.email, 'managed_email_released')).toEqual([]);
    expect(await stage.audit(managed.id)).toContainEqual(expect.objectContaining({ event: 'email_released' }));
  });

  test('stays with a member who has a password: that person gets a mail instead', async () => {
    const [owner, member] = [await stage.aUser(), await stage.aUser()];
    const users = stage.app.db.updateTable('users').set({ parent_user_id: owner.id });
    await users.where('id', '=', member.id).execute();
    expect((await signUp(member.email)).statusCode).toBe(202);
    expect(await queuedMails(stage.app, member.email, 'verify_email')).toEqual([]);
    expect(await queuedMails(stage.app, member.email, 'already_signed_up')).toHaveLength(1);
  });
});
