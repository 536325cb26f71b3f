import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { whileTableIsLocked } from '../../../../test/support/database/locked-table.ts';
import { queuedMails, tokenFor } from '../../../../test/support/service/queued-mail.ts';
import { testPassword } from '../../../../test/support/service/user.ts';
import { type AccountsStage, accountsStage, withMail } from '../../../../test/support/stages/accounts.ts';
import { fromBase32 } from '../../../foundation/lib/base32.ts';
import { totpCode, totpStep } from '../../../foundation/lib/totp.ts';
import { operatorActor } from '../../audit/actors.ts';
import { holdUser } from '../operator/switches.ts';
import { makeResetLink } from '../recovery/password-reset.ts';
import { createManagedUser } from '../workspace/workspace.ts';

let stage: AccountsStage;
beforeAll(async () => {
  stage = await accountsStage(withMail);
});
afterAll(() => stage.close());

const sent = 'If no other account has this address, we have sent it a link. The link works for one hour.';
const ask = (session: string, newEmail: string, password = testPassword) =>
  stage.post('email/change', { newEmail, password }, session);
const tokenTo = (email: string) => tokenFor(stage.app, email, 'confirm_new_email');
const confirm = (token: string) => stage.submit('/confirm-email', { token });
const emailOf = async (id: string) =>
  (await stage.app.db.selectFrom('users').select('email').where('id', '=', id).executeTakeFirstOrThrow()).email;

