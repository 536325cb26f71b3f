import type { App } from '../../../app.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { requireLiveLink } from '../../accounts/workspace/connection-links.ts';
import type { Actor } from '../../audit/audit-entry.ts';
import { requireLive } from '../../auth/api-keys/live-credential.ts';

/** Whose account it will be: a person who is signed in, or the managed user of a connection link. */
export interface Owner {
  userId: string;
  linkHash?: Buffer;
  /** What begins in a session ends with it. */
  sessionId?: string;
  /** For the audit log. Default: the service itself. */
  actor?: Actor;
}

/**
 * Requires that the session or the link has not ended while a network was asked. Until the transaction ends, it does not end:
 * one that ends leaves nothing behind.
 */
export async function requireLiveOwner(
  app: Pick<App, 'clock'>,
  tx: Db,
  { userId, sessionId, linkHash }: Owner,
): Promise<void> {
  if (sessionId !== undefined) await requireLive(app, tx, { userId, sessionId });
  if (linkHash !== undefined) await requireLiveLink(app, tx, userId, linkHash);
}
