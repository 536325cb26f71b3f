import type { App } from '../../app.ts';
import { retryTransient } from '../../foundation/db/retry-transient.ts';
import { Problem } from '../../foundation/errors/index.ts';
import { systemActor } from '../audit/actors.ts';
import type { Actor } from '../audit/audit-entry.ts';
import { recordAudit } from '../audit/audit-log.ts';
import { deleteConnection, selectConnectionsOf, selectGrantedBy, selectSandboxConnections } from './queries.ts';

/** Deletes the connection with its credentials. Posts that are already published stay on the platform. */
export async function disconnect(
  app: Pick<App, 'db' | 'clock' | 'newId'>,
  who: { userId: string },
  platformId: string,
  actor: Actor = systemActor,
) {
  const [, platform, accountId] = /^([a-z]+)-([^\s/?#]+)$/.exec(platformId) ?? [];
  if (!platform || !accountId) throw new Problem('platform_id_unreadable');
  if (!(await remove(app, { userId: who.userId, platform, accountId }, actor)))
    throw new Problem('connection_not_found');
  return { success: true as const };
}

/** Ends all connections to accounts of the sandbox, which do not exist on the real networks. Returns how many there were. */
export async function disconnectSandbox(app: Pick<App, 'db' | 'clock' | 'newId'>): Promise<number> {
  const found = await selectSandboxConnections(app.db);
  for (const connection of found) await remove(app, connection, systemActor);
  return found.length;
}

/** Ends all connections of a user who is being deleted. Returns how many there were. */
export async function disconnectUser(
  app: Pick<App, 'db' | 'clock' | 'newId'>,
  userId: string,
  actor: Actor,
): Promise<number> {
  const found = await selectConnectionsOf(app.db, userId);
  for (const { platform, accountId } of found) await remove(app, { userId, platform, accountId }, actor);
  return found.length;
}

/** Ends all connections that a person has granted at a network, no matter which user has them. */
export async function disconnectPerson(
  app: Pick<App, 'db' | 'clock' | 'newId'>,
  platform: string,
  person: string,
): Promise<void> {
  for (const connection of await selectGrantedBy(app.db, platform, person)) await remove(app, connection, systemActor);
}

interface Named {
  userId: string;
  platform: string;
  accountId: string;
}

/** False if there was none. */
function remove(
  app: Pick<App, 'db' | 'clock' | 'newId'>,
  { userId, platform, accountId }: Named,
  actor: Actor,
): Promise<boolean> {
  const work = () =>
    app.db.transaction().execute(async (tx) => {
      const handle = await deleteConnection(tx, userId, platform, accountId);
      if (handle === null) return false;
      const details = { platformId: `${platform}-${accountId}`, handle };
      await recordAudit(app, tx, { userId, event: 'connection_removed', actor, details });
      return true;
    });
  // A dispatcher may be working on the same posts. If the two deadlock, PostgreSQL aborts one of them.
  return retryTransient(work);
}
