import type { App } from '../../../app.ts';
import type { Db } from '../../../foundation/db/database.ts';
import type { Actor } from '../../audit/audit-entry.ts';
import { recordAudit } from '../../audit/audit-log.ts';
import { deleteDevices } from '../sessions/devices-queries.ts';
import { deletePasskeys } from './queries.ts';

type EndingApp = Pick<App, 'clock' | 'newId'>;

/**
 * Ends passkeys that the owner of the workspace may have added. If there are any, a sign-in of the owner may have made
 * a device known, whose attempts no longer count as those of a stranger, so all devices are forgotten.
 */
export async function endMembershipPasskeys(app: EndingApp, tx: Db, userId: string, actor: Actor) {
  if ((await endPasskeys(app, tx, userId, true, actor)) > 0) await deleteDevices(tx, userId);
}

/** Ends every passkey of the user. Returns their number. */
export const endAllPasskeys = (app: EndingApp, tx: Db, userId: string, actor: Actor) =>
  endPasskeys(app, tx, userId, false, actor);

async function endPasskeys(app: EndingApp, tx: Db, userId: string, onlyOfMembership: boolean, actor: Actor) {
  const names = await deletePasskeys(tx, userId, onlyOfMembership);
  for (const name of names) await recordAudit(app, tx, { userId, event: 'passkey_removed', actor, details: { name } });
  return names.length;
}
