import { randomBytes } from 'node:crypto';
import type { App } from '../../../app.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { systemActor } from '../../audit/actors.ts';
import { recordAudit } from '../../audit/audit-log.ts';
import { queueMail } from '../../mail/mails.ts';
import { updatePlaceholderEmail } from './queries.ts';

/**
 * Takes the address away from a user without a password, because someone has proven that it is theirs. The user keeps
 * everything else, and the owner of its workspace gets a mail. Does nothing if no such user has the address.
 */
export async function releaseEmail(app: Pick<App, 'clock' | 'newId' | 'sealingKeys'>, tx: Db, email: string) {
  // Random, so that no one can register it first. The domain is reserved and never receives mail.
  const newEmail = `released-${randomBytes(8).toString('hex')}@managed.invalid`;
  const released = await updatePlaceholderEmail(tx, email, newEmail, app.clock.now());
  if (!released) return;
  const { id, name, owner } = released;
  for (const userId of owner ? [id, owner.id] : [id]) {
    const details = { managedUserId: id, email, newEmail };
    await recordAudit(app, tx, { userId, event: 'email_released', actor: systemActor, details });
  }
  if (owner) {
    await queueMail(app, tx, { to: owner.email, kind: 'managed_email_released', data: { name, email, newEmail } });
  }
}
