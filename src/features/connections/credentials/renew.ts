import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { App } from '../../../app.ts';
import { wrapDatabaseErrors } from '../../../foundation/db/database-error.ts';
import { retryTransient, retryTransientMs } from '../../../foundation/db/retry-transient.ts';
import type { Json } from '../../../foundation/lib/json.ts';
import { seal } from '../../../foundation/lib/seal.ts';
import { platformClient, secretsOf } from '../../../platforms/kit/http/client.ts';
import { type Platform, PlatformError, type Renewed } from '../../../platforms/kit/index.ts';
import {
  claimRenewal,
  endRenewal,
  findConnection,
  type Renewal,
  type StoredConnection,
  storeRenewal,
} from '../queries.ts';
import { credentialsOf, openCredentials, requireShort, sealingContext } from './stored-credentials.ts';

export type RenewalApp = Pick<App, 'db' | 'clock' | 'platformAccess' | 'sealingKeys' | 'log'>;

/** How long before its expiry an access token is renewed. Short, because some platforms discourage early renewal. */
const aheadMs = 5 * 60_000;
/** Longer than a request and storing its result can take. After this time, the renewing process is considered dead. */
const leaseMs = 90_000 + retryTransientMs;
const pollMs = 200;

/**
 * Returns the connection with credentials that do not expire soon. Only one process renews them at a time, because a
 * platform may revoke the whole connection if a refresh token is used twice.
 */
export async function ensureFreshCredentials(
  app: RenewalApp,
  platform: Platform,
  connection: StoredConnection,
  signal: AbortSignal,
  when: 'if due' | 'now',
): Promise<StoredConnection> {
  const { expiresAt } = connection;
  const left = (expiresAt?.getTime() ?? Number.POSITIVE_INFINITY) - app.clock.now().getTime();
  if (!platform.connect.refresh || (when === 'if due' && left > aheadMs)) return connection;
  try {
    return await renewOnce(app, platform, connection, signal);
  } catch (error) {
    // The current credentials still work, so use them. The next call tries to renew them again.
    if (when === 'if due' && left > 0 && error instanceof PlatformError) return connection;
    throw error;
  }
}

async function renewOnce(app: RenewalApp, platform: Platform, asked: StoredConnection, signal: AbortSignal) {
  const deadline = app.clock.now().getTime() + leaseMs;
  let before = asked;
  for (;;) {
    const now = app.clock.now();
    const until = new Date(now.getTime() + leaseMs);
    if (await wrapDatabaseErrors(claimRenewal(app.db, before, now, until))) {
      return renew(app, platform, { ...before, until });
    }
    const current = await wrapDatabaseErrors(findConnection(app.db, before.id));
    if (!current) throw new PlatformError('auth', 'The account is no longer connected. Connect it again.');
    if (!haveSameCredentials(app, before, current)) return current;
    before = current;
    if (now.getTime() > deadline) {
      throw new PlatformError('unavailable', 'The credentials are being renewed. Try again in a few minutes.', {
        mayHaveHappened: false,
      });
    }
    await sleep(pollMs, undefined, { signal });
  }
}

/** Also true for credentials that were sealed again with another key. */
function haveSameCredentials(app: RenewalApp, before: StoredConnection, current: StoredConnection): boolean {
  if (before.credentials === current.credentials) return true;
  try {
    return isDeepStrictEqual(openCredentials(app, before), openCredentials(app, current));
  } catch {
    return false;
  }
}

async function renew(app: RenewalApp, platform: Platform, before: StoredConnection & Renewal) {
  const { userId, accountId } = before;
  const { credentials, expiresAt, refreshExpiresAt } = await requestRenewal(app, platform, before);
  const sealed = seal(JSON.stringify(credentials), sealingContext(userId, platform.id, accountId), app.sealingKeys);
  const fresh = { credentials: sealed, expiresAt, refreshExpiresAt };
  // The platform may have revoked the old credentials with its response, so the new ones must be stored.
  await wrapDatabaseErrors(retryTransient(() => storeRenewal(app.db, before, fresh, app.clock.now())));
  app.log.info({ connectionId: before.id, platform: platform.id }, 'credentials renewed');
  return (await wrapDatabaseErrors(findConnection(app.db, before.id))) ?? { ...before, credentials: sealed, expiresAt };
}

/**
 * The caller's signal does not abort the request, because the platform may already have revoked the old credentials.
 * Only the request timeout ends it.
 */
async function requestRenewal(app: RenewalApp, platform: Platform, before: StoredConnection & Renewal) {
  try {
    const credentials = credentialsOf(app, platform, before);
    const neverAborted = new AbortController().signal;
    const client = platformClient(
      app.platformAccess,
      platform.id,
      neverAborted,
      secretsOf(platform.credentials, credentials),
    );
    const renewed = (await platform.connect.refresh!(credentials, client)) as Renewed<Json>;
    requireShort(renewed.credentials, platform.name);
    return renewed;
  } catch (error) {
    await wrapDatabaseErrors(endRenewal(app.db, before));
    throw error;
  }
}
