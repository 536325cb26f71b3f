import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contractBody } from '../../../../test/support/documents/contract-body.ts';
import { queuedMails, tokenFor } from '../../../../test/support/service/queued-mail.ts';
import { testPassword } from '../../../../test/support/service/user.ts';
import { type AccountsStage, accountsStage } from '../../../../test/support/stages/accounts.ts';
import type { CurrentSession } from '../../auth/access/session.ts';
import { changePassword } from './password-change.ts';

let stage: AccountsStage;
beforeAll(async () => {
  stage = await accountsStage();
});
afterAll(() => stage.close());

const newPassword = 'copper lantern drifting';

describe('changing the password', () => {
  test('ends all other sessions, keeps this one, tells the owner by mail and in the audit log', async () => {
    const ada = await stage.aUser();
    const [here, there] = [await stage.signIn(ada.email), await stage.signIn(ada.email)];
    const answer = await stage.post('password/change', { currentPassword: testPassword, newPassword }, here);
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      { message: 'Password changed. All other sessions have ended.' },
    ]);
    expect([await stage.isSignedIn(here), await stage.isSignedIn(there)]).toEqual([true, false]);
    expect((await stage.post('signin', { email: ada.email, password: testPassword })).statusCode).toBe(401);
    await stage.signIn(ada.email, newPassword);
    expect(await queuedMails(stage.app, ada.email, 'password_changed')).toHaveLength(1);
    expect(await stage.audit(ada.id)).toContainEqual(
      expect.objectContaining({ event: 'password_changed', actor_kind: 'user', address: '127.0.0.1' }),
    );
  });

  test('is refused to a session that ended while the request was on its way', async () => {
    const { id: userId, email } = await stage.aUser();
    await stage.signIn(email);
    const { id: sessionId } = await stage.app.db
      .deleteFrom('auth_sessions')
      .where('user_id', '=', userId)
      .returning('id')
      .executeTakeFirstOrThrow();
    const session = { userId, email, sessionId } as CurrentSession;
    const change = { currentPassword: testPassword, newPassword };
    await expect(changePassword(stage.app, session, change, { ip: '192.0.2.1' })).rejects.toMatchObject({
      key: 'session_required',
    });
    await stage.signIn(email);
  });

  test('says in the mail that keys still work, and ends them if it is asked to', async () => {
    const { id, email, apiKey } = await stage.aUser();
    const session = await stage.signIn(email);
    const works = async () =>
      (await stage.server.inject({ url: '/api/v1/account-context', headers: { 'x-service-key': apiKey } })).statusCode;
    const change = { currentPassword: testPassword, newPassword };
    expect((await stage.post('password/change', change, session)).statusCode).toBe(200);
    expect((await queuedMails(stage.app, email, 'password_changed')).at(-1)).toMatchObject({ otherAccess: 'kept' });
    expect(await works()).toBe(200);

    const again = { currentPassword: newPassword, newPassword: 'another long one', endAccess: true };
    expect((await stage.post('password/change', again, session)).statusCode).toBe(200);
    expect((await queuedMails(stage.app, email, 'password_changed')).at(-1)).toMatchObject({ otherAccess: 'ended' });
    await expect.poll(works, { interval: 20 }).toBe(401);
    expect(await stage.isSignedIn(session)).toBe(true);
    expect((await stage.audit(id)).at(-1)).toMatchObject({
      event: 'password_changed',
      details: { apiKeys: 1, passkeys: 0 },
    });
  });

  test('ends links that would set yet another password', async () => {
    const { email } = await stage.aUser();
    await stage.post('password/forgot', { email });
    const token = await tokenFor(stage.app, email, 'reset_password');
    await stage.post('password/change', { currentPassword: testPassword, newPassword }, await stage.signIn(email));
    const answer = await stage.post('password/reset', { token, newPassword: 'another long one' });
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'LINK_TOKEN_INVALID']);
  });

  test('leaves the sessions of other users alone', async () => {
    const [ada, grace] = [await stage.aUser(), await stage.aUser()];
    const other = await stage.signIn(grace.email);
    const session = await stage.signIn(ada.email);
    await stage.post('password/change', { currentPassword: testPassword, newPassword }, session);
    expect(await stage.isSignedIn(other)).toBe(true);
  });

  test.each([
    ['a wrong current password', { currentPassword: 'not the password' }, 'The current password is wrong'],
    ['no current password', { currentPassword: '' }, 'Password is required'],
    ['a short new password', { newPassword: '1234567' }, 'Password must have 8 to 128 characters'],
    ['a long new password', { newPassword: 'x'.repeat(129) }, 'Password must have 8 to 128 characters'],
    ['a common new password', { newPassword: 'sunshine1' }, 'This password is too easy to guess'],
  ])('refuses %s, and nothing changes', async (_, change, error) => {
    const { email } = await stage.aUser();
    const session = await stage.signIn(email);
    const body = { currentPassword: testPassword, newPassword, ...change };
    const answer = await stage.post('password/change', body, session);
    expect([answer.statusCode, contractBody(answer.json()).error]).toEqual([400, error]);
    await stage.signIn(email);
    expect(await stage.isSignedIn(session)).toBe(true);
  });

  test('needs a session: an API key is not enough', async () => {
    const { apiKey } = await stage.aUser();
    const answer = await stage.server.inject({
      method: 'POST',
      url: '/api/v1/auth/password/change',
      headers: { 'x-service-key': apiKey },
      payload: { currentPassword: testPassword, newPassword },
    });
    expect(answer.statusCode).toBe(401);
  });

  test('refuses the page of another site', async () => {
    const { email } = await stage.aUser();
    const answer = await stage.server.inject({
      method: 'POST',
      url: '/api/v1/auth/password/change',
      headers: { cookie: `crier.session_token=${await stage.signIn(email)}.x`, origin: 'https://evil.example' },
      payload: { currentPassword: testPassword, newPassword },
    });
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'ORIGIN_NOT_ALLOWED']);
  });

  test('of two changes at the same time, one succeeds', async () => {
    const { email } = await stage.aUser();
    const session = await stage.signIn(email);
    const change = (password: string) =>
      stage.post('password/change', { currentPassword: testPassword, newPassword: password }, session);
    const answers = await Promise.all([change('the first of two'), change('the second of two')]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400]);
  });
});
