import { createHash } from 'node:crypto';
import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { whileTableIsLocked } from '../../../../test/support/database/locked-table.ts';
import { tokenFor } from '../../../../test/support/service/queued-mail.ts';
import {
  insertSecretRows,
  secretRows,
  secretTables,
  sessionTables,
  tablesWithRows,
} from '../../../../test/support/service/secret-rows.ts';
import { testPassword } from '../../../../test/support/service/user.ts';
import { type AccountsStage, accountsStage, withMail } from '../../../../test/support/stages/accounts.ts';
import { fromBase32 } from '../../../foundation/lib/base32.ts';
import { totpCode, totpStep } from '../../../foundation/lib/totp.ts';
import { markCodeUsed } from '../oauth/queries.ts';

let stage: AccountsStage;
beforeAll(async () => {
  stage = await accountsStage(withMail);
});
afterAll(() => stage.close());

const newPassword = 'copper lantern drifting';
const rows = secretRows({ now: () => stage.clock.now() });

type Fate = 'ends' | 'stays';

/** The effect of changing or resetting the password on the rows of every table that stores a secret of a user. */
const fates: Record<string, Fate> = {
  // The session that changes the password stays, and is not this one.
  auth_sessions: 'ends',
  email_changes: 'ends',
  password_resets: 'ends',
  sign_in_challenges: 'ends',
  attach_tokens: 'ends',
  oauth_codes: 'ends',
  oauth_flows: 'ends',
  account_choices: 'ends',
  // The password itself is replaced in its row.
  auth_accounts: 'stays',
  // A secret without its first code, because confirming it needs no password. An enabled one stays, which a test below
  // shows.
  two_factors: 'ends',
  recovery_codes: 'stays',
  // Only separates the owner's attempts from those of strangers. Ends with other access.
  known_devices: 'stays',
  // Created by the owner of the workspace for a client. Ends with the membership.
  connection_links: 'stays',
  // Used by programs, which would stop if a user merely forgot the password.
  api_keys: 'stays',
  oauth_refresh_tokens: 'stays',
  auth_passkeys: 'stays',
  // They give access to other services, not to the account.
  connections: 'stays',
  // Only receives the events of the account.
  webhooks: 'stays',
};

/** A user with a row in each of the tables. */
async function aUserWithEverything() {
  const user = await stage.aUser();
  await insertSecretRows(stage.database, rows, user.id);
  return user;
}

/** The fates of the user's rows. */
async function left(userId: string, but: { sessions: number } = { sessions: 0 }): Promise<Record<string, Fate>> {
  const found = await tablesWithRows(stage.database, Object.keys(fates), userId);
  const actual = Object.fromEntries(Object.keys(fates).map((name) => [name, found.includes(name) ? 'stays' : 'ends']));
  const { rowCount } = await stage.database.pool.query('select from auth_sessions where user_id = $1', [userId]);
  return { ...actual, auth_sessions: (rowCount ?? 0) > but.sessions ? 'stays' : 'ends' };
}

/** What the owner of a workspace can create for its users. */
const reachable: Record<string, Fate> = { api_keys: 'ends', connection_links: 'ends', webhooks: 'ends' };

/** Adds the user to a workspace whose owner has created everything an owner can create. */
async function join(userId: string, ownerId: string) {
  const { pool } = stage.database;
  await pool.query('update users set parent_user_id = $2 where id = $1', [userId, ownerId]);
  for (const table of ['api_keys', 'auth_passkeys', 'webhooks'])
    await pool.query(`update ${table} set during_membership = true where user_id = $1`, [userId]);
}

async function ownerOf(userId: string): Promise<string | null> {
  const { rows } = await stage.database.pool.query('select parent_user_id from users where id = $1', [userId]);
  return rows[0].parent_user_id;
}

async function resetToken(email: string): Promise<string> {
  await stage.post('password/forgot', { email });
  return tokenFor(stage.app, email, 'reset_password');
}

