import type { App } from '../../app.ts';
import type { Db } from '../../foundation/db/database.ts';
import { systemActor } from '../audit/actors.ts';
import { recordAudit } from '../audit/audit-log.ts';
import { queueMail } from '../mail/mails.ts';
import { graceMs } from './deletion.ts';
import { restartDeletions } from './queries.ts';

/**
 * Users may have kept their accounts after a backup was taken, which it cannot show, and the time until the deletion may
 * have passed. So all of them can decide once more. Returns their number.
 */
export async function postponeRestoredDeletions(
  app: Pick<App, 'clock' | 'newId' | 'sealingKeys' | 'publicUrl'>,
  tx: Db,
  takenAt: Date,
): Promise<number> {
  const now = app.clock.now();
  const deletionAt = new Date(now.getTime() + graceMs);
  const users = await restartDeletions(tx, deletionAt, now);
  for (const { id: userId, email } of users) {
    const details = { deletionAt: deletionAt.toISOString() };
    await recordAudit(app, tx, { userId, event: 'deletion_requested', actor: systemActor, details });
    const data = { ...details, takenAt: takenAt.toISOString(), keepUrl: `${app.publicUrl}/signin` };
    await queueMail(app, tx, { to: email, kind: 'deletion_postponed', data });
  }
  return users.length;
}
