import type { App } from '../app.ts';
import { retryTransient } from '../db/retry-transient.ts';
import { Problem } from '../errors.ts';
import { deleteConnection } from './queries.ts';

/** Forgets the account and our way into it. What was published stays published. */
export async function disconnect({ db }: Pick<App, 'db'>, who: { userId: string }, platformId: string) {
  const [, platform, accountId] = /^([a-z]+)-([^\s/?#]+)$/.exec(platformId) ?? [];
  if (!platform || !accountId) throw new Problem('platform_id_unreadable');
  // A dispatcher may be at its posts just now: PostgreSQL ends one of two that wait for each other.
  if (!(await retryTransient(() => deleteConnection(db, who.userId, platform, accountId))))
    throw new Problem('connection_not_found');
  return { success: true as const };
}
