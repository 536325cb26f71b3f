import type { App } from '../../app.ts';
import type { Db } from '../../foundation/db/database.ts';
import { Problem } from '../../foundation/errors/index.ts';
import { findHold } from './queries.ts';

/** For dashboard actions by someone else on behalf of the user. The reason for the hold is visible only to the user. */
export async function requireNoHold({ clock }: Pick<App, 'clock'>, db: Db, userId: string): Promise<void> {
  const hold = await findHold(db, userId, clock.now());
  if (!hold) return;
  throw new Problem('account_on_hold', {
    message: 'The account of this user is temporarily on hold.',
    holdExpiresAt: hold.expiresAt?.toISOString() ?? null,
    holdReason: null,
  });
}
