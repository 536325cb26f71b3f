import { z } from 'zod';
import type { App } from '../app.ts';
import { operatorActor } from '../audit/actors.ts';
import type { Json } from '../lib/json.ts';
import { type PlatformId, platforms } from '../platforms/index.ts';
import { platformClient } from '../platforms/kit/client.ts';
import { type Account, type Platform, type PlatformClient, PlatformError, scopesIn } from '../platforms/kit/index.ts';
import { storeGrant } from './connections.ts';

const NewAccount = z.object({ credentials: z.record(z.string(), z.json()), scope: z.string() });

/** Creates an account in the sandbox and connects the user to it, without a browser, for scripts and demos. */
export async function connectSandboxAccount(
  app: Pick<App, 'db' | 'clock' | 'newId' | 'sealingKeys' | 'platformAccess' | 'sandboxUrl'>,
  sandboxUrl: string,
  userId: string,
  { platform: id, handle }: { platform: PlatformId; handle: string },
) {
  const known: Partial<Record<PlatformId, Platform>> = platforms;
  const platform = known[id];
  if (!platform) throw new PlatformError('rejected', `Crier cannot connect to ${id} yet.`);
  const client = platformClient(app.platformAccess, id, AbortSignal.timeout(app.platformAccess.timeoutMs));
  const scope = await requestedScope(platform, client);
  const response = await app.platformAccess.fetch(`${sandboxUrl}/_control/accounts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ network: id, handle, ...(scope && { scope }) }),
  });
  if (!response.ok)
    throw new PlatformError('rejected', `The sandbox did not create an account: ${await response.text()}`);
  const { credentials: given, scope: granted } = NewAccount.parse(await response.json());
  const credentials = platform.credentials.parse(given);
  const account: Account = await platform.testConnection({
    ...client,
    // The platform answers who the account is. Until then nothing is known about it.
    account: { id: '', handle, displayName: handle, avatarUrl: null, profileUrl: null, traits: {} },
    credentials,
  });
  // The renewal shows when the credentials expire.
  const renewed = await platform.connect.refresh?.(credentials, client).catch(() => null);
  const { expiresAt = null, refreshExpiresAt = null } = renewed ?? {};
  const current = (renewed?.credentials ?? credentials) as Json;
  const scopes = scopesIn(granted);
  const grant = { account, credentials: current, scopes, expiresAt, refreshExpiresAt };
  return storeGrant(app, userId, id, grant, operatorActor());
}

/** What the consent page of the platform asks for; null if the platform has none. */
async function requestedScope({ connect }: Platform, client: PlatformClient): Promise<string | null> {
  if (connect.kind !== 'oauth') return null;
  const request = { redirectUri: 'http://127.0.0.1/', state: '', codeChallenge: '', fields: {} };
  const { url } = await connect.start(request, client);
  return url.searchParams.get('scope');
}