describe('a new password', () => {
  test('is considered for every table that holds something secret of a user', async () => {
    expect(Object.keys(fates).sort()).toEqual((await secretTables(stage.database)).sort());
    expect(Object.keys(rows).sort()).toEqual(Object.keys(fates).sort());
  });

  test('that replaces the old one ends what somebody who knew the old one has begun', async () => {
    const ada = await aUserWithEverything();
    const session = await stage.signIn(ada.email);
    const answer = await stage.post('password/change', { currentPassword: testPassword, newPassword }, session);
    expect(answer.statusCode).toBe(200);
    expect(await left(ada.id, { sessions: 1 })).toEqual(fates);
  });

  test('by a link ends the same, and all sessions', async () => {
    const ada = await aUserWithEverything();
    const token = await resetToken(ada.email);
    expect((await stage.post('password/reset', { token, newPassword })).statusCode).toBe(200);
    expect(await left(ada.id)).toEqual(fates);
  });

  test('by a link that also ends other access leaves nothing that opens the account', async () => {
    const [ada, owner] = [await aUserWithEverything(), await stage.aUser()];
    await join(ada.id, owner.id);
    const token = await resetToken(ada.email);
    expect((await stage.post('password/reset', { token, newPassword, endAccess: true })).statusCode).toBe(200);
    // A refresh token is useless without its key.
    expect(await left(ada.id)).toEqual({ ...fates, ...reachable, auth_passkeys: 'ends', known_devices: 'ends' });
    expect(await ownerOf(ada.id)).toBeNull();
  });

  test('of the owner of a workspace leaves nothing of managed users that the owner can have made', async () => {
    const [client, owner] = [await aUserWithEverything(), await stage.aUser()];
    await join(client.id, owner.id);
    const everythingStays = Object.fromEntries(Object.keys(fates).map((name) => [name, 'stays']));
    for (const [more, expected] of [
      [{}, everythingStays],
      [{ endAccess: true }, { ...everythingStays, ...reachable }],
    ] as const) {
      const token = await resetToken(owner.email);
      expect((await stage.post('password/reset', { token, newPassword, ...more })).statusCode).toBe(200);
      expect(await left(client.id)).toEqual(expected);
    }
    expect(await ownerOf(client.id)).toBe(owner.id);
  });
});

describe('the end of a session', () => {
  /** A user with a row in each of the tables and two sessions, one of which created the rows. */
  async function aUserWithTwoSessions() {
    const user = await aUserWithEverything();
    const [own, stolen] = [await stage.signIn(user.email), await stage.signIn(user.email)];
    const { pool } = stage.database;
    const hashed = createHash('sha256').update(stolen).digest('hex');
    const { rows } = await pool.query<{ id: string }>('select id from auth_sessions where token = $1', [hashed]);
    const { id: stolenId } = rows[0]!;
    for (const table of await sessionTables(stage.database))
      await pool.query(`update ${table} set session_id = $2 where user_id = $1`, [user.id, stolenId]);
    return { ...user, own, stolen, stolenId };
  }
  type Victim = Awaited<ReturnType<typeof aUserWithTwoSessions>>;
  const inject = (method: 'POST' | 'DELETE', path: string, accessToken: string) =>
    stage.server.inject({ method, url: `/api/v1/auth/${path}`, headers: { authorization: `Bearer ${accessToken}` } });
  const switchOnTwoFactor = async ({ own }: Victim) => {
    const { secret } = (await stage.post('two-factor/start', { password: testPassword }, own)).json();
    const code = totpCode(fromBase32(secret), totpStep(stage.clock.now()));
    return stage.post('two-factor/confirm', { code }, own);
  };

  test('concerns everything that needs no session to be finished', async () => {
    const ending = Object.keys(fates).filter((name) => fates[name] === 'ends');
    // These are not created in a session, and confirming a secret without its first code requires a session.
    const others = ['auth_sessions', 'password_resets', 'sign_in_challenges', 'two_factors'];
    expect(await sessionTables(stage.database)).toEqual(ending.filter((name) => !others.includes(name)).sort());
  });

  test.each<[how: string, end: (victim: Victim) => Promise<LightMyRequestResponse>]>([
    ['by the owner', ({ own, stolenId }) => inject('DELETE', `sessions/${stolenId}`, own)],
    ['with all others', ({ own }) => inject('DELETE', 'sessions', own)],
    ['by signing out', ({ stolen }) => inject('POST', 'signout', stolen)],
    ['because two-factor sign-in is switched on', switchOnTwoFactor],
  ])('%s ends what it began, and nothing else', async (_, end) => {
    const victim = await aUserWithTwoSessions();
    expect((await end(victim)).statusCode).toBe(200);
    expect(await stage.isSignedIn(victim.stolen)).toBe(false);
    const stays = Object.fromEntries(Object.keys(fates).map((name) => [name, 'stays']));
    const ends = Object.fromEntries((await sessionTables(stage.database)).map((name) => [name, 'ends']));
    expect(await left(victim.id)).toEqual({ ...stays, ...ends });
  });

  test('leaves what another session began', async () => {
    const { id, own } = await aUserWithTwoSessions();
    expect((await inject('POST', 'signout', own)).statusCode).toBe(200);
    expect(Object.values(await left(id))).not.toContain('ends');
  });

  test('leaves a code that was exchanged, whose second use must be noticed', async () => {
    const victim = await aUserWithTwoSessions();
    const codes = await stage.app.db
      .selectFrom('oauth_codes')
      .select('code_hash')
      .where('user_id', '=', victim.id)
      .execute();
    await markCodeUsed(stage.app.db, codes[0]!.code_hash, stage.clock.now());
    expect((await inject('DELETE', 'sessions', victim.own)).statusCode).toBe(200);
    expect(await left(victim.id)).toMatchObject({ oauth_codes: 'stays', oauth_flows: 'ends' });
  });
});

/** The response to a request that runs while an uncommitted reset has made all its changes. */
async function during(email: string, other: () => Promise<LightMyRequestResponse>) {
  const token = await resetToken(email);
  const reset = () => stage.post('password/reset', { token, newPassword });
  const [set, answer] = await whileTableIsLocked(stage.database.pool, 'mails', reset, other);
  expect(set.statusCode).toBe(200);
  return [answer.statusCode, answer.json().code];
}

