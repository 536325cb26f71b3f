import type { App } from '../app.ts';
import { retryTransient } from '../db/retry-transient.ts';
import { Problem } from '../errors.ts';
import { deleteConnection } from './queries.ts';

/** Deletes the connection with its credentials. Posts that are already published stay on the platform. */
export async function disconnect({ db }: Pick<App, 'db'>, who: { userId: string }, platformId: string) {
  const [, platform, accountId] = /^([a-z]+)-([^\s/?#]+)$/.exec(platformId) ?? [];
  if (!platform || !accountId) throw new Problem('platform_id_unreadable');
  // A dispatcher may be working on the same posts. If the two deadlock, PostgreSQL aborts one of them.
  if (!(await retryTransient(() => deleteConnection(db, who.userId, platform, accountId))))
    throw new Problem('connection_not_found');
  return { success: true as const };
}
