import type { App } from '../../../app.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { hasUsers, lockFirstUser } from './queries.ts';

/** Whether a new account begins with a mail to its address. */
export const verifiesAddresses = ({ platformMode, mailServer }: App['config']) =>
  platformMode === 'live' && mailServer !== null;

/** Refuses people without an invitation where sign-up is not open to them. */
export async function requireOpenSignUp({ config: { signUp } }: Pick<App, 'config'>, db: Db) {
  if (signUp === 'open') return;
  if (signUp === 'invite') throw new Problem('invitation_required');
  if (signUp === 'closed') throw new Problem('sign_up_closed');
  // Of several people who want to be the first at once, one succeeds.
  if (db.isTransaction) await lockFirstUser(db);
  if (await hasUsers(db)) throw new Problem('sign_up_closed');
}

/** Refuses people with an invitation where nobody can sign up. */
export function requireInvitable({ config: { signUp } }: Pick<App, 'config'>) {
  if (signUp === 'closed') throw new Problem('sign_up_closed');
}
