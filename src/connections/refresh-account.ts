import { type Platform, PlatformError } from '../platforms/kit/index.ts';
import { contextFor, type StoredConnection } from './connections.ts';
import { claimAccountReading, noteChecked } from './queries.ts';
import type { RenewNeeds } from './renew.ts';

const dayMs = 86_400_000;

/**
 * Where an account's limits are its own (a paid tier, a server), asks the network for them again, at most once a day. What
 * ails it waits for the next day: what we know is still good.
 */
export async function refreshAccount(
  app: RenewNeeds,
  platform: Platform,
  connection: StoredConnection,
  lastRead: Date,
  signal: AbortSignal,
) {
  const now = app.clock.now();
  const yesterday = new Date(now.getTime() - dayMs);
  if (!platform.limitsFor || lastRead > yesterday || signal.aborted) return;
  if (!(await claimAccountReading(app.db, connection.id, now, yesterday))) return;
  try {
    const account = await contextFor(app, platform, connection, signal, (ctx) => platform.testConnection(ctx));
    await noteChecked(app.db, connection.id, account, now);
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    app.log.info({ connectionId: connection.id, reason: error.message }, 'the account could not be read again');
  }
}
