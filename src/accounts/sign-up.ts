import type { z } from 'zod';
import type { App } from '../app.ts';
import { userActor } from '../audit/actors.ts';
import { recordAudit } from '../audit/audit-log.ts';
import { addUser, nameOf } from './add-user.ts';
import { acceptInvitation } from './invitations.ts';
import { hashNewPassword } from './passwords.ts';
import type { UserRow } from './queries.ts';
import type { SignUp } from './schema.ts';
import { requireOpenSignUp, verifiesAddresses } from './sign-up-policy.ts';
import { startVerification } from './verification.ts';

type Needs = Pick<App, 'db' | 'clock' | 'newId' | 'config' | 'sealingKeys' | 'publicUrl'>;

/**
 * Creates a user on the default plan, or the one of the invitation. Null: a mail was sent, and the user is created when its
 * address is verified. Then the answer is the same, in about the same time, whether or not the address has an account.
 */
export async function signUp(
  app: Needs,
  { email, password, name, token }: z.infer<typeof SignUp>,
  caller: { ip: string },
): Promise<UserRow | null> {
  if (token !== undefined) return acceptInvitation(app, { email, password, name, token }, caller);
  await requireOpenSignUp(app, app.db);
  const person = { email, name: nameOf(email, name), passwordHash: await hashNewPassword(password, email) };
  if (verifiesAddresses(app.config)) {
    await startVerification(app, person);
    return null;
  }
  return app.db.transaction().execute(async (tx) => {
    await requireOpenSignUp(app, tx);
    const user = await addUser(app, tx, person);
    await recordAudit(app, tx, { userId: user.id, event: 'signed_up', actor: userActor(user.id, caller) });
    return user;
  });
}
