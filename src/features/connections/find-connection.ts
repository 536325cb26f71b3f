import type { App } from '../../app.ts';
import { Problem } from '../../foundation/errors/index.ts';
import type { StoredConnection } from './connections.ts';
import { findByAccount, findByAccounts } from './queries.ts';

export interface AccountName {
  platform: string;
  accountId: string;
}

/** Null if this user has no connection to the account. */
export function connectionFor(
  { db }: Pick<App, 'db'>,
  userId: string,
  platform: string,
  accountId: string,
): Promise<StoredConnection | null> {
  return findByAccount(db, userId, platform, accountId);
}

/** Like `connectionFor`, for many accounts. Accounts that are not connected are omitted. */
export function connectionsFor(
  { db }: Pick<App, 'db'>,
  userId: string,
  accounts: readonly AccountName[],
): Promise<StoredConnection[]> {
  return findByAccounts(db, userId, accounts);
}

/** The connection that a request identifies as `<platform>-<account id>`. */
export async function requireConnection(
  app: Pick<App, 'db'>,
  userId: string,
  platformId: string,
): Promise<StoredConnection> {
  const [, platform, accountId] = /^([a-z]+)-([^\s/?#]+)$/.exec(platformId) ?? [];
  if (!platform || !accountId) throw new Problem('platform_id_unreadable');
  const found = await connectionFor(app, userId, platform, accountId);
  if (!found) throw new Problem('connection_not_found');
  return found;
}