describe('a sign-in with the old password', () => {
  const rowsOf = async (table: 'auth_sessions' | 'sign_in_challenges', userId: string) =>
    stage.app.db.selectFrom(table).select('user_id').where('user_id', '=', userId).execute();
  const signIn = (email: string) => stage.post('signin', { email, password: testPassword });

  test('that was checked before a reset and begins after it fails', async () => {
    const { id, email } = await stage.aUser();
    expect(await during(email, () => signIn(email))).toEqual([401, 'INVALID_CREDENTIALS']);
    expect(await rowsOf('auth_sessions', id)).toEqual([]);
  });

  test('leaves no challenge for a code behind either', async () => {
    const { id, email } = await stage.aUser();
    const now = stage.clock.now();
    const factor = { user_id: id, secret: 'unused', created_at: now, confirmed_at: now };
    await stage.app.db.insertInto('two_factors').values(factor).execute();
    expect(await during(email, () => signIn(email))).toEqual([401, 'INVALID_CREDENTIALS']);
    expect(await rowsOf('sign_in_challenges', id)).toEqual([]);
  });
});

describe('two-factor sign-in and a new password', () => {
  const codeOf = (secret: string) => totpCode(fromBase32(secret), totpStep(stage.clock.now()));
  const start = (session: string) => stage.post('two-factor/start', { password: testPassword }, session);
  const confirm = (secret: string, session: string) =>
    stage.post('two-factor/confirm', { code: codeOf(secret) }, session);
  const factorOf = (userId: string) =>
    stage.app.db.selectFrom('two_factors').select('confirmed_at').where('user_id', '=', userId).executeTakeFirst();
  const ended = [401, 'SESSION_REQUIRED'];

  /** A user with a session and a secret that is unconfirmed or confirmed. */
  const aUserWith = async (state: 'nothing' | 'a secret' | 'two factors') => {
    const user = await stage.aUser();
    const session = await stage.signIn(user.email);
    const secret: string = state === 'nothing' ? '' : (await start(session)).json().secret;
    if (state === 'two factors') {
      expect((await confirm(secret, session)).statusCode).toBe(200);
      stage.clock.advance({ seconds: 30 });
    }
    return { ...user, session, secret };
  };

  test('a secret from before it cannot be confirmed after it', async () => {
    const { id, email, secret } = await aUserWith('a secret');
    await stage.post('password/reset', { token: await resetToken(email), newPassword });
    const answer = await confirm(secret, await stage.signIn(email, newPassword));
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'TWO_FACTOR_NOT_STARTED']);
    expect(await factorOf(id)).toBeUndefined();
  });

  test('it stays on if it was on', async () => {
    const { id, email } = await aUserWith('two factors');
    await stage.post('password/reset', { token: await resetToken(email), newPassword });
    expect(await factorOf(id)).toEqual({ confirmed_at: expect.any(Date) });
  });

  test('a session that ends meanwhile starts nothing', async () => {
    const { id, email, session } = await aUserWith('nothing');
    expect(await during(email, () => start(session))).toEqual(ended);
    expect(await factorOf(id)).toBeUndefined();
  });

  test('a session that ends meanwhile switches nothing on', async () => {
    const { id, email, session, secret } = await aUserWith('a secret');
    expect(await during(email, () => confirm(secret, session))).toEqual(ended);
    expect(await factorOf(id)).toBeUndefined();
  });

  test.each(['disable', 'recovery-codes'])('a session that ends meanwhile cannot finish %s', async (path) => {
    const { id, email, session, secret } = await aUserWith('two factors');
    const codes = () => stage.app.db.selectFrom('recovery_codes').selectAll().where('user_id', '=', id).execute();
    const before = await codes();
    const body = { password: testPassword, code: codeOf(secret) };
    expect(await during(email, () => stage.post(`two-factor/${path}`, body, session))).toEqual(ended);
    expect(await factorOf(id)).toEqual({ confirmed_at: expect.any(Date) });
    expect(await codes()).toEqual(before);
  });

  test('it ends the wait after wrong codes, which were entered with the old one', async () => {
    const { email, secret } = await aUserWith('two factors');
    // The account knows this test's address, so its attempts count separately. A stranger comes from elsewhere.
    await stage.app.db.deleteFrom('known_devices').execute();
    const enter = async (password: string, code: string) => {
      const { twoFactorToken } = (await stage.post('signin', { email, password })).json();
      return (await stage.post('signin/two-factor', { twoFactorToken, code })).statusCode;
    };
    for (let time = 0; time < 10; time += 1) expect(await enter(testPassword, '000000')).toBe(401);
    expect(await enter(testPassword, codeOf(secret))).toBe(429);
    await stage.post('password/reset', { token: await resetToken(email), newPassword });
    expect(await enter(newPassword, codeOf(secret))).toBe(200);
  });
});
