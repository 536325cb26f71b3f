import type { App } from '../../app.ts';
import { Problem } from '../../foundation/errors/index.ts';
import { operatorActor } from '../audit/actors.ts';
import { recordAudit } from '../audit/audit-log.ts';
import { countOwned, deleteMailsTo, deleteUserRow, selectUsers, type UserFilter } from './operator-queries.ts';
import type { UserRow } from './queries.ts';

export type { ListedUser } from './operator-queries.ts';

/** Returns one more than `limit` if there are more. */
export const listUsers = ({ db, clock }: Pick<App, 'db' | 'clock'>, filter: UserFilter) =>
  selectUsers(db, { ...filter, limit: filter.limit + 1 }, clock.now());

export const ownedBy = ({ db }: Pick<App, 'db'>, userId: string) => countOwned(db, userId);

/** Deletes the user and everything that refers to it. The audit log stays. */
export async function eraseUser(
  app: Pick<App, 'db' | 'clock' | 'newId'>,
  { id, email }: Pick<UserRow, 'id' | 'email'>,
) {
  await app.db.transaction().execute(async (tx) => {
    if (!(await deleteUserRow(tx, id))) throw new Problem('user_has_managed_users');
    await deleteMailsTo(tx, email);
    await recordAudit(app, tx, { userId: id, event: 'deleted', actor: operatorActor(), details: { email } });
  });
}
