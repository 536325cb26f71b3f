import type { App } from '../../app.ts';
import { inTransaction } from '../../foundation/db/database.ts';
import type { Json } from '../../foundation/lib/json.ts';
import { seal } from '../../foundation/lib/seal.ts';
import { storable } from '../../foundation/lib/storable.ts';
import { platformClient, secretsOf } from '../../platforms/kit/http/client.ts';
import { type Account, type Context, type Grant, type Platform, PlatformError } from '../../platforms/kit/index.ts';
import { systemActor } from '../audit/actors.ts';
import type { Actor } from '../audit/audit-entry.ts';
import { recordAudit } from '../audit/audit-log.ts';
import { ensureFreshCredentials, type RenewalApp } from './credentials/renew.ts';
import { credentialsOf, sealingContext } from './credentials/stored-credentials.ts';
import { type StoredConnection, upsertConnection } from './queries.ts';

export { commentsSkipped } from './detach-queries.ts';
export { findConnection, noticeUnlessRecovered, type StoredConnection } from './queries.ts';

/** Stores the result of a connect flow. An account that is already connected gets the new credentials. */
export async function storeGrant(
  app: Pick<App, 'db' | 'clock' | 'newId' | 'sealingKeys' | 'sandboxUrl'>,
  userId: string,
  platform: string,
  grant: Grant<Json>,
  actor: Actor = systemActor,
): Promise<{ platformId: string; handle: string }> {
  const { account } = grant;
  const connection = {
    id: app.newId(),
    userId,
    platform,
    account,
    sandbox: app.sandboxUrl !== null,
    credentials: seal(JSON.stringify(grant.credentials), sealingContext(userId, platform, account.id), app.sealingKeys),
    scopes: grant.scopes.map(storable),
    expiresAt: grant.expiresAt,
    refreshExpiresAt: grant.refreshExpiresAt ?? null,
    now: app.clock.now(),
  };
  const details = { platformId: `${platform}-${account.id}`, handle: account.handle };
  await inTransaction(app.db, async (tx) => {
    const isNew = await upsertConnection(tx, connection);
    const event = isNew ? 'connection_added' : 'connection_renewed';
    await recordAudit(app, tx, { userId, event, actor, details });
  });
  return details;
}

/**
 * Runs `work` as the account. Credentials are renewed before they expire. If the platform rejects them although they
 * have not expired, they are renewed and `work` runs once more.
 */
export async function withContext<T>(
  app: RenewalApp,
  platform: Platform,
  stored: StoredConnection,
  signal: AbortSignal,
  work: (context: Context<never>) => Promise<T>,
  /** Called with the connection in use, because a rejection applies to the credentials that were sent. */
  onUse: (current: StoredConnection) => void = () => {},
): Promise<T> {
  const run = (connection: StoredConnection) => {
    onUse(connection);
    return work(contextOn(app, platform, connection, signal));
  };
  const current = await ensureFreshCredentials(app, platform, stored, signal, 'if due');
  try {
    return await run(current);
  } catch (error) {
    const refused = error instanceof PlatformError && error.kind === 'auth' ? error : null;
    if (!refused || !platform.connect.refresh) throw error;
    // If the renewal is rejected as well, report the first rejection: it is about the account, the second only about
    // the refresh token. A 401 means that a stored password was rejected. A temporary failure is reported as such.
    const next = await ensureFreshCredentials(app, platform, current, signal, 'now').catch((failure) => {
      throw failure instanceof PlatformError && failure.kind === 'auth' && failure.status !== 401 ? refused : failure;
    });
    return await run(next);
  }
}

/**
 * Like `withContext`, but if the credentials are rejected, `work` runs with them anyway: it may not need the
 * platform.
 */
export async function withAnyContext<T>(
  app: RenewalApp,
  platform: Platform,
  stored: StoredConnection,
  signal: AbortSignal,
  work: (context: Context<never>) => Promise<T>,
): Promise<T> {
  try {
    return await withContext(app, platform, stored, signal, work);
  } catch (error) {
    if (!(error instanceof PlatformError && error.kind === 'auth')) throw error;
    return await work(contextOn(app, platform, stored, signal));
  }
}

/** The type is `never` because each adapter gets credentials that its own schema has just parsed. */
function contextOn(app: RenewalApp, platform: Platform, connection: StoredConnection, signal: AbortSignal) {
  const credentials = credentialsOf(app, platform, connection);
  const context = {
    ...platformClient(app.platformAccess, platform.id, signal, secretsOf(platform.credentials, credentials)),
    account: accountOf(connection),
    credentials,
  };
  return context as Context<never>;
}

export const accountOf = (connection: StoredConnection): Account => {
  const { accountId: id, handle, displayName, avatarUrl, profileUrl, traits } = connection;
  return { id, handle, displayName, avatarUrl, profileUrl, traits };
};
