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
import { inLockTurn } from '../../users/lock-turns.ts';
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
/** The maximum number of these mails per hour that one address receives and one account sends. */
const maxMails = 5;
/** Longer than the work takes, so that the response time does not reveal whether there was any. */
const answerMs = 150;

/**
 * Sends a link to the new address if no account has it, and always notifies the current address. Returns the message
 * for the caller, which is always the same.
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
  // Changing the address allows setting a new password, so this requires the same proof as a sign-in.
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
  /** The hash of the password that the caller knew. */
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
  const request = async (tx: Db) => {
    await lockUser(tx, userId);
    // While this request computed a hash, the owner may have changed the password and ended everything begun with the
    // old one.
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
  };
  await inLockTurn(userId, () => app.db.transaction().execute(request));
}

/** Ended links count as well, so that repeated requests, from any account, send no more mails. */
async function mayMail({ db, clock }: Pick<App, 'db' | 'clock'>, userId: string, newEmail: string): Promise<boolean> {
  const recipient = createHash('sha256').update(newEmail).digest('hex').slice(0, 32);
  const names = [`email change of ${userId}`, `email change to ${recipient}`];
  const windows = names.map((name) => ({ ...windowAt(name, validMs / 1000, clock), used: 1 }));
  const totals = await addToRateCounters(db, windows);
  return totals.every((total) => total <= maxMails);
}

/** Also sent if the new address is taken, so that the mail does not reveal that. Once an hour for each new address. */
function warnOwner(app: EmailChangeApp, tx: Db, { userId, email, newEmail }: EmailChange) {
  const at = app.clock.now().toISOString();
  return queueMail(app, tx, {
    to: email,
    kind: 'email_change_requested',
    data: { newEmail, at, resetUrl: `${app.publicUrl}/forgot-password` },
    once: `email_change_requested ${userId} ${newEmail} ${at.slice(0, 13)}`,
  });
}

/** The change that a link would make. Null if the link is invalid. */
export const emailChangeOf = ({ db, clock }: Pick<App, 'db' | 'clock'>, token: string) =>
  findEmailChange(db, hashSecret(token), clock.now());

/**
 * The holder of the link reads mail to the new address. The old address is notified, and its password reset links
 * end.
 */
export async function confirmEmailChange(app: EmailChangeApp, token: string, caller: { ip: string }) {
  const change = await emailChangeOf(app, token);
  if (!change) throw new Problem('link_token_invalid');
  const { userId, email, newEmail } = change;
  const now = app.clock.now();
  const confirm = async (tx: Db) => {
    // Concurrent requests for one user wait for each other. The later ones find their link gone.
    await lockUser(tx, userId);
    if (!(await deleteEmailChanges(tx, userId, hashSecret(token)))) throw new Problem('link_token_invalid');
    await releaseEmail(app, tx, newEmail);
    if (await findEmailHolder(tx, newEmail)) throw new Problem('email_taken');
    await updateEmail(tx, userId, newEmail, now).catch(refuseTaken);
    await deletePasswordResets(tx, userId);
    const details = { email, newEmail };
    await recordAudit(app, tx, { userId, event: 'email_changed', actor: userActor(userId, caller), details });
    await queueMail(app, tx, { to: email, kind: 'email_changed', data: { newEmail, at: now.toISOString() } });
  };
  await inLockTurn(userId, () => app.db.transaction().execute(confirm));
}

/** Another user can confirm the same address concurrently, which no earlier check can detect. */
function refuseTaken(error: unknown): never {
  const isTaken = error instanceof Error && 'code' in error && error.code === '23505';
  throw isTaken ? new Problem('email_taken') : error;
}
