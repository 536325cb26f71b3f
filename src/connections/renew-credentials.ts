import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../app.ts';
import { wrapDatabaseErrors } from '../db/database-error.ts';
import { retryTransient, retryTransientMs } from '../db/retry-transient.ts';
import type { Json } from '../lib/json.ts';
import { seal } from '../lib/seal.ts';
import { platformClient, secretsOf } from '../platforms/kit/client.ts';
import { type Platform, PlatformError, type Renewed } from '../platforms/kit/index.ts';
import { credentialsOf, type StoredConnection, sealingContext } from './connections.ts';
import { claimRenewal, endRenewal, findConnection, storeRenewal } from './queries.ts';

export type RenewalNeeds = Pick<App, 'db' | 'clock' | 'platformAccess' | 'sealingKeys' | 'log'>;

/** Before an access token ends. Not much: some networks frown upon renewing one that still works. */
const aheadMs = 5 * 60_000;
/** Longer than an answer takes, and to keep it; then whoever renewed is taken for dead. */
const holdMs = 90_000 + retryTransientMs;
const lookEveryMs = 200;

/**
 * The connection with credentials that will last a while. Single-flight over all processes: a refresh token that is used
 * twice may end the connection for good.
 */
export async function ensureFreshCredentials(
  app: RenewalNeeds,
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
    // What still works is used; what ails the renewal may be over next time.
    if (when === 'if due' && left > 0 && error instanceof PlatformError) return connection;
    throw error;
  }
}

async function renewOnce(app: RenewalNeeds, platform: Platform, before: StoredConnection, signal: AbortSignal) {
  const deadline = app.clock.now().getTime() + holdMs;
  for (;;) {
    const now = app.clock.now();
    if (await wrapDatabaseErrors(claimRenewal(app.db, before, now, new Date(now.getTime() + holdMs)))) {
      return renew(app, platform, before);
    }
    const current = await wrapDatabaseErrors(findConnection(app.db, before.id));
    if (!current) throw new PlatformError('auth', 'The account is no longer connected.');
    if (current.credentials !== before.credentials) return current;
    if (now.getTime() > deadline) {
      throw new PlatformError('unavailable', 'The credentials are being renewed.', { mayHaveHappened: false });
    }
    await sleep(lookEveryMs, undefined, { signal });
  }
}

async function renew(app: RenewalNeeds, platform: Platform, before: StoredConnection) {
  const { userId, accountId } = before;
  const { credentials, expiresAt, refreshExpiresAt } = await refreshed(app, platform, before);
  const sealed = seal(JSON.stringify(credentials), sealingContext(userId, platform.id, accountId), app.sealingKeys);
  const fresh = { credentials: sealed, expiresAt, refreshExpiresAt };
  // The network may have ended the old credentials with its answer.
  await wrapDatabaseErrors(retryTransient(() => storeRenewal(app.db, before, fresh, app.clock.now())));
  app.log.info({ connectionId: before.id, platform: platform.id }, 'credentials renewed');
  return (await wrapDatabaseErrors(findConnection(app.db, before.id))) ?? { ...before, credentials: sealed, expiresAt };
}

/** Nobody's impatience ends it: the network may have ended the old credentials already. It has the time limit of a request. */
async function refreshed(app: RenewalNeeds, platform: Platform, before: StoredConnection) {
  try {
    const credentials = credentialsOf(app, platform, before);
    const untiring = new AbortController().signal;
    const client = platformClient(
      app.platformAccess,
      platform.id,
      untiring,
      secretsOf(platform.credentials, credentials),
    );
    return (await platform.connect.refresh!(credentials, client)) as Renewed<Json>;
  } catch (error) {
    await wrapDatabaseErrors(endRenewal(app.db, before));
    throw error;
  }
}
