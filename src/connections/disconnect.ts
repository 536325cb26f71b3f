import type { App } from '../app.ts';
import { retryTransient } from '../db/retry-transient.ts';
import { Problem } from '../errors.ts';
import { deleteConnection, selectSandboxConnections } from './queries.ts';

/** Deletes the connection with its credentials. Posts that are already published stay on the platform. */
export async function disconnect({ db }: Pick<App, 'db'>, who: { userId: string }, platformId: string) {
  const [, platform, accountId] = /^([a-z]+)-([^\s/?#]+)$/.exec(platformId) ?? [];
  if (!platform || !accountId) throw new Problem('platform_id_unreadable');
  // A dispatcher may be working on the same posts. If the two deadlock, PostgreSQL aborts one of them.
  if (!(await retryTransient(() => deleteConnection(db, who.userId, platform, accountId))))
    throw new Problem('connection_not_found');
  return { success: true as const };
}

/** Ends all connections to accounts of the sandbox, which do not exist on the real networks. Returns how many there were. */
export async function disconnectSandbox({ db }: Pick<App, 'db'>): Promise<number> {
  const found = await selectSandboxConnections(db);
  for (const { userId, platform, accountId } of found)
    await retryTransient(() => deleteConnection(db, userId, platform, accountId));
  return found.length;
}
