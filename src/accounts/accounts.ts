import type { z } from 'zod';
import type { App } from '../app.ts';
import type { Db } from '../db/database.ts';
import { isProblemKey, Problem } from '../errors.ts';
import { isId } from '../lib/ids.ts';
import type { PlanKey } from '../lib/plans.ts';
import { CreateApiKey } from './api-key-schema.ts';
import { addApiKey, createApiKey } from './api-keys.ts';
import { plainName } from './plain-name.ts';
import { findUserBy, insertUser, type UserRow, updatePlan, updateSwitches } from './queries.ts';
import { NewPlan, NewUser, type SignUp } from './schema.ts';

type Needs = Pick<App, 'db' | 'clock' | 'newId'>;
type NewUserNeeds = Needs & Pick<App, 'config'>;

/** Creates an account on the default plan. */
export const signUp = (app: NewUserNeeds, input: z.infer<typeof SignUp>) => addUser(app, app.db, input);

/** Creates a user with a first API key, on the default plan unless one is given. */
export async function createUser(
  app: NewUserNeeds,
  input: { email: string; password: string; plan?: PlanKey | undefined; name?: string },
) {
  const valid = check(NewUser, input);
  return app.db.transaction().execute(async (tx) => {
    const user = await addUser(app, tx, valid);
    const { rawKey } = await addApiKey(app, tx, user.id);
    return { ...user, apiKey: rawKey };
  });
}

/** Without `connections`, the plan decides how many connections the user may have. */
export async function setPlan(
  app: Pick<App, 'db' | 'clock'>,
  input: { user: string; plan: PlanKey; connections?: number },
) {
  const { plan, connections = null } = check(NewPlan, input);
  const user = await findUser(app, input.user);
  await updatePlan(app.db, user.id, plan, connections, app.clock.now());
  return { ...user, plan, connections };
}

export async function createKey(app: Needs, input: { user: string; name?: string }) {
  const { name } = check(CreateApiKey, input);
  const user = await findUser(app, input.user);
  return createApiKey(app, user.id, { name });
}

/** Allows the user's keys to act for the users that it manages. */
export async function enableWorkspace(app: Pick<App, 'db' | 'clock'>, input: { user: string }) {
  const user = await findUser(app, input.user);
  await updateSwitches(app.db, user.id, { workspace_enabled: true }, app.clock.now());
  return user;
}

export async function findUser({ db }: Pick<App, 'db'>, idOrEmail: string): Promise<UserRow> {
  const wanted = idOrEmail.trim().toLowerCase();
  const user = await findUserBy(db, isId(wanted) ? { id: wanted } : { email: wanted });
  if (!user) throw new Problem('user_not_found');
  return user;
}

async function addUser(app: NewUserNeeds, db: Db, input: z.infer<typeof NewUser>): Promise<UserRow> {
  const { email, password, plan = app.config.defaultPlan } = input;
  const name = plainName(input.name ?? '') || email.slice(0, email.indexOf('@'));
  const user = { id: app.newId(), email, name, plan };
  const { hashPassword } = await import('better-auth/crypto');
  const passwordHash = await hashPassword(password);
  const more = { planIsDefault: input.plan === undefined, accountId: app.newId(), passwordHash };
  const added = await insertUser(db, { ...user, ...more }, app.clock.now());
  if (!added) throw new Problem('email_taken');
  return user;
}

/** Validates input that did not come through a route. A message of the schema is a key of the problem table, or a text. */
function check<S extends z.ZodType>(schema: S, input: unknown): z.infer<S> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const { message = '', path = [] } = result.error.issues[0] ?? {};
  if (isProblemKey(message)) throw new Problem(message);
  throw new Problem('invalid_request', { error: `${path.join('.')}: ${message}` });
}
