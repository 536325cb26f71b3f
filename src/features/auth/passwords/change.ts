import type { App } from '../../../app.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { userActor } from '../../audit/actors.ts';
import { recordAudit } from '../../audit/audit-log.ts';
import { queueMail } from '../../mail/mails.ts';
import { lockUser } from '../../users/queries.ts';
import { deleteSessionsExcept } from '../sessions/queries.ts';
import { hashNewPassword, isPassword } from './passwords.ts';
import { deleteBegun, deletePasswordResets, findPasswordHash, updatePassword } from './queries.ts';

/** The person who changes the password, and the session that stays. */
export interface CurrentSession {
  userId: string;
  email: string;
  sessionId: string;
}

/** Ends all other sessions, and everything that was begun with the old password. */
export async function changePassword(
  app: Pick<App, 'db' | 'clock' | 'newId' | 'sealingKeys'>,
  { userId, email, sessionId }: CurrentSession,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
  caller: { ip: string },
) {
  const current = await findPasswordHash(app.db, userId);
  if (!current || !(await isPassword(current, currentPassword))) throw new Problem('current_password_wrong');
  const passwordHash = await hashNewPassword(newPassword, email);
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    await lockUser(tx, userId);
    // Another request may have changed it while this one computed hashes.
    if ((await findPasswordHash(tx, userId)) !== current) throw new Problem('current_password_wrong');
    await updatePassword(tx, userId, { passwordHash, accountId: app.newId() }, now);
    await deleteSessionsExcept(tx, userId, sessionId);
    await deletePasswordResets(tx, userId);
    await deleteBegun(tx, userId);
    await recordAudit(app, tx, { userId, event: 'password_changed', actor: userActor(userId, caller) });
    await queueMail(app, tx, { to: email, kind: 'password_changed', data: { at: now.toISOString() } });
  });
}
