import type { App } from '../../app.ts';
import type { PlanKey } from '../../config/plans.ts';
import type { Db } from '../../foundation/db/database.ts';
import { Problem } from '../../foundation/errors/index.ts';
import { plainName } from './plain-name.ts';
import { insertUser, type UserRow } from './queries.ts';

export interface NewPerson {
  email: string;
  name?: string | undefined;
  passwordHash: string;
  /** Defaults to a new id. */
  id?: string;
  /** Defaults to the default plan. */
  plan?: PlanKey | undefined;
  /** Whether the user has proven that they receive mail at the address. */
  emailVerified?: boolean;
}

/** Creates a user who signs in with a password. */
export async function addUser(
  app: Pick<App, 'clock' | 'newId' | 'config'>,
  db: Db,
  { email, passwordHash, id = app.newId(), plan, emailVerified = false, ...person }: NewPerson,
): Promise<UserRow> {
  const user = { id, email, name: nameOf(email, person.name), plan: plan ?? app.config.defaultPlan };
  const more = { planIsDefault: plan === undefined, emailVerified, accountId: app.newId(), passwordHash };
  const added = await insertUser(db, { ...user, ...more }, app.clock.now());
  if (!added) throw new Problem('email_taken');
  return user;
}

/** Without a name, the local part of the address is used. */
export const nameOf = (email: string, name = '') => plainName(name) || email.slice(0, email.indexOf('@'));
