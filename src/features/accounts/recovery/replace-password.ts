import type { App } from '../../../app.ts';
import type { Db } from '../../../foundation/db/database.ts';
import type { Actor } from '../../audit/audit-entry.ts';
import { recordAudit } from '../../audit/audit-log.ts';
import { deleteBegun, updatePassword } from '../../auth/passwords/queries.ts';
import { deleteDevices } from '../../auth/sessions/devices-queries.ts';
import { deleteSessionsExcept } from '../../auth/sessions/queries.ts';
import { queueMail } from '../../mail/mails.ts';
import { endStandingAccess, listStandingAccess } from './standing-access.ts';

interface NewPassword {
  userId: string;
  email: string;
  passwordHash: string;
  /** Also ends all access to the account, or to the accounts it manages, that works without a password. */
  endAccess: boolean;
  /** The session that stays. Null for none. */
  keptSession: string | null;
}

/**
 * Sets the password, and ends sessions and everything a thief may have begun. The mail says what happened to other
 * access. Must run under `lockWithAllManaged`.
 */
export async function replacePassword(
  app: Pick<App, 'db' | 'clock' | 'newId' | 'config' | 'sealingKeys'>,
  tx: Db,
  { userId, email, passwordHash, endAccess, keptSession }: NewPassword,
  { event, actor }: { event: 'password_changed' | 'password_reset'; actor: Actor },
) {
  const now = app.clock.now();
  await updatePassword(tx, userId, { passwordHash, accountId: app.newId() }, now);
  await deleteSessionsExcept(tx, userId, keptSession);
  await deleteBegun(tx, userId);
  const access = await listStandingAccess({ ...app, db: tx }, userId);
  const hadAccess = access.some(({ kind }) => kind !== 'member');
  // A thief who signed in once must not count as known, with attempts counted separately from those of strangers.
  if (endAccess) await deleteDevices(tx, userId);
  const details = endAccess ? await endStandingAccess(app, tx, userId, actor) : {};
  await recordAudit(app, tx, { userId, event, actor, details });
  const otherAccess = endAccess ? 'ended' : 'kept';
  const data = { at: now.toISOString(), ...(hadAccess && ({ otherAccess } as const)) };
  await queueMail(app, tx, { to: email, kind: 'password_changed', data });
}
