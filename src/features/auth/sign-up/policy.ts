import type { App } from '../../../app.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { hasUsers, lockFirstUser } from './queries.ts';

/** Whether sign-up starts with a mail to the address. */
export const verifiesAddresses = ({ platformMode, mailServer }: App['config']) =>
  platformMode === 'live' && mailServer !== null;

/** Rejects sign-ups without an invitation where sign-up is not open. */
export async function requireOpenSignUp({ config: { signUp } }: Pick<App, 'config'>, db: Db) {
  if (signUp === 'open') return;
  if (signUp === 'invite') throw new Problem('invitation_required');
  if (signUp === 'closed') throw new Problem('sign_up_closed');
  // If several people try to become the first user at the same time, one succeeds.
  if (db.isTransaction) await lockFirstUser(db);
  if (await hasUsers(db)) throw new Problem('sign_up_closed');
}

/** Rejects sign-ups with an invitation where sign-up is closed to everyone. */
export function requireInvitable({ config: { signUp } }: Pick<App, 'config'>) {
  if (signUp === 'closed') throw new Problem('sign_up_closed');
}
