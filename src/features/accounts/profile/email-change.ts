import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import type { App } from '../../../app.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { windowAt } from '../../../foundation/http/rate-limits/counters.ts';
import { addToRateCounters } from '../../../foundation/http/rate-limits/queries.ts';
import { hashSecret, newSecret } from '../../../foundation/lib/secrets.ts';
import { userActor } from '../../audit/actors.ts';
import { recordAudit } from '../../audit/audit-log.ts';
import { isPassword } from '../../auth/passwords/passwords.ts';
import { deletePasswordResets, findPasswordHash } from '../../auth/passwords/queries.ts';
import { hasSession } from '../../auth/sessions/queries.ts';
import { findEmailHolder } from '../../auth/sign-up/queries.ts';
import { releaseEmail } from '../../auth/sign-up/release-email.ts';
import { requireCodeIfOn } from '../../auth/two-factor/two-factor.ts';
import { mailIsOn } from '../../mail/mailer.ts';
import { queueMail } from '../../mail/mails.ts';
import { lockUser } from '../../users/queries.ts';
import {
  deleteEmailChanges,
  type EmailChange,
  findEmailChange,
  insertEmailChange,
  updateEmail,
} from './email-change-queries.ts';

type EmailChangeApp = Pick<App, 'db' | 'clock' | 'newId' | 'config' | 'sealingKeys' | 'publicUrl'>;

const validMs = 3_600_000;
/** How many of these mails one address gets, and one account sends, within an hour. */
const maxMails = 5;
/** Longer than the work takes, so that the time of the answer does not tell whether there was any. */
const answerMs = 150;

/**
 * Sends a link to the new address, if no account has it, and says so to the address of the account in any case. Returns what to
 * tell the caller, always the same.
 */
export async function startEmailChange(
  app: EmailChangeApp,
  { newEmail, password, code }: { newEmail: string; password: string; code?: string | undefined },
  request: FastifyRequest,
): Promise<string> {
  const { userId, email, sessionId } = request.session;
  if (!mailIsOn(app)) throw new Problem('email_change_needs_mail');
  const hash = await findPasswordHash(app.db, userId);
  if (!hash || !(await isPassword(hash, password))) throw new Problem('current_password_wrong');
  // Who has another address can set a new password, so this takes what a sign-in takes.
  await requireCodeIfOn(app, code, request);
  if (newEmail !== email) {
    await Promise.all([
      mailLink(app, { userId, sessionId, email, newEmail, passwordHash: hash }, request),
      sleep(answerMs),
    ]);
  }
  return 'If no other account has this address, we have sent it a link. The link works for one hour.';
}

interface WantedChange extends EmailChange {
  sessionId: string;
  /** Of the password that the caller knew. */
  passwordHash: string;
}

async function mailLink(
  app: EmailChangeApp,
  { userId, sessionId, email, newEmail, passwordHash }: WantedChange,
  caller: { ip: string },
) {
  const now = app.clock.now();
  const token = newSecret();
  const expiresAt = new Date(now.getTime() + validMs);
  const isWithinLimit = await mayMail(app, userId, newEmail);
  await app.db.transaction().execute(async (tx) => {
    await lockUser(tx, userId);
    // The owner may have set another password while this request computed a hash, and ended what was begun with the old one.
    if ((await findPasswordHash(tx, userId)) !== passwordHash) throw new Problem('current_password_wrong');
    if (!(await hasSession(tx, userId, sessionId))) throw new Problem('session_required');
    await recordAudit(app, tx, {
      userId,
      event: 'email_change_requested',
      actor: userActor(userId, caller),
      details: { newEmail },
    });
    await warnOwner(app, tx, { userId, email, newEmail });
    const holder = await findEmailHolder(tx, newEmail);
    if (holder && !holder.isPlaceholder) return;
    if (!isWithinLimit) return;
    await insertEmailChange(tx, { tokenHash: hashSecret(token), userId, sessionId, newEmail, expiresAt }, now);
    const data = { link: `${app.publicUrl}/confirm-email?token=${token}` };
    await queueMail(app, tx, { to: newEmail, kind: 'confirm_new_email', data });
  });
}

/** Links that have ended count too, so that asking again, from any account, sends no more. */
async function mayMail({ db, clock }: Pick<App, 'db' | 'clock'>, userId: string, newEmail: string): Promise<boolean> {
  const recipient = createHash('sha256').update(newEmail).digest('hex').slice(0, 32);
  const names = [`email change of ${userId}`, `email change to ${recipient}`];
  const windows = names.map((name) => ({ ...windowAt(name, validMs / 1000, clock), used: 1 }));
  const totals = await addToRateCounters(db, windows);
  return totals.every((total) => total <= maxMails);
}

/** Also for an address that is taken, so that the mail tells nobody whether it is. For each new address once an hour. */
function warnOwner(app: EmailChangeApp, tx: Db, { userId, email, newEmail }: EmailChange) {
  const at = app.clock.now().toISOString();
  return queueMail(app, tx, {
    to: email,
    kind: 'email_change_requested',
    data: { newEmail, at, resetUrl: `${app.publicUrl}/forgot-password` },
    once: `email_change_requested ${userId} ${newEmail} ${at.slice(0, 13)}`,
  });
}

/** The change that a link would make. Null: the link does not work. */
export const emailChangeOf = ({ db, clock }: Pick<App, 'db' | 'clock'>, token: string) =>
  findEmailChange(db, hashSecret(token), clock.now());

/** Who has the link reads mail to the new address. The old one is told, and its links to set a password end. */
export async function confirmEmailChange(app: EmailChangeApp, token: string, caller: { ip: string }) {
  const change = await emailChangeOf(app, token);
  if (!change) throw new Problem('link_token_invalid');
  const { userId, email, newEmail } = change;
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    // Of several requests for one user, each waits for the one before and then finds its link gone.
    await lockUser(tx, userId);
    if (!(await deleteEmailChanges(tx, userId, hashSecret(token)))) throw new Problem('link_token_invalid');
    await releaseEmail(app, tx, newEmail);
    if (await findEmailHolder(tx, newEmail)) throw new Problem('email_taken');
    await updateEmail(tx, userId, newEmail, now).catch(refuseTaken);
    await deletePasswordResets(tx, userId);
    const details = { email, newEmail };
    await recordAudit(app, tx, { userId, event: 'email_changed', actor: userActor(userId, caller), details });
    await queueMail(app, tx, { to: email, kind: 'email_changed', data: { newEmail, at: now.toISOString() } });
  });
}

/** Another user can confirm the same address at the same moment, which no check before sees. */
function refuseTaken(error: unknown): never {
  const isTaken = error instanceof Error && 'code' in error && error.code === '23505';
  throw isTaken ? new Problem('email_taken') : error;
}
