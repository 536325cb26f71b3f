import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { queuedMails, tokenFor } from '../../../../test/support/service/queued-mail.ts';
import { testPassword } from '../../../../test/support/service/user.ts';
import { type AccountsStage, accountsStage } from '../../../../test/support/stages/accounts.ts';
import { operatorActor } from '../../audit/actors.ts';
import { userOfAttachToken } from '../workspace/attach-token.ts';
import { createManagedUser, detachUser } from '../workspace/workspace.ts';
import { forgotPassword, makeResetLink } from './password-reset.ts';

const byOperator = { owner: operatorActor(), member: operatorActor(), credential: null };

let stage: AccountsStage;
beforeAll(async () => {
  stage = await accountsStage();
});
afterAll(() => stage.close());

const newPassword = 'copper lantern drifting';
const forgot = (email: string) => stage.post('password/forgot', { email });
const reset = (token: string, password = newPassword) => stage.post('password/reset', { token, newPassword: password });
const isVerified = async (id: string) =>
  (await stage.app.db.selectFrom('users').select('email_verified').where('id', '=', id).executeTakeFirstOrThrow())
    .email_verified;

describe('a forgotten password', () => {
  test('from the mail to a new password: old sessions and the old password are dead, the address is verified', async () => {
    const ada = await stage.aUser();
    const session = await stage.signIn(ada.email);
    const asked = await forgot(` ${ada.email.toUpperCase()} `);
    expect(asked.statusCode).toBe(200);
    const [mail] = await queuedMails(stage.app, ada.email, 'reset_password');
    expect(mail!.link).toMatch(/^http:\/\/crier\.test\/reset-password\?token=[\w-]{43}$/);
    const answer = await reset(await tokenFor(stage.app, ada.email, 'reset_password'));
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      { message: 'Password changed. All sessions have ended: sign in with the new password.' },
    ]);
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(await stage.isSignedIn(session)).toBe(false);
    expect((await stage.post('signin', { email: ada.email, password: testPassword })).statusCode).toBe(401);
    await stage.signIn(ada.email, newPassword);
    expect(await isVerified(ada.id)).toBe(true);
    expect(await queuedMails(stage.app, ada.email, 'password_changed')).toHaveLength(1);
    expect((await stage.audit(ada.id)).map(({ event }) => event)).toEqual(
      expect.arrayContaining(['password_reset_requested', 'password_reset', 'email_verified']),
    );
  });

  test('sends at most five emails an hour to one person who sends many concurrent requests', async () => {
    const { email } = await stage.aUser();
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => forgotPassword(stage.app, email, { ip: `192.0.2.${index}` })),
    );
    expect(await queuedMails(stage.app, email, 'reset_password')).toHaveLength(5);
  });

  test('sends at most five emails an hour to one person', async () => {
    const { email } = await stage.aUser();
    for (let time = 0; time < 7; time += 1) expect((await forgot(email)).statusCode).toBe(200);
    expect(await queuedMails(stage.app, email, 'reset_password')).toHaveLength(5);
    stage.clock.advance({ seconds: 3600 });
    await forgot(email);
    expect(await queuedMails(stage.app, email, 'reset_password')).toHaveLength(6);
  });

  test('sends nothing to an account that is deactivated', async () => {
    const { id, email } = await stage.aUser();
    await stage.app.db.updateTable('users').set({ is_active: false }).where('id', '=', id).execute();
    expect((await forgot(email)).statusCode).toBe(200);
    expect(await queuedMails(stage.app, email, 'reset_password')).toEqual([]);
  });

  test('refuses an email that is none', async () => {
    expect((await forgot('ada')).json().code).toBe('INVALID_EMAIL');
  });
});

describe('[workspace] a managed user', () => {
  const aManagedUser = async (email: string) => {
    const owner = await stage.aUser();
    return { owner, managed: await createManagedUser(stage.app, owner.id, { username: email }, byOperator) };
  };

  test('has no password, so who reads mail to its address gets no link to its data', async () => {
    await aManagedUser('client@example.com');
    expect((await forgot('client@example.com')).statusCode).toBe(200);
    expect(await queuedMails(stage.app, 'client@example.com', 'reset_password')).toEqual([]);
  });

  test('who was detached has no password either: only a link of the operator sets the first one', async () => {
    const { owner, managed } = await aManagedUser('left@example.com');
    await detachUser(stage.app, owner.id, managed.id, byOperator);
    await forgot('left@example.com');
    expect(await queuedMails(stage.app, 'left@example.com', 'reset_password')).toEqual([]);
    const { link } = await makeResetLink(stage.app, managed.id, operatorActor());
    expect((await reset(new URL(link).searchParams.get('token')!)).statusCode).toBe(200);
    await stage.signIn('left@example.com', newPassword);
    await forgot('left@example.com');
    expect(await queuedMails(stage.app, 'left@example.com', 'reset_password')).toHaveLength(1);
  });

  test('who has a password, because it joined later, can reset it', async () => {
    const [owner, member] = [await stage.aUser(), await stage.aUser()];
    const users = stage.app.db.updateTable('users').set({ parent_user_id: owner.id });
    await users.where('id', '=', member.id).execute();
    await forgot(member.email);
    expect(await queuedMails(stage.app, member.email, 'reset_password')).toHaveLength(1);
  });
});

