import type { z } from 'zod';
import type { App } from '../../app.ts';
import type { PlanKey } from '../../config/plans.ts';
import { Problem } from '../../foundation/errors/index.ts';
import { isId } from '../../foundation/lib/ids.ts';
import { operatorActor } from '../audit/actors.ts';
import type { Actor } from '../audit/audit-entry.ts';
import { recordAudit } from '../audit/audit-log.ts';
import { addApiKey, createApiKey } from '../auth/api-keys/api-keys.ts';
import { CreateApiKey } from '../auth/api-keys/schema.ts';
import { hashNewPassword } from '../auth/passwords/passwords.ts';
import { addUser } from '../users/add-user.ts';
import { checkInput } from '../users/check-input.ts';
import { findUserBy, type UserRow, updatePlan, updateSwitches } from '../users/queries.ts';
import { NewPlan, NewUser } from '../users/schema.ts';

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

export async function createKey(
  app: Pick<App, 'db' | 'clock' | 'newId'>,
  input: { user: string } & z.input<typeof CreateApiKey>,
  actor: Actor = operatorActor(),
) {
  const key = checkInput(CreateApiKey, input);
  const user = await findUser(app, input.user);
  return createApiKey(app, user.id, key, actor);
}

/** Allows the user's keys to act for the users that it manages. */
export async function enableWorkspace(app: Pick<App, 'db' | 'clock' | 'newId'>, input: { user: string }) {
  const user = await findUser(app, input.user);
  await app.db.transaction().execute(async (tx) => {
    await updateSwitches(tx, user.id, { workspace_enabled: true }, app.clock.now());
    const details = { workspace: true };
    await recordAudit(app, tx, { userId: user.id, event: 'access_changed', actor: operatorActor(), details });
  });
  return user;
}

export async function findUser({ db }: Pick<App, 'db'>, idOrEmail: string): Promise<UserRow> {
  const wanted = idOrEmail.trim().toLowerCase();
  const user = await findUserBy(db, isId(wanted) ? { id: wanted } : { email: wanted });
  if (!user) throw new Problem('user_not_found');
  return user;
}
