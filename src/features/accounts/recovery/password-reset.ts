import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { App } from '../../../app.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { hashSecret, newSecret } from '../../../foundation/lib/secrets.ts';
import { adminCommandLine } from '../../../foundation/system/admin-command-line.ts';
import { userActor } from '../../audit/actors.ts';
import type { Actor } from '../../audit/audit-entry.ts';
import { recordAudit } from '../../audit/audit-log.ts';
import { hashNewPassword } from '../../auth/passwords/passwords.ts';
import { deletePasswordResets, hasPassword } from '../../auth/passwords/queries.ts';
import { mailIsOn } from '../../mail/mailer.ts';
import { queueMail } from '../../mail/mails.ts';
import { inLockTurn } from '../../users/lock-turns.ts';
import { lockUser } from '../../users/queries.ts';
import { findUser } from '../operator/users.ts';
import { lockWithAllManaged } from '../workspace/queries.ts';
import { replacePassword } from './replace-password.ts';

type PasswordResetApp = Pick<App, 'db' | 'clock' | 'newId' | 'config' | 'sealingKeys' | 'publicUrl'>;

const validMs = 3_600_000;
/** The maximum number of mails per hour that requests for an address can cause. */
const maxMailed = 5;
/** Longer than the work takes, so that the response time does not reveal whether there was any. */
const answerMs = 150;

/**
 * Sends a link to the address if it has an account whose password can be reset. Returns the message for the caller,
 * which is always the same.
 */
export async function forgotPassword(app: PasswordResetApp, email: string, caller: { ip: string }): Promise<string> {
  if (!mailIsOn(app)) {
    return `This Crier instance does not send mail. Its operator can create a link for you: ${adminCommandLine('reset-password')}.`;
  }
  await Promise.all([mailResetLink(app, email, caller), sleep(answerMs)]);
  return 'If this address has an account, we have sent it a link. The link works for one hour.';
}

async function mailResetLink(app: PasswordResetApp, email: string, caller: { ip: string }) {
  const user = await findResettableUser(app.db, email);
  if (!user) return;
  const mail = async (tx: Db) => {
    // Concurrent requests each count the links of the earlier ones.
    await lockUser(tx, user.id);
    // The user may have changed the address in the meantime. Readers of the old mailbox must not get a link.
    if ((await findResettableUser(tx, email))?.id !== user.id) return;
    if ((await countMailedResets(tx, user.id, app.clock.now())) >= maxMailed) return;
    const { link } = await addReset(app, tx, user.id, { isMailed: true, actor: userActor(null, caller) });
    await queueMail(app, tx, { to: user.email, kind: 'reset_password', data: { link } });
  };
  await inLockTurn(user.id, () => app.db.transaction().execute(mail));
}

/**
 * The active user with this address who has a password to replace. A first password by mail would give a managed
 * user's data to anyone who reads mail to the address, and an account to people who cannot sign up.
 */
async function findResettableUser(db: Db, email: string) {
  const { rows } = await sql<{ id: string; email: string }>`
    select id, email from users where email = ${email} and is_active and ${hasPassword}`.execute(db);
  return rows[0] ?? null;
}

async function countMailedResets(tx: Db, userId: string, now: Date): Promise<number> {
  const { count } = await tx
    .selectFrom('password_resets')
    .select((select) => select.fn.countAll<string>().as('count'))
    .where('user_id', '=', userId)
    .where('is_mailed', '=', true)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** A link that the operator hands over. */
export async function makeResetLink(app: PasswordResetApp, idOrEmail: string, actor: Actor) {
  const { id: userId, email } = await findUser(app, idOrEmail);
  const made = await app.db.transaction().execute((tx) => addReset(app, tx, userId, { isMailed: false, actor }));
  return { userId, email, ...made };
}

async function addReset(
  app: PasswordResetApp,
  tx: Db,
  userId: string,
  { isMailed, actor }: { isMailed: boolean; actor: Actor },
) {
  const token = newSecret();
  const now = app.clock.now();
  const expiresAt = new Date(now.getTime() + validMs);
  await tx
    .insertInto('password_resets')
    .values({
      token_hash: hashSecret(token),
      user_id: userId,
      is_mailed: isMailed,
      created_at: now,
      expires_at: expiresAt,
    })
    .execute();
  await recordAudit(app, tx, { userId, event: 'password_reset_requested', actor });
  return { link: `${app.publicUrl}/reset-password?token=${token}`, expiresAt };
}

/**
 * The reset that a link would make. Null if the link does not exist or has expired, or if the user is no longer
 * active.
 */
export async function passwordResetOf({ db, clock }: Pick<App, 'db' | 'clock'>, token: string) {
  const found = await db
    .selectFrom('password_resets as reset')
    .innerJoin('users', 'users.id', 'reset.user_id')
    .select(['users.id as userId', 'users.email', 'reset.is_mailed as isMailed'])
    .where('reset.token_hash', '=', hashSecret(token))
    .where('reset.expires_at', '>', clock.now())
    .where('users.is_active', '=', true)
    .executeTakeFirst();
  return found ?? null;
}

/**
 * Sets the password, and ends all sessions, other links, and everything a thief may have begun. With `endAccess`,
 * also ends all access to the account, or to the accounts it manages, that works without a password.
 */
export async function resetPassword(
  app: PasswordResetApp,
  { token, newPassword, endAccess = false }: { token: string; newPassword: string; endAccess?: boolean | undefined },
  caller: { ip: string },
) {
  const link = await passwordResetOf(app, token);
  if (!link) throw new Problem('link_token_invalid');
  const { userId, email, isMailed } = link;
  const passwordHash = await hashNewPassword(newPassword, email, caller.ip);
  const reset = async (tx: Db) => {
    // Concurrent requests for one user wait for each other. The later ones find their link gone.
    await lockWithAllManaged(tx, userId);
    // The account may have been closed in the meantime, because it is being erased.
    if (!(await passwordResetOf({ ...app, db: tx }, token))) throw new Problem('link_token_invalid');
    if (!(await deletePasswordResets(tx, userId, hashSecret(token)))) throw new Problem('link_token_invalid');
    const actor = userActor(userId, caller);
    const changed = { userId, email, passwordHash, endAccess, keptSession: null };
    await replacePassword(app, tx, changed, { event: 'password_reset', actor });
    if (isMailed && (await updateEmailVerified(tx, userId, app.clock.now()))) {
      await recordAudit(app, tx, { userId, actor, event: 'email_verified', details: { email } });
    }
  };
  await inLockTurn(userId, () => app.db.transaction().execute(reset));
}

/** Returns false if the address was already verified. */
async function updateEmailVerified(tx: Db, userId: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ email_verified: true, updated_at: now })
    .where('id', '=', userId)
    .where('email_verified', '=', false)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
