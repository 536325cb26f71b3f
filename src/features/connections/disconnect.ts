import type { App } from '../../app.ts';
import { Problem } from '../../foundation/errors/index.ts';
import { systemActor } from '../audit/actors.ts';
import type { Actor } from '../audit/audit-entry.ts';
import { recordAudit } from '../audit/audit-log.ts';
import { type Caller, inLiveTurn } from '../auth/api-keys/live-credential.ts';
import { inLockTurn } from '../users/lock-turns.ts';
import { deleteConnection, selectConnectionsOf, selectGrantedBy, selectSandboxConnections } from './queries.ts';

/** Deletes the connection with its credentials. Published posts stay on the platform. */
export async function disconnect(
  app: Pick<App, 'db' | 'clock' | 'newId'>,
  { userId, ownerId = userId, credential = null }: Pick<Caller, 'userId'> & Partial<Caller>,
  platformId: string,
  actor: Actor = systemActor,
) {
  const [, platform, accountId] = /^([a-z]+)-([^\s/?#]+)$/.exec(platformId) ?? [];
  if (!platform || !accountId) throw new Problem('platform_id_unreadable');
  const remove = () => deleteRecorded(app, { userId, platform, accountId }, actor);
  if (!(await inLiveTurn(app, { userId, ownerId, credential }, remove))) throw new Problem('connection_not_found');
  return { success: true as const };
}

/** Deletes all connections to sandbox accounts, which do not exist on the real networks. Returns their number. */
export async function disconnectSandbox(app: Pick<App, 'db' | 'clock' | 'newId'>): Promise<number> {
  const found = await selectSandboxConnections(app.db);
  for (const connection of found) await remove(app, connection, systemActor);
  return found.length;
}

/** Deletes all connections of a user who is being deleted. Returns their number. */
export async function disconnectUser(
  app: Pick<App, 'db' | 'clock' | 'newId'>,
  userId: string,
  actor: Actor,
): Promise<number> {
  const found = await selectConnectionsOf(app.db, userId);
  for (const { platform, accountId } of found) await remove(app, { userId, platform, accountId }, actor);
  return found.length;
}

/** Deletes all connections that a person has granted on a network, regardless of which users have them. */
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

const remove = (app: Pick<App, 'db' | 'clock' | 'newId'>, connection: Named, actor: Actor): Promise<boolean> =>
  inLockTurn(connection.userId, () => deleteRecorded(app, connection, actor));

/** Returns false if there was none. */
const deleteRecorded = (
  app: Pick<App, 'db' | 'clock' | 'newId'>,
  { userId, platform, accountId }: Named,
  actor: Actor,
): Promise<boolean> =>
  app.db.transaction().execute(async (tx) => {
    const handle = await deleteConnection(tx, userId, platform, accountId);
    if (handle === null) return false;
    const details = { platformId: `${platform}-${accountId}`, handle };
    await recordAudit(app, tx, { userId, event: 'connection_removed', actor, details });
    return true;
  });
