import { LRUCache } from 'lru-cache';
import type { App } from '../app.ts';
import type { Json } from '../lib/json.ts';
import { seal, unseal } from '../lib/seal.ts';
import { platformClient, secretsOf } from '../platforms/kit/client.ts';
import { type Account, type Context, type Grant, type Platform, PlatformError } from '../platforms/kit/index.ts';
import { upsertConnection } from './queries.ts';
import { ensureFreshCredentials, type RenewalNeeds } from './renew-credentials.ts';

export { commentsSkipped } from './queries.ts';

/** A row, as acting for the account needs it. */
export interface StoredConnection {
  id: string;
  userId: string;
  platform: string;
  accountId: string;
  handle: string;
  displayName: string;
  avatarUrl: string | null;
  profileUrl: string | null;
  traits: { [name: string]: Json };
  /** Sealed. */
  credentials: string;
  expiresAt: Date | null;
}

/** Keeps what a connect flow brought back. An account that is connected already gets its new credentials in place. */
export async function storeGrant(
  app: Pick<App, 'db' | 'clock' | 'newId' | 'sealingKeys'>,
  userId: string,
  platform: string,
  grant: Grant<Json>,
): Promise<{ platformId: string; handle: string }> {
  const { account } = grant;
  await upsertConnection(app.db, {
    id: app.newId(),
    userId,
    platform,
    account,
    credentials: seal(JSON.stringify(grant.credentials), sealingContext(userId, platform, account.id), app.sealingKeys),
    scopes: grant.scopes,
    expiresAt: grant.expiresAt,
    refreshExpiresAt: grant.refreshExpiresAt ?? null,
    now: app.clock.now(),
  });
  return { platformId: `${platform}-${account.id}`, handle: account.handle };
}

/** Credentials as they were sealed. Throws if they were sealed with a key, or for an account, that is not this one. */
export function openCredentials(
  { sealingKeys }: Pick<App, 'sealingKeys'>,
  connection: Pick<StoredConnection, 'userId' | 'platform' | 'accountId' | 'credentials'>,
): Json {
  const { userId, platform, accountId, credentials } = connection;
  return JSON.parse(unseal(credentials, sealingContext(userId, platform, accountId), sealingKeys));
}

/** A sealed record is of no use in another row: it opens only for the account that it was sealed for. */
export const sealingContext = (userId: string, platform: string, accountId: string) =>
  `connection ${userId} ${platform} ${accountId}`;

/**
 * Acts as the account: with credentials that are renewed before they end, and once more if the network refuses them
 * before their time.
 */
export async function withContext<T>(
  app: RenewalNeeds,
  platform: Platform,
  stored: StoredConnection,
  signal: AbortSignal,
  work: (context: Context<never>) => Promise<T>,
): Promise<T> {
  const current = await ensureFreshCredentials(app, platform, stored, signal, 'if due');
  try {
    return await work(contextOn(app, platform, current, signal));
  } catch (error) {
    const refused = error instanceof PlatformError && error.kind === 'auth' ? error : null;
    if (!refused || !platform.connect.refresh) throw error;
    // Refused for good is what the network said first; trouble on the way to find out is only trouble.
    const next = await ensureFreshCredentials(app, platform, current, signal, 'now').catch((trouble) => {
      throw trouble instanceof PlatformError && trouble.kind === 'auth' ? refused : trouble;
    });
    return await work(contextOn(app, platform, next, signal));
  }
}

/** `never`: each adapter takes back what its own schema has just read. */
function contextOn(app: RenewalNeeds, platform: Platform, connection: StoredConnection, signal: AbortSignal) {
  const credentials = credentialsOf(app, platform, connection);
  const context = {
    ...platformClient(app.platformAccess, platform.id, signal, secretsOf(platform.credentials, credentials)),
    account: accountOf(connection),
    credentials,
  };
  return context as Context<never>;
}

/** Unsealing is slow, and a burst of posts uses the same credentials again and again. */
const openedCredentials = new LRUCache<string, Record<string, unknown>>({ max: 1_000 });

export function credentialsOf(app: Pick<App, 'sealingKeys'>, platform: Platform, connection: StoredConnection) {
  const { userId, accountId, credentials } = connection;
  const key = `${sealingContext(userId, platform.id, accountId)} ${credentials}`;
  const cached = openedCredentials.get(key);
  if (cached) return cached;
  try {
    const opened = Object.freeze(platform.credentials.parse(openCredentials(app, connection)));
    openedCredentials.set(key, opened);
    return opened;
  } catch (cause) {
    throw new PlatformError('auth', 'The stored credentials cannot be read. Connect the account again.', { cause });
  }
}

export const accountOf = (connection: StoredConnection): Account => {
  const { accountId: id, handle, displayName, avatarUrl, profileUrl, traits } = connection;
  return { id, handle, displayName, avatarUrl, profileUrl, traits };
};
