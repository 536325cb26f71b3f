import type { Core } from '../../../app.ts';
import { findUser } from '../../../features/accounts/operator/users.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { AdminError } from '../error-message.ts';

/** The user given by `--user`. */
export async function requireUser(core: Core, idOrEmail: string) {
  try {
    return await findUser(core, idOrEmail);
  } catch (error) {
    if (!(error instanceof Problem) || error.key !== 'user_not_found') throw error;
    throw new AdminError(
      `User "${idOrEmail}" not found. Use the id or email of an existing user, or create one with create-user.`,
      error.code,
    );
  }
}
