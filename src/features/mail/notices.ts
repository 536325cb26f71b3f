import type { App } from '../../app.ts';
import type { Db } from '../../foundation/db/database.ts';
import { type MailKind, type NewMail, queueMail } from './mails.ts';
import { findRecipient, isQueued } from './queries.ts';

/**
 * Sends a mail to a user. A managed user's mail goes to the owner of its workspace, because the address of a managed
 * user need not be real. Sends nothing if the account is closed. Call it in the transaction of the cause.
 */
export async function notifyUser<Kind extends MailKind>(
  app: Pick<App, 'clock' | 'newId' | 'sealingKeys'>,
  db: Db,
  userId: string,
  mail: Omit<NewMail<Kind>, 'to'>,
): Promise<void> {
  if (mail.once !== undefined && (await isQueued(db, mail.once))) return;
  const to = await findRecipient(db, userId);
  if (to !== null) await queueMail(app, db, { ...mail, to });
}
