import { type Context, type Platform, PlatformError } from '../platforms/kit/index.ts';
import { contextFor, type StoredConnection } from './connections.ts';
import { noteRefused } from './queries.ts';
import type { RenewNeeds } from './renew.ts';

/** As `contextFor`. Credentials that the network refuses for good are noted: their owner has to connect again. */
export async function actAs<T>(
  app: RenewNeeds,
  platform: Platform,
  connection: StoredConnection,
  signal: AbortSignal,
  work: (context: Context<never>) => Promise<T>,
): Promise<T> {
  try {
    return await contextFor(app, platform, connection, signal, work);
  } catch (error) {
    if (error instanceof PlatformError && error.kind === 'auth') {
      const now = app.clock.now();
      const lastError = { message: error.reason ?? error.message, occurredAt: now.toISOString() };
      await noteRefused(app.db, connection, lastError, now);
    }
    throw error;
  }
}
