import type { App } from '../../../app.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { requireLiveLink } from '../../accounts/workspace/connection-links.ts';
import type { Actor } from '../../audit/audit-entry.ts';
import { type SessionCredential, whoBySession } from '../../auth/access/api-key.ts';
import { requireLive } from '../../auth/api-keys/live-credential.ts';

/** The future owner of the account: a signed-in user, or a managed user, by a connection link or the owner's session. */
export interface Owner {
  userId: string;
  /** The owner of a managed user. Default: the user. */
  ownerId?: string;
  linkHash?: Buffer;
  /** Everything that begins in a session ends with it. */
  session?: SessionCredential;
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
  { userId, session, linkHash }: Owner,
): Promise<void> {
  if (session) await requireLiveSession(app, tx, session, userId);
  if (linkHash !== undefined) await requireLiveLink(app, tx, userId, linkHash);
}

/** The return from a consent page names no user and is a GET request, so what other changes require is checked here. */
async function requireLiveSession(app: Pick<App, 'clock'>, tx: Db, session: SessionCredential, userId: string) {
  await requireLive(app, tx, session, userId);
  await whoBySession(app, tx, session, userId === session.userId ? null : userId, true);
}
