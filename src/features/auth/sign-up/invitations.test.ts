import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { queuedMails } from '../../../../test/support/service/queued-mail.ts';
import { type AccountsStage, accountsStage, withMail } from '../../../../test/support/stages/accounts.ts';
import type { PlanKey } from '../../../config/plans.ts';
import { createManagedUser, listManagedUsers } from '../../accounts/workspace/workspace.ts';
import { operatorActor } from '../../audit/actors.ts';
import { invite } from './invitations.ts';
import { signUp as signUpTo } from './sign-up.ts';

const byOperator = { owner: operatorActor(), member: operatorActor(), credential: null };

let stage: AccountsStage;
beforeAll(async () => {
  stage = await accountsStage({ ...withMail, SIGN_UP: 'invite' });
});
afterAll(() => stage.close());

const password = 'correct horse battery';
const invited = async (email: string, plan?: PlanKey) => {
  const made = await invite(stage.app, { email, plan }, operatorActor());
  return { ...made, token: new URL(made.link).searchParams.get('token')! };
};
const signUp = (email: string, token: string, more: object = {}) =>
  stage.post('signup', { email, password, token, ...more });
const dead = [400, 'LINK_TOKEN_INVALID'];

describe('an invitation', () => {
  test('from the mail to an account on its plan, with a verified address, signed in', async () => {
    const { link, token, expiresAt, isMailed } = await invited(' Ada@Example.com ', 'agency');
    expect([isMailed, expiresAt.getTime() - stage.clock.now().getTime()]).toEqual([true, 7 * 24 * 3_600_000]);
    expect(await queuedMails(stage.app, 'ada@example.com', 'invitation')).toEqual([
      { link, expiresAt: expiresAt.toISOString() },
    ]);
    const answer = await signUp('ada@example.com', token, { name: 'Ada' });
    expect([answer.statusCode, answer.json().user]).toMatchObject([200, { name: 'Ada', plan: 'agency' }]);
    expect(await stage.isSignedIn(answer.json().accessToken)).toBe(true);
    const id = answer.json().user._id;
    const users = stage.app.db.selectFrom('users').select(['email_verified', 'plan_is_default']);
    expect(await users.where('id', '=', id).executeTakeFirst()).toEqual({
      email_verified: true,
      plan_is_default: false,
    });
    expect((await stage.audit(id)).slice(0, 3)).toMatchObject([
      { event: 'invited', actor_kind: 'operator', details: { email: 'ada@example.com', plan: 'agency' } },
      { event: 'signed_up', actor_kind: 'user' },
      { event: 'email_verified' },
    ]);
  });

  test('without a plan gives the default plan', async () => {
    const { token } = await invited('default@example.com');
    expect((await signUp('default@example.com', token)).json().user.plan).toBe('starter');
  });

  test('works once, also for many requests at the same time', async () => {
    const { token } = await invited('race@example.com');
    const answers = await Promise.all(Array.from({ length: 4 }, () => signUp('race@example.com', token)));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400, 400, 400]);
  });

  test('is for its address only', async () => {
    const { token } = await invited('meant@example.com');
    const answer = await signUp('other@example.com', token);
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'INVITATION_FOR_OTHER_EMAIL']);
    expect((await signUp('meant@example.com', token)).statusCode).toBe(200);
  });

  test('still works after a password that is refused', async () => {
    const { token } = await invited('weak@example.com');
    const answer = await signUp('weak@example.com', token, { password: 'sunshine' });
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'WEAK_PASSWORD']);
    expect((await signUp('weak@example.com', token)).statusCode).toBe(200);
  });

  test('works for seven days', async () => {
    const { token } = await invited('late@example.com');
    stage.clock.advance({ seconds: 7 * 24 * 3600 });
    const answer = await signUp('late@example.com', token);
    expect([answer.statusCode, answer.json().code]).toEqual(dead);
  });

  test('is replaced by a later one for the same address', async () => {
    const first = await invited('again@example.com');
    const second = await invited('again@example.com');
    const answer = await signUp('again@example.com', first.token);
    expect([answer.statusCode, answer.json().code]).toEqual(dead);
    expect((await signUp('again@example.com', second.token)).statusCode).toBe(200);
  });

  test('cannot be sent to an address that has an account', async () => {
    const { email } = await stage.aUser();
    await expect(invited(email)).rejects.toMatchObject({ key: 'email_taken' });
  });

  test('cannot be sent to what is no address', async () => {
    await expect(invited('ada')).rejects.toMatchObject({ key: 'invalid_email' });
  });

  test('takes the address from a managed user, which keeps its data', async () => {
    const owner = await stage.aUser();
    await createManagedUser(stage.app, owner.id, { username: 'managed@example.com' }, byOperator);
    const { token } = await invited('managed@example.com');
    expect((await signUp('managed@example.com', token)).statusCode).toBe(200);
    expect((await listManagedUsers(stage.app, owner.id))[0]!.email).toMatch(/@managed\.invalid$/);
  });

  test('is stored as a hash only', async () => {
    const { token } = await invited('hashed@example.com');
    const { rows } = await stage.app.pool.query<{ text: string }>(
      'select invitations::text as text from invitations union all select mails::text from mails',
    );
    expect(rows.length).toBeGreaterThan(1);
    expect(rows.filter(({ text }) => text.includes(token))).toEqual([]);
  });
});

test('with SIGN_UP=closed an earlier invitation does not work', async () => {
  const { token } = await invited('closed@example.com');
  const closed = { ...stage.app, config: { ...stage.app.config, signUp: 'closed' as const } };
  await expect(invite(closed, { email: 'x@example.com' }, operatorActor())).rejects.toMatchObject({
    key: 'sign_up_closed',
  });
  const person = { email: 'closed@example.com', password, token };
  await expect(signUpTo(closed, person, { ip: '192.0.2.1' })).rejects.toMatchObject({ key: 'sign_up_closed' });
});

test('without a mail server the link is only printed, and it works in live mode after the first user', async () => {
  const live = await accountsStage({ NETWORKS: 'live' });
  await live.aUser();
  const { link, isMailed } = await invite(live.app, { email: 'ada@example.com' }, operatorActor());
  expect([isMailed, await queuedMails(live.app, 'ada@example.com', 'invitation')]).toEqual([false, []]);
  const token = new URL(link).searchParams.get('token');
  expect((await live.post('signup', { email: 'ada@example.com', password, token })).statusCode).toBe(200);
  await live.close();
});
