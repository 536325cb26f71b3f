import { findUser } from '../accounts/accounts.ts';
import type { Core } from '../app.ts';
import { Problem } from '../errors.ts';
import { AdminError } from './error-message.ts';

/** The user that `--user` names. */
export async function requireUser(core: Core, idOrEmail: string) {
  try {
    return await findUser(core, idOrEmail);
  } catch (error) {
    if (!(error instanceof Problem) || error.key !== 'user_not_found') throw error;
    throw new AdminError(
      `There is no user "${idOrEmail}". Give the id or the e-mail of one that exists, or make one with create-user.`,
    );
  }
}
