import type { z } from 'zod';
import type { App } from '../../../app.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { userActor } from '../../audit/actors.ts';
import { recordAudit } from '../../audit/audit-log.ts';
import { addUser, nameOf } from '../../users/add-user.ts';
import type { UserRow } from '../../users/queries.ts';
import type { SignUp } from '../../users/schema.ts';
import { hashNewPassword } from '../passwords/passwords.ts';
import { acceptInvitation } from './invitations.ts';
import { requireOpenSignUp, verifiesAddresses } from './policy.ts';
import { startVerification } from './verification.ts';

/**
 * Creates a user on the default plan or the plan of the invitation. Null if a mail was sent: the user is created
 * after verifying the address and choosing a password. In that case the response and its timing do not depend on
 * whether the address has an account.
 */
export async function signUp(
  app: Pick<App, 'db' | 'clock' | 'newId' | 'config' | 'sealingKeys' | 'publicUrl'>,
  { email, password, name, token }: z.infer<typeof SignUp>,
  caller: { ip: string },
): Promise<UserRow | null> {
  const isInvited = token !== undefined;
  if (!isInvited) await requireOpenSignUp(app, app.db);
  const person = { email, name: nameOf(email, name) };
  if (!isInvited && verifiesAddresses(app.config)) {
    const passwordHash = password === undefined ? null : await hashNewPassword(password, email, caller.ip);
    await startVerification(app, { ...person, passwordHash }, caller);
    return null;
  }
  if (password === undefined) throw new Problem('invalid_password');
  if (isInvited) return acceptInvitation(app, { email, password, name, token }, caller);
  const passwordHash = await hashNewPassword(password, email, caller.ip);
  return app.db.transaction().execute(async (tx) => {
    await requireOpenSignUp(app, tx);
    const user = await addUser(app, tx, { ...person, passwordHash });
    await recordAudit(app, tx, { userId: user.id, event: 'signed_up', actor: userActor(user.id, caller) });
    return user;
  });
}
