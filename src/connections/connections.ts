import type { App } from '../app.ts';
import type { Json } from '../lib/json.ts';
import { seal, unseal } from '../lib/seal.ts';
import type { Grant, PlatformId } from '../platforms/kit/index.ts';
import { upsertConnection } from './queries.ts';

/** Keeps what a connect flow brought back. An account that is connected already gets its new credentials in place. */
export async function storeGrant(
  app: Pick<App, 'db' | 'clock' | 'newId' | 'sealingKeys'>,
  userId: string,
  platform: PlatformId,
  grant: Grant<Json>,
): Promise<{ platformId: string; handle: string }> {
  const { account } = grant;
  await upsertConnection(app.db, {
    id: app.newId(),
    userId,
    platform,
    account,
    credentials: seal(JSON.stringify(grant.credentials), contextOf(userId, platform, account.id), app.sealingKeys),
    scopes: grant.scopes,
    expiresAt: grant.expiresAt,
    now: app.clock.now(),
  });
  return { platformId: `${platform}-${account.id}`, handle: account.handle };
}

/** Credentials as they were sealed. Throws if they were sealed with a key, or for an account, that is not this one. */
export function openCredentials(
  { sealingKeys }: Pick<App, 'sealingKeys'>,
  connection: { userId: string; platform: string; accountId: string; credentials: string },
): Json {
  const { userId, platform, accountId, credentials } = connection;
  return JSON.parse(unseal(credentials, contextOf(userId, platform, accountId), sealingKeys));
}

/** A sealed record is of no use in another row: it opens only for the account that it was sealed for. */
export const contextOf = (userId: string, platform: string, accountId: string) =>
  `connection ${userId} ${platform} ${accountId}`;
