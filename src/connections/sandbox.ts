import { z } from 'zod';
import type { App } from '../app.ts';
import type { Json } from '../lib/json.ts';
import { type PlatformId, platforms } from '../platforms/index.ts';
import { platformClient } from '../platforms/kit/client.ts';
import { type Account, type Platform, PlatformError } from '../platforms/kit/index.ts';
import { storeGrant } from './connections.ts';

const NewAccount = z.object({ credentials: z.record(z.string(), z.json()) });

/** Connects a user to an account that the sandbox makes for it: what a person does with a browser, for scripts and demos. */
export async function connectSandboxAccount(
  app: Pick<App, 'db' | 'clock' | 'newId' | 'sealingKeys' | 'platformAccess'>,
  sandboxUrl: string,
  userId: string,
  { platform: id, handle }: { platform: PlatformId; handle: string },
) {
  const known: Partial<Record<PlatformId, Platform>> = platforms;
  const platform = known[id];
  if (!platform) throw new PlatformError('rejected', `${id} is not available yet.`);
  const response = await app.platformAccess.fetch(`${sandboxUrl}/_control/accounts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ network: id, handle }),
  });
  if (!response.ok) throw new PlatformError('rejected', `The sandbox made no account: ${await response.text()}`);
  const credentials = platform.credentials.parse(NewAccount.parse(await response.json()).credentials);
  const client = platformClient(app.platformAccess, id, AbortSignal.timeout(app.platformAccess.timeoutMs));
  const account: Account = await platform.testConnection({
    ...client,
    // The network tells who we are; until then there is nothing to know.
    account: { id: '', handle, displayName: handle, avatarUrl: null, profileUrl: null, traits: {} },
    credentials,
  });
  // What lasts only so long is renewed once, to learn how long.
  const renewed = await platform.connect.refresh?.(credentials, client).catch(() => null);
  const { expiresAt = null, refreshExpiresAt = null } = renewed ?? {};
  const current = (renewed?.credentials ?? credentials) as Json;
  return storeGrant(app, userId, id, { account, credentials: current, scopes: [], expiresAt, refreshExpiresAt });
}
