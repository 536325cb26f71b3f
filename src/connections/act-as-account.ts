import { type Context, type Platform, PlatformError } from '../platforms/kit/index.ts';
import { type StoredConnection, withContext } from './connections.ts';
import { recordRefusal } from './queries.ts';
import type { RenewalNeeds } from './renew-credentials.ts';

/** As `withContext`. If the platform refuses the credentials, the connection is flagged: its owner has to reconnect it. */
export async function actAsAccount<T>(
  app: RenewalNeeds,
  platform: Platform,
  connection: StoredConnection,
  signal: AbortSignal,
  work: (context: Context<never>) => Promise<T>,
): Promise<T> {
  try {
    return await withContext(app, platform, connection, signal, work);
  } catch (error) {
    if (error instanceof PlatformError && error.kind === 'auth') {
      const now = app.clock.now();
      const lastError = { message: error.reason ?? error.message, occurredAt: now.toISOString() };
      await recordRefusal(app.db, connection, lastError, now);
    }
    throw error;
  }
}
