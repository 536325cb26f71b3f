import type { App } from '../../../src/app.ts';
import type { PlanKey } from '../../../src/config/plans.ts';
import { addApiKey } from '../../../src/features/auth/api-keys/api-keys.ts';
import { insertUser } from '../../../src/features/users/queries.ts';

/** The password of every user made here. */
export const testPassword = 'long enough';

/**
 * A user with a first API key, as `createUser` creates it. Hashing a password takes 100 ms of CPU time by design, so
 * all users of a worker share one hash.
 */
export async function insertTestUser(app: Pick<App, 'db' | 'clock' | 'newId'>, { email, plan }: NewTestUser) {
  const user = { id: app.newId(), email, name: email.slice(0, email.indexOf('@')), plan };
  const account = { planIsDefault: false, accountId: app.newId() };
  const passwordHash = await sharedHash();
  return app.db.transaction().execute(async (tx) => {
    const added = await insertUser(tx, { ...user, ...account, passwordHash }, app.clock.now());
    if (!added) throw new Error(`There is a user ${email} already.`);
    const { rawKey } = await addApiKey(app, tx, user.id);
    return { ...user, apiKey: rawKey };
  });
}

export interface NewTestUser {
  email: string;
  plan: PlanKey;
}

let hash: Promise<string> | undefined;

function sharedHash(): Promise<string> {
  hash ??= import('better-auth/crypto').then(({ hashPassword }) => hashPassword(testPassword));
  return hash;
}
