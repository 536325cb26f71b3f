import type { App } from '../../../app.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { requireLiveLink } from '../../accounts/workspace/connection-links.ts';
import type { Actor } from '../../audit/audit-entry.ts';
import { requireLive } from '../../auth/api-keys/live-credential.ts';

/** The future owner of the account: a signed-in user, or the managed user of a connection link. */
export interface Owner {
  userId: string;
  linkHash?: Buffer;
  /** Everything that begins in a session ends with it. */
  sessionId?: string;
  /** For the audit log. Defaults to the service itself. */
  actor?: Actor;
}

/**
 * Requires that the session or link did not end during the request to the network, and prevents it from ending until
 * the transaction ends. A session or link that ends leaves nothing behind.
 */
export async function requireLiveOwner(
  app: Pick<App, 'clock'>,
  tx: Db,
  { userId, sessionId, linkHash }: Owner,
): Promise<void> {
  if (sessionId !== undefined) await requireLive(app, tx, { userId, sessionId });
  if (linkHash !== undefined) await requireLiveLink(app, tx, userId, linkHash);
}
