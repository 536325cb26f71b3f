import type { App } from '../../../app.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { userActor } from '../../audit/actors.ts';
import type { CurrentSession } from '../../auth/access/session.ts';
import { hashNewPassword, isPassword } from '../../auth/passwords/passwords.ts';
import { deletePasswordResets, findPasswordHash } from '../../auth/passwords/queries.ts';
import { hasSession } from '../../auth/sessions/queries.ts';
import { inLockTurn } from '../../users/lock-turns.ts';
import { lockWithAllManaged } from '../workspace/queries.ts';
import { replacePassword } from './replace-password.ts';

interface PasswordChange {
  currentPassword: string;
  newPassword: string;
  endAccess?: boolean | undefined;
}

/**
 * Ends all other sessions and everything begun with the old password. With `endAccess`, also ends all access to the
 * account, or to the accounts it manages, that works without a password.
 */
export async function changePassword(
  app: Pick<App, 'db' | 'clock' | 'newId' | 'config' | 'sealingKeys'>,
  { userId, email, sessionId }: CurrentSession,
  { currentPassword, newPassword, endAccess = false }: PasswordChange,
  caller: { ip: string },
) {
  const current = await findPasswordHash(app.db, userId);
  if (!current || !(await isPassword(current, currentPassword))) throw new Problem('current_password_wrong');
  const passwordHash = await hashNewPassword(newPassword, email, caller.ip);
  const change = async (tx: Db) => {
    await lockWithAllManaged(tx, userId);
    // The owner may have ended this session while the request was in progress.
    if (!(await hasSession(tx, userId, sessionId))) throw new Problem('session_required');
    // Another request may have changed the password while this one computed hashes.
    if ((await findPasswordHash(tx, userId)) !== current) throw new Problem('current_password_wrong');
    await deletePasswordResets(tx, userId);
    const changed = { userId, email, passwordHash, endAccess, keptSession: sessionId };
    await replacePassword(app, tx, changed, { event: 'password_changed', actor: userActor(userId, caller) });
  };
  await inLockTurn(userId, () => app.db.transaction().execute(change));
}
