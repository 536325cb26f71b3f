import { platformFor } from '../../../platforms/index.ts';
import { type Platform, PlatformError } from '../../../platforms/kit/index.ts';
import { type StoredConnection, withContext } from '../connections.ts';
import { claimAccountRefresh, recordAccount } from '../queries.ts';
import type { RenewalApp } from './renew.ts';

const dayMs = 86_400_000;

/**
 * If the limits depend on the account (its paid tier, its server), reads them from the platform again, at most once a
 * day. If the platform fails, the known limits stay in use until the next day.
 */
export async function refreshAccount(
  app: RenewalApp,
  connection: StoredConnection,
  lastRead: Date,
  signal: AbortSignal,
) {
  const platform: Platform | null = platformFor(connection.platform);
  const now = app.clock.now();
  const yesterday = new Date(now.getTime() - dayMs);
  if (!platform?.limitsFor || lastRead > yesterday || signal.aborted) return;
  if (!(await claimAccountRefresh(app.db, connection.id, now, yesterday))) return;
  try {
    const account = await withContext(app, platform, connection, signal, (ctx) => platform.testConnection(ctx));
    await recordAccount(app.db, connection.id, account, now);
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    app.log.info(
      { connectionId: connection.id, reason: error.message },
      'the limits of an account could not be refreshed',
    );
  }
}
