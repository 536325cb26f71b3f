import type { App } from '../../../app.ts';
import type { PlanKey } from '../../../config/plans.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { forgetParentsOf } from '../../../foundation/db/parent-ids.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { isId } from '../../../foundation/lib/ids.ts';
import { operatorActor } from '../../audit/actors.ts';
import type { Actor } from '../../audit/audit-entry.ts';
import { recordAudit } from '../../audit/audit-log.ts';
import { addApiKey } from '../../auth/api-keys/api-keys.ts';
import { hashNewPassword } from '../../auth/passwords/passwords.ts';
import { addUser } from '../../users/add-user.ts';
import { checkInput } from '../../users/check-input.ts';
import { findUserBy, type UserRow, updatePlan } from '../../users/queries.ts';
import { NewPlan, NewUser } from '../../users/schema.ts';
import { countOwned, deleteMailsTo, deleteUserRow, selectUsers, type UserFilter } from './queries.ts';

export type { ListedUser } from './queries.ts';

/** Creates a user with a first API key, on the default plan unless one is given. */
export async function createUser(
  app: Pick<App, 'db' | 'clock' | 'newId'> & Pick<App, 'config'>,
  input: { email: string; password: string; plan?: PlanKey | undefined; name?: string },
) {
  const { password, ...person } = checkInput(NewUser, input);
  const passwordHash = await hashNewPassword(password, person.email, person.email);
  return app.db.transaction().execute(async (tx) => {
    const user = await addUser(app, tx, { ...person, passwordHash });
    await recordAudit(app, tx, { userId: user.id, event: 'signed_up', actor: operatorActor() });
    const { rawKey } = await addApiKey(app, tx, user.id, {}, operatorActor());
    return { ...user, apiKey: rawKey };
  });
}

/** Without `connections`, the plan decides how many connections the user may have. */
export async function setPlan(
  app: Pick<App, 'db' | 'clock' | 'newId'>,
  input: { user: string; plan: PlanKey; connections?: number },
) {
  const { plan, connections = null } = checkInput(NewPlan, input);
  const user = await findUser(app, input.user);
  await app.db.transaction().execute(async (tx) => {
    await updatePlan(tx, user.id, plan, connections, app.clock.now());
    const details = { from: user.plan, to: plan, connections };
    await recordAudit(app, tx, { userId: user.id, event: 'plan_changed', actor: operatorActor(), details });
  });
  return { ...user, plan, connections };
}

export async function findUser({ db }: Pick<App, 'db'>, idOrEmail: string): Promise<UserRow> {
  const wanted = idOrEmail.trim().toLowerCase();
  const user = await findUserBy(db, isId(wanted) ? { id: wanted } : { email: wanted });
  if (!user) throw new Problem('user_not_found');
  return user;
}

/** Returns one more than `limit` if there are more. */
export const listUsers = ({ db, clock }: Pick<App, 'db' | 'clock'>, filter: UserFilter) =>
  selectUsers(db, { ...filter, limit: filter.limit + 1 }, clock.now());

export const ownedBy = ({ db }: Pick<App, 'db'>, userId: string) => countOwned(db, userId);

/**
 * Deletes the user and everything that refers to it. The audit log stays, and so do mails to a user without a password:
 * no one has proven that the address is theirs. `atEnd` is part of the transaction.
 */
export async function eraseUser(
  app: Pick<App, 'db' | 'clock' | 'newId'>,
  { id }: Pick<UserRow, 'id'>,
  by: Actor = operatorActor(),
  atEnd: (tx: Db, email: string) => Promise<unknown> = async () => {},
) {
  await app.db.transaction().execute(async (tx) => {
    const erased = await deleteUserRow(tx, id);
    if (!erased) throw new Problem('user_has_managed_users');
    const { email, hadPassword } = erased;
    await forgetParentsOf(tx, id);
    if (hadPassword) await deleteMailsTo(tx, email);
    await recordAudit(app, tx, { userId: id, event: 'deleted', actor: by, details: { email } });
    await atEnd(tx, email);
  });
}
