import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../../../app.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { hashSecret, newSecret } from '../../../foundation/lib/secrets.ts';
import { adminCommandLine } from '../../../foundation/system/admin-command-line.ts';
import { userActor } from '../../audit/actors.ts';
import type { Actor } from '../../audit/audit-entry.ts';
import { recordAudit } from '../../audit/audit-log.ts';
import { hashNewPassword } from '../../auth/passwords/passwords.ts';
import {
  countMailedResets,
  deleteBegun,
  deletePasswordResets,
  findPasswordReset,
  findResettableUser,
  insertPasswordReset,
  updateEmailVerified,
  updatePassword,
} from '../../auth/passwords/queries.ts';
import { mailIsOn } from '../../mail/mailer.ts';
import { queueMail } from '../../mail/mails.ts';
import { findUser } from '../accounts.ts';
import { deleteSessions, lockWithAllManaged } from '../workspace/queries.ts';
import { endStandingAccess, listStandingAccess } from './standing-access.ts';

type PasswordResetApp = Pick<App, 'db' | 'clock' | 'newId' | 'config' | 'sealingKeys' | 'publicUrl'>;

const validMs = 3_600_000;
/** Nobody can be sent more mails than this within an hour by requests for their address. */
const maxMailed = 5;
/** Longer than the work takes, so that the time of the answer does not tell whether there was any. */
const answerMs = 150;

/** Sends a link to the address, if it has an account that can have a new password. Returns what to tell the caller, always the same. */
export async function forgotPassword(app: PasswordResetApp, email: string, caller: { ip: string }): Promise<string> {
  if (!mailIsOn(app)) {
    return `This Crier sends no mail. Its operator can make a link for you: ${adminCommandLine('reset-password')}.`;
  }
  await Promise.all([mailResetLink(app, email, caller), sleep(answerMs)]);
  return 'If this address has an account, we have sent a link to it. The link works for one hour.';
}

async function mailResetLink(app: PasswordResetApp, email: string, caller: { ip: string }) {
  const user = await findResettableUser(app.db, email);
  if (!user) return;
  await app.db.transaction().execute(async (tx) => {
    if ((await countMailedResets(tx, user.id, app.clock.now())) >= maxMailed) return;
    const { link } = await addReset(app, tx, user.id, { isMailed: true, actor: userActor(null, caller) });
    await queueMail(app, tx, { to: user.email, kind: 'reset_password', data: { link } });
  });
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
  await insertPasswordReset(tx, { tokenHash: hashSecret(token), userId, isMailed, expiresAt }, now);
  await recordAudit(app, tx, { userId, event: 'password_reset_requested', actor });
  return { link: `${app.publicUrl}/reset-password?token=${token}`, expiresAt };
}

/** What a link would reset. Null: the link does not work. */
export const passwordResetOf = ({ db, clock }: Pick<App, 'db' | 'clock'>, token: string) =>
  findPasswordReset(db, hashSecret(token), clock.now());

/**
 * Sets the password, and ends all sessions, other links, and everything that a thief may have begun. With `endAccess` it also ends
 * what reaches the account, or those that it manages, without a password.
 */
export async function resetPassword(
  app: PasswordResetApp,
  { token, newPassword, endAccess = false }: { token: string; newPassword: string; endAccess?: boolean | undefined },
  caller: { ip: string },
) {
  const reset = await passwordResetOf(app, token);
  if (!reset) throw new Problem('link_token_invalid');
  const { userId, email, isMailed } = reset;
  const passwordHash = await hashNewPassword(newPassword, email);
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    // Of several requests for one user, each waits for the one before and then finds its link gone.
    await lockWithAllManaged(tx, userId);
    if (!(await deletePasswordResets(tx, userId, hashSecret(token)))) throw new Problem('link_token_invalid');
    await updatePassword(tx, userId, { passwordHash, accountId: app.newId() }, now);
    await deleteSessions(tx, userId);
    await deleteBegun(tx, userId);
    const actor = userActor(userId, caller);
    const entry = { userId, actor };
    const hadAccess = (await listStandingAccess({ ...app, db: tx }, userId)).length > 0;
    const ended = endAccess ? await endStandingAccess(app, tx, userId, actor) : {};
    await recordAudit(app, tx, { ...entry, event: 'password_reset', details: ended });
    if (isMailed && (await updateEmailVerified(tx, userId, now))) {
      await recordAudit(app, tx, { ...entry, event: 'email_verified', details: { email } });
    }
    const otherAccess = endAccess ? 'ended' : 'kept';
    const data = { at: now.toISOString(), ...(hadAccess && ({ otherAccess } as const)) };
    await queueMail(app, tx, { to: email, kind: 'password_changed', data });
  });
}