describe('a link that sets a password', () => {
  const aToken = async () => {
    const user = await stage.aUser();
    await forgot(user.email);
    return { ...user, token: await tokenFor(stage.app, user.email, 'reset_password') };
  };
  const dead = [400, 'LINK_TOKEN_INVALID'];
  const outcome = async (answer: ReturnType<typeof reset>) => {
    const { statusCode, json } = await answer;
    return statusCode === 200 ? [200] : [statusCode, json().code];
  };

  test('works once', async () => {
    const { token } = await aToken();
    expect(await outcome(reset(token))).toEqual([200]);
    expect(await outcome(reset(token, 'yet another password'))).toEqual(dead);
  });

  test('works once, also for many requests at the same time', async () => {
    const { email, token } = await aToken();
    const passwords = ['first of them all', 'second of them all', 'third of them all', 'fourth of them all'];
    const outcomes = await Promise.all(passwords.map((password) => outcome(reset(token, password))));
    expect(outcomes.filter(([status]) => status === 200)).toHaveLength(1);
    const winner = passwords[outcomes.findIndex(([status]) => status === 200)]!;
    await stage.signIn(email, winner);
  });

  test('ends all other links of the user, also when two are used at the same time', async () => {
    const { email, token } = await aToken();
    await forgot(email);
    const second = await tokenFor(stage.app, email, 'reset_password');
    const outcomes = await Promise.all([outcome(reset(token)), outcome(reset(second))]);
    expect(outcomes).toContainEqual([200]);
    expect(outcomes).toContainEqual(dead);
  });

  test('ends a token for joining a workspace, which somebody who knew the old password may have made', async () => {
    const { id, email, token } = await aToken();
    const made = await stage.post('attach-token', {}, await stage.signIn(email));
    const { attachToken } = made.json();
    expect(await userOfAttachToken(stage.app, attachToken)).toBe(id);
    expect(await outcome(reset(token))).toEqual([200]);
    expect(await userOfAttachToken(stage.app, attachToken)).toBeNull();
  });

  test('works for an hour', async () => {
    const [early, late] = [await aToken(), await aToken()];
    stage.clock.advance({ seconds: 3500 });
    expect(await outcome(reset(early.token))).toEqual([200]);
    stage.clock.advance({ seconds: 100 });
    expect(await outcome(reset(late.token))).toEqual(dead);
  });

  test('still works after a password that is refused', async () => {
    const { email, token } = await aToken();
    expect(await outcome(reset(token, 'short'))).toEqual([400, 'INVALID_PASSWORD']);
    expect(await outcome(reset(token, 'sunshine'))).toEqual([400, 'WEAK_PASSWORD']);
    expect(await outcome(reset(token, email))).toEqual([400, 'WEAK_PASSWORD']);
    expect(await outcome(reset(token))).toEqual([200]);
  });

  test('does not work for an account that was deactivated', async () => {
    const { id, token } = await aToken();
    await stage.app.db.updateTable('users').set({ is_active: false }).where('id', '=', id).execute();
    expect(await outcome(reset(token))).toEqual(dead);
  });

  test.each(['', 'x', 'x'.repeat(43), 'x'.repeat(201), '%00'])('is not %j', async (token) => {
    expect(await outcome(reset(token))).toEqual(dead);
  });

  test('is stored as a hash only, and sealed in the mail', async () => {
    const { token } = await aToken();
    const { rows } = await stage.app.pool.query<{ text: string }>(
      'select password_resets::text as text from password_resets union all select mails::text from mails',
    );
    expect(rows.length).toBeGreaterThan(1);
    expect(rows.filter(({ text }) => text.includes(token))).toEqual([]);
  });

  test('can be made by the operator, and then does not verify the address', async () => {
    const { id, email } = await stage.aUser();
    const { link, userId } = await makeResetLink(stage.app, email, operatorActor());
    expect(userId).toBe(id);
    expect(await queuedMails(stage.app, email, 'reset_password')).toEqual([]);
    expect(await outcome(reset(new URL(link).searchParams.get('token')!))).toEqual([200]);
    expect(await isVerified(id)).toBe(false);
    const asked = { event: 'password_reset_requested', actor_kind: 'operator' };
    expect(await stage.audit(id)).toEqual(expect.arrayContaining([expect.objectContaining(asked)]));
  });
});

test('without a mail server the answer says whom to ask, for every address', async () => {
  const live = await accountsStage({ NETWORKS: 'live' });
  const { email } = await live.aUser();
  const answers = [
    await live.post('password/forgot', { email }),
    await live.post('password/forgot', { email: 'no@example.com' }),
  ];
  for (const answer of answers) {
    expect(answer.json().message).toContain('npm run admin -- reset-password');
  }
  expect(await live.app.db.selectFrom('password_resets').select('user_id').execute()).toEqual([]);
  await live.close();
});

test('too many requests from one IP address get 429, whatever the email', async () => {
  const limited = await accountsStage({ RATE_LIMITS: '0.05' });
  const ask = (email: string, remoteAddress: string) =>
    limited.server.inject({ method: 'POST', url: '/api/v1/auth/password/forgot', payload: { email }, remoteAddress });
  for (const email of ['one@example.com', 'two@example.com', 'three@example.com']) {
    expect((await ask(email, '192.0.2.1')).statusCode).toBe(200);
  }
  const refused = await ask('four@example.com', '192.0.2.1');
  expect([refused.statusCode, refused.json().code]).toEqual([429, 'RATE_LIMITED']);
  expect((await ask('four@example.com', '192.0.2.2')).statusCode).toBe(200);
  const page = await limited.server.inject({
    method: 'POST',
    url: '/forgot-password',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'email=five%40example.com',
    remoteAddress: '192.0.2.1',
  });
  expect(page.statusCode).toBe(429);
  await limited.close();
});
