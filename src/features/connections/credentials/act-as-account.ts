import { wrapDatabaseErrors } from '../../../foundation/db/database-error.ts';
import { type Context, type Platform, PlatformError } from '../../../platforms/kit/index.ts';
import { type StoredConnection, withContext } from '../connections.ts';
import { recordRefusal } from '../queries.ts';
import { type NoticeApp, noticeBroken } from './notice-broken.ts';
import type { RenewalApp } from './renew.ts';

export type ActingApp = RenewalApp & NoticeApp;

/**
 * Like `withContext`. If the platform rejects the account, the connection is flagged for its owner to reconnect.
 * `lastErrorOf` returns the message for the owner, or null if the rejection does not affect the connection as a
 * whole.
 */
export async function actAsAccount<T>(
  app: ActingApp,
  platform: Platform,
  connection: StoredConnection,
  signal: AbortSignal,
  work: (context: Context<never>) => Promise<T>,
  lastErrorOf: (refusal: PlatformError) => string | null = unlessForbidden,
): Promise<T> {
  let used = connection;
  const onUse = (current: StoredConnection) => {
    used = current;
  };
  try {
    return await withContext(app, platform, connection, signal, work, onUse);
  } catch (error) {
    const message = error instanceof PlatformError && error.kind === 'auth' ? lastErrorOf(error) : null;
    if (message !== null) {
      const refusal = { message, at: app.clock.now(), accountRestricted: isAccountRefused(error) };
      await wrapDatabaseErrors(recordBroken(app, used, refusal));
    }
    throw error;
  }
}

const recordBroken = (
  app: ActingApp,
  used: StoredConnection,
  refusal: { message: string; at: Date; accountRestricted: boolean },
) =>
  app.db.transaction().execute(async (tx) => {
    if (await recordRefusal(tx, used, refusal)) await noticeBroken(app, tx, used.id, refusal.message);
  });

/** The platform knows the account but does not allow this call. The credentials are accepted. */
export const isAccountRefused = (error: unknown) =>
  error instanceof PlatformError && error.kind === 'auth' && error.status === 403;

/** An account that may not make this call may still publish. */
const unlessForbidden = (error: PlatformError) => (isAccountRefused(error) ? null : (error.reason ?? error.message));