describe('changing the email address', () => {
  test('from the settings to the first sign-in with the new address', async () => {
    const ada = await stage.aUser();
    const session = await stage.signIn(ada.email);
    const answer = await ask(session, ' Ada@New.example ');
    expect([answer.statusCode, answer.json()]).toEqual([200, { message: sent }]);
    expect(await emailOf(ada.id)).toBe(ada.email);

    const [warned] = await queuedMails(stage.app, ada.email, 'email_change_requested');
    expect(warned).toMatchObject({ newEmail: 'ada@new.example', resetUrl: 'http://crier.test/forgot-password' });

    const token = await tokenTo('ada@new.example');
    const page = await stage.open(`/confirm-email?token=${token}`);
    expect([page.statusCode, page.body]).toEqual([200, expect.stringContaining('ada@new.example')]);
    expect(await emailOf(ada.id), 'opening the link changes nothing').toBe(ada.email);
    expect((await confirm(token)).body).toContain('Email address changed');
    expect(await emailOf(ada.id)).toBe('ada@new.example');
    expect(await stage.isSignedIn(session)).toBe(true);
    await stage.signIn('ada@new.example');
    expect((await stage.post('signin', { email: ada.email, password: testPassword })).statusCode).toBe(401);

    const [mail] = await queuedMails(stage.app, ada.email, 'email_changed');
    expect(mail).toMatchObject({ newEmail: 'ada@new.example' });
    const events = (await stage.audit(ada.id)).map(({ event }) => event);
    expect(events).toEqual(expect.arrayContaining(['email_change_requested', 'email_changed']));
  });

  test('needs a session and its password', async () => {
    const ada = await stage.aUser();
    const session = await stage.signIn(ada.email);
    const wrong = await ask(session, 'thief@example.com', 'not the password');
    expect([wrong.statusCode, wrong.json().code]).toEqual([400, 'CURRENT_PASSWORD_WRONG']);
    expect(
      (await stage.post('email/change', { newEmail: 'thief@example.com', password: testPassword })).statusCode,
    ).toBe(401);
    expect(await queuedMails(stage.app, 'thief@example.com', 'confirm_new_email')).toEqual([]);
  });

  test('needs a code as well if two-factor sign-in is on', async () => {
    const ada = await stage.aUser();
    const session = await stage.signIn(ada.email);
    const { secret } = (await stage.post('two-factor/start', { password: testPassword }, session)).json();
    const codeNow = () => totpCode(fromBase32(secret), totpStep(stage.clock.now()));
    expect((await stage.post('two-factor/confirm', { code: codeNow() }, session)).statusCode).toBe(200);
    stage.clock.advance({ seconds: 30 });
    const attempt = async (more: object) => {
      const body = { newEmail: 'second@factor.example', password: testPassword, ...more };
      const answer = await stage.post('email/change', body, session);
      return [answer.statusCode, answer.json().code];
    };
    expect(await attempt({})).toEqual([400, 'TWO_FACTOR_CODE_REQUIRED']);
    expect(await attempt({ code: '000000' })).toEqual([400, 'TWO_FACTOR_CODE_INVALID']);
    expect(await queuedMails(stage.app, 'second@factor.example', 'confirm_new_email')).toEqual([]);
    expect(await queuedMails(stage.app, ada.email, 'email_change_requested')).toEqual([]);
    const code = codeNow();
    expect(await attempt({ code })).toEqual([200, undefined]);
    expect(await attempt({ code }), 'the code is used up').toEqual([400, 'TWO_FACTOR_CODE_INVALID']);
    expect((await confirm(await tokenTo('second@factor.example'))).statusCode).toBe(200);
  });

  test('to an address that has an account gets the same answer, and nothing happens', async () => {
    const [ada, grace] = [await stage.aUser(), await stage.aUser()];
    const answer = await ask(await stage.signIn(ada.email), grace.email);
    expect([answer.statusCode, answer.json()]).toEqual([200, { message: sent }]);
    expect(await queuedMails(stage.app, grace.email, 'confirm_new_email')).toEqual([]);
    const warned = await queuedMails(stage.app, ada.email, 'email_change_requested');
    expect(warned, 'the mail to the own address does not tell either').toMatchObject([{ newEmail: grace.email }]);
  });

  test('to an address that somebody else takes meanwhile is refused', async () => {
    const ada = await stage.aUser();
    await ask(await stage.signIn(ada.email), 'wanted@example.com');
    const token = await tokenTo('wanted@example.com');
    await stage.aUser({ email: 'wanted@example.com' });
    expect((await confirm(token)).statusCode).toBe(409);
    expect(await emailOf(ada.id)).toBe(ada.email);
  });

  test('takes the address from a managed user whose owner only typed it', async () => {
    const [ada, owner] = [await stage.aUser(), await stage.aUser()];
    await stage.database.pool.query('update users set workspace_enabled = true where id = $1', [owner.id]);
    const by = { owner: operatorActor(), member: operatorActor(), credential: null };
    await createManagedUser(stage.app, owner.id, { username: 'typed@example.com' }, by);
    await ask(await stage.signIn(ada.email), 'typed@example.com');
    expect((await confirm(await tokenTo('typed@example.com'))).statusCode).toBe(200);
    expect(await emailOf(ada.id)).toBe('typed@example.com');
  });

  test('works once, for an hour, and ends the other links', async () => {
    const ada = await stage.aUser();
    const session = await stage.signIn(ada.email);
    await ask(session, 'first@new.example');
    await ask(session, 'second@new.example');
    const [first, second] = [await tokenTo('first@new.example'), await tokenTo('second@new.example')];
    expect((await confirm(second)).statusCode).toBe(200);
    for (const token of [second, first, 'nonsense']) expect((await confirm(token)).statusCode).toBe(404);
    await ask(session, 'late@new.example');
    stage.clock.advance({ seconds: 3600 });
    expect((await confirm(await tokenTo('late@new.example'))).statusCode).toBe(404);
    expect(await emailOf(ada.id)).toBe('second@new.example');
  });

  test('waits until a hold ends', async () => {
    const ada = await stage.aUser();
    await ask(await stage.signIn(ada.email), 'held@new.example');
    const token = await tokenTo('held@new.example');
    const until = new Date(stage.clock.now().getTime() + 60_000);
    await holdUser(stage.app, ada.id, { reason: null, until });
    expect((await stage.open(`/confirm-email?token=${token}`)).statusCode).toBe(404);
    expect((await confirm(token)).statusCode).toBe(404);
    expect(await emailOf(ada.id)).toBe(ada.email);
    stage.clock.advance({ seconds: 60 });
    expect((await confirm(token)).statusCode).toBe(200);
  });

  test('sends at most five mails an hour to one address', async () => {
    const ada = await stage.aUser();
    const session = await stage.signIn(ada.email);
    for (let count = 0; count < 7; count += 1) expect((await ask(session, 'flood@new.example')).statusCode).toBe(200);
    expect(await queuedMails(stage.app, 'flood@new.example', 'confirm_new_email')).toHaveLength(5);
    expect((await ask(session, 'other@new.example')).statusCode).toBe(200);
    expect(await queuedMails(stage.app, 'other@new.example', 'confirm_new_email')).toEqual([]);
  });

  test('sends no more if the links have ended, or if other accounts ask', async () => {
    for (let count = 0; count < 7; count += 1) {
      const { email } = await stage.aUser();
      const session = await stage.signIn(email);
      await ask(session, 'swarm@new.example');
      await stage.post('signout', {}, session);
    }
    expect(await queuedMails(stage.app, 'swarm@new.example', 'confirm_new_email')).toHaveLength(5);

    const { email } = await stage.aUser();
    for (let count = 0; count < 7; count += 1) {
      const session = await stage.signIn(email);
      await ask(session, 'again@new.example');
      await stage.post('signout', {}, session);
    }
    expect(await queuedMails(stage.app, 'again@new.example', 'confirm_new_email')).toHaveLength(5);
    expect(
      await stage.app.db
        .selectFrom('email_changes')
        .select('user_id')
        .where('new_email', '=', 'again@new.example')
        .execute(),
    ).toEqual([]);
  });

  test('ends with the session that asked for it, and not with another', async () => {
    const ada = await stage.aUser();
    const [session, other] = [await stage.signIn(ada.email), await stage.signIn(ada.email)];
    await ask(session, 'ended@thief.example');
    await stage.post('signout', {}, other);
    const page = `/confirm-email?token=${await tokenTo('ended@thief.example')}`;
    expect((await stage.open(page)).statusCode).toBe(200);
    await stage.post('signout', {}, session);
    expect((await confirm(await tokenTo('ended@thief.example'))).statusCode).toBe(404);
    expect(await emailOf(ada.id)).toBe(ada.email);
  });

  test('ends when the password is changed', async () => {
    const ada = await stage.aUser();
    const session = await stage.signIn(ada.email);
    await ask(session, 'changed@thief.example');
    const body = { currentPassword: testPassword, newPassword: 'another long one' };
    expect((await stage.post('password/change', body, session)).statusCode).toBe(200);
    expect((await confirm(await tokenTo('changed@thief.example'))).statusCode).toBe(404);
    expect(await emailOf(ada.id)).toBe(ada.email);
  });

  test.each([
    ['in a mail', (email: string) => stage.post('password/forgot', { email })],
    ['of the operator', (email: string) => makeResetLink(stage.app, email, operatorActor())],
  ])(
    'ends when the password is reset by a link %s, so that a thief cannot reset it at the new address',
    async (_, by) => {
      const ada = await stage.aUser();
      const stolen = `reset-${ada.id}@thief.example`;
      await ask(await stage.signIn(ada.email), stolen);
      const made = await by(ada.email);
      const token =
        'link' in made
          ? new URL(made.link).searchParams.get('token')!
          : await tokenFor(stage.app, ada.email, 'reset_password');
      const reset = await stage.post('password/reset', { token, newPassword: 'another long one' });
      expect(reset.statusCode).toBe(200);
      expect((await confirm(await tokenTo(stolen))).statusCode).toBe(404);
      await stage.post('password/forgot', { email: stolen });
      expect(await queuedMails(stage.app, stolen, 'reset_password')).toEqual([]);
      expect(await emailOf(ada.id)).toBe(ada.email);
    },
  );

  test('of a change and a reset at the same time, one happens', async () => {
    const ada = await stage.aUser();
    await ask(await stage.signIn(ada.email), 'race@thief.example');
    await stage.post('password/forgot', { email: ada.email });
    const reset = await tokenFor(stage.app, ada.email, 'reset_password');
    const change = await tokenTo('race@thief.example');
    const newPassword = 'another long one';
    const [set, confirmed] = await Promise.all([
      stage.post('password/reset', { token: reset, newPassword }),
      confirm(change),
    ]);
    // A confirmed change ends links to the old address, so exactly one of the two succeeds.
    expect([set.statusCode === 200, confirmed.statusCode === 200].sort()).toEqual([false, true]);
    expect(await emailOf(ada.id)).toBe(set.statusCode === 200 ? ada.email : 'race@thief.example');
  });

  test('is refused to somebody whose password was replaced while it was checked', async () => {
    const ada = await stage.aUser();
    const session = await stage.signIn(ada.email);
    await stage.post('password/forgot', { email: ada.email });
    const token = await tokenFor(stage.app, ada.email, 'reset_password');
    const [reset, asked] = await whileTableIsLocked(
      stage.database.pool,
      'mails',
      () => stage.post('password/reset', { token, newPassword: 'another long one' }),
      () => ask(session, 'late@thief.example'),
    );
    expect(reset.statusCode).toBe(200);
    expect([asked.statusCode, asked.json().code]).toEqual([400, 'CURRENT_PASSWORD_WRONG']);
    expect(await queuedMails(stage.app, 'late@thief.example', 'confirm_new_email')).toEqual([]);
  });

  test('gives an address that two users confirm at the same moment to one of them', async () => {
    const [ada, ben] = [await stage.aUser(), await stage.aUser()];
    await ask(await stage.signIn(ada.email), 'wanted@new.example');
    const first = await tokenTo('wanted@new.example');
    await stage.app.db.deleteFrom('mails').where('kind', '=', 'confirm_new_email').execute();
    await ask(await stage.signIn(ben.email), 'wanted@new.example');
    const second = await tokenTo('wanted@new.example');
    const answers = await whileTableIsLocked(
      stage.database.pool,
      'mails',
      () => confirm(first),
      () => confirm(second),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 409]);
  });

  test('sends no link for a new password to the old address at the same moment', async () => {
    const ada = await stage.aUser();
    await ask(await stage.signIn(ada.email), 'moving@new.example');
    const token = await tokenTo('moving@new.example');
    const [confirmed, asked] = await whileTableIsLocked(
      stage.database.pool,
      'mails',
      () => confirm(token),
      () => stage.post('password/forgot', { email: ada.email }),
    );
    expect([confirmed.statusCode, asked.statusCode]).toEqual([200, 200]);
    expect(await queuedMails(stage.app, ada.email, 'reset_password')).toEqual([]);
  });

  test('ends links that would set a new password', async () => {
    const ada = await stage.aUser();
    await stage.post('password/forgot', { email: ada.email });
    const reset = await tokenFor(stage.app, ada.email, 'reset_password');
    await ask(await stage.signIn(ada.email), 'moved@new.example');
    await confirm(await tokenTo('moved@new.example'));
    const answer = await stage.post('password/reset', { token: reset, newPassword: 'another long one' });
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'LINK_TOKEN_INVALID']);
  });
});

test('a Crier that sends no mail says that addresses cannot be changed', async () => {
  const silent = await accountsStage({ NETWORKS: 'live' });
  try {
    const { email } = await silent.aUser();
    const body = { newEmail: 'new@example.com', password: testPassword };
    const answer = await silent.post('email/change', body, await silent.signIn(email));
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'EMAIL_CHANGE_NEEDS_MAIL']);
  } finally {
    await silent.close();
  }
});
