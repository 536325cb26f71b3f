import type { App } from '../../../app.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { hashSecret, newSecret } from '../../../foundation/lib/secrets.ts';
import { userActor } from '../../audit/actors.ts';
import { recordAudit } from '../../audit/audit-log.ts';
import { queueMail } from '../../mail/mails.ts';
import { addUser, type NewPerson } from '../../users/add-user.ts';
import type { UserRow } from '../../users/queries.ts';
import { hashNewPassword } from '../passwords/passwords.ts';
import { requireOpenSignUp } from './policy.ts';
import {
  findEmailHolder,
  findPendingSignUp,
  insertPendingSignUp,
  type PendingSignUp,
  takePendingSignUp,
} from './queries.ts';
import { releaseEmail } from './release-email.ts';
import { mayMailSignUp } from './throttle.ts';

type VerificationApp = Pick<App, 'db' | 'clock' | 'newId' | 'config' | 'sealingKeys' | 'publicUrl'>;

const validMs = 24 * 3_600_000;
/** The newest sign-ups count, so that strangers cannot lock out the owner of the address. */
const maxPending = 10;

/**
 * Sends a mail with a link that completes the sign-up or, if the address already has an account, a mail that says so.
 * Sends nothing if strangers have already caused many.
 */
export async function startVerification(app: VerificationApp, person: PendingSignUp, caller: { ip: string }) {
  if (!(await mayMailSignUp(app, person.email, caller))) return;
  await app.db.transaction().execute(async (tx) => {
    const holder = await findEmailHolder(tx, person.email);
    await (holder && !holder.isPlaceholder ? tellOwner(app, tx, holder.id, person.email) : addPending(app, tx, person));
  });
}

async function addPending(app: VerificationApp, tx: Db, person: PendingSignUp) {
  const now = app.clock.now();
  const token = newSecret();
  const expiresAt = new Date(now.getTime() + validMs);
  await insertPendingSignUp(tx, { ...person, tokenHash: hashSecret(token), expiresAt }, maxPending, now);
  const data = { link: `${app.publicUrl}/verify-email?token=${token}` };
  await queueMail(app, tx, { to: person.email, kind: 'verify_email', data });
}

async function tellOwner(app: VerificationApp, tx: Db, userId: string, email: string) {
  const hour = app.clock.now().toISOString().slice(0, 13);
  await queueMail(app, tx, {
    to: email,
    kind: 'already_signed_up',
    data: { signInUrl: `${app.publicUrl}/`, resetUrl: `${app.publicUrl}/forgot-password` },
    once: `already_signed_up ${userId} ${hour}`,
  });
}

/** The sign-up that a link would complete. Null if the link is invalid. */
export const pendingSignUpOf = ({ db, clock }: Pick<App, 'db' | 'clock'>, token: string) =>
  findPendingSignUp(db, hashSecret(token), clock.now());

/**
 * Creates the user whose address the token proves, with the password given by the holder of the link. The password
 * from the sign-up may be a stranger's: it is used only for a program that sends none with the token, never for a
 * person on the page.
 */
export async function verifyEmail(
  app: VerificationApp,
  { token, password }: { token: string; password?: string | undefined },
  caller: { ip: string },
): Promise<UserRow> {
  const found = await pendingSignUpOf(app, token);
  if (!found) throw new Problem('link_token_invalid');
  const passwordHash =
    password === undefined ? found.passwordHash : await hashNewPassword(password, found.email, caller.ip);
  if (passwordHash === null) throw new Problem('password_required');
  return app.db.transaction().execute(async (tx) => {
    const pending = await takePendingSignUp(tx, hashSecret(token), app.clock.now());
    if (!pending) throw new Problem('link_token_invalid');
    await requireOpenSignUp(app, tx);
    return addVerifiedUser(app, tx, { ...pending, passwordHash }, caller);
  });
}

/** Creates a user with a verified address. A managed user who has the address gets a different one. */
export async function addVerifiedUser(
  app: VerificationApp,
  tx: Db,
  person: NewPerson,
  caller: { ip: string },
): Promise<UserRow> {
  await releaseEmail(app, tx, person.email);
  const user = await addUser(app, tx, { ...person, emailVerified: true });
  const entry = { userId: user.id, actor: userActor(user.id, caller) };
  await recordAudit(app, tx, { ...entry, event: 'signed_up' });
  await recordAudit(app, tx, { ...entry, event: 'email_verified', details: { email: user.email } });
  return user;
}
