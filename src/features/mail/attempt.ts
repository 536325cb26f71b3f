import type { App } from '../../app.ts';
import { retryTransient } from '../../foundation/db/retry-transient.ts';
import { storable } from '../../foundation/lib/storable.ts';
import type { WorkHealth } from '../../foundation/periodic/background-work.ts';
import { composeMail } from './compose.ts';
import { MailError } from './mailer.ts';
import { mailsEnded } from './metrics.ts';
import { openMailer } from './open-mailer.ts';
import { type ClaimedMail, recordGivenUp, recordRetry, recordSent, releaseMail } from './queries.ts';
import { nextAttempt } from './retry-schedule.ts';

export type MailApp = Pick<
  App,
  'db' | 'clock' | 'config' | 'sealingKeys' | 'publicUrl' | 'sandboxUrl' | 'platformAccess' | 'log'
>;

export interface AttemptOptions {
  /** Covers the whole attempt. */
  timeoutMs: number;
  /** Aborts when this process stops. */
  stopping: AbortSignal;
  /** Whether mail can be sent at all. An unknown recipient does not affect it. */
  health: WorkHealth;
}

/**
 * Sends a claimed mail and records the result. Throws only when the database fails: the lease expires, and the mail
 * is retried.
 */
export async function attemptMail(app: MailApp, claimed: ClaimedMail, options: AttemptOptions): Promise<void> {
  const { stopping, health } = options;
  const { outcome, subject } = await send(app, claimed, options);
  // Log only the address and the subject, never the text, which may contain a sign-in link.
  const about = { mailId: claimed.id, kind: claimed.kind, to: claimed.to, subject };
  if (outcome === 'sent') {
    await retryTransient(() => recordSent(app.db, claimed, app.clock.now()));
    mailsEnded.inc({ kind: claimed.kind, outcome });
    health.succeeded();
    return app.log.info(about, 'mail sent');
  }
  if (stopping.aborted) return void (await releaseMail(app.db, claimed, app.clock.now()));
  const retryAt = outcome.isPermanent ? null : nextAttempt(claimed.attempts, app.clock.now());
  const reason = storable(outcome.message);
  if (!outcome.isPermanent) health.failed(outcome);
  if (retryAt) {
    await recordRetry(app.db, claimed, retryAt, reason);
    return app.log.warn({ ...about, reason, nextAttemptAt: retryAt }, 'mail not sent; it will be retried');
  }
  await recordGivenUp(app.db, claimed, reason);
  mailsEnded.inc({ kind: claimed.kind, outcome: 'failed' });
  app.log.error({ ...about, reason }, 'mail failed permanently');
}

interface Sent {
  outcome: 'sent' | MailError;
  /** Null if the mail cannot be read. */
  subject: string | null;
}

async function send(app: MailApp, claimed: ClaimedMail, { timeoutMs, stopping }: AttemptOptions): Promise<Sent> {
  let subject: string | null = null;
  try {
    const mail = composeMail(app, claimed);
    subject = mail.subject;
    const mailer = await openMailer(app);
    if (!mailer) throw new MailError('MAIL_URL is not set.', { isPermanent: true });
    await mailer.send(mail, AbortSignal.any([stopping, AbortSignal.timeout(timeoutMs)]));
    return { outcome: 'sent', subject };
  } catch (error) {
    if (error instanceof MailError) return { outcome: error, subject };
    // Another process may have the key or know the kind.
    return { outcome: new MailError((error as Error).message, { isPermanent: false }), subject };
  }
}
