import { Problem } from '../../foundation/errors/index.ts';

/** An account that will be erased can be read. Nothing in it changes, so that its user can keep it as it is. */
export function requireStaying({ deletionAt }: { deletionAt?: Date | null | undefined }): void {
  if (deletionAt) throw new Problem('account_being_deleted', { deletionAt: deletionAt.toISOString() });
}
