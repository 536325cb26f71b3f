import { z } from 'zod';
import type { App } from '../../../app.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import type { Json } from '../../../foundation/lib/json.ts';
import { type PlatformId, platformIds, platforms } from '../../../platforms/index.ts';
import { platformClient } from '../../../platforms/kit/http/client.ts';
import {
  type Account,
  type Grant,
  type Platform,
  type PlatformClient,
  PlatformError,
  scopesIn,
} from '../../../platforms/kit/index.ts';
import { operatorActor } from '../../audit/actors.ts';
import { storeGrant } from '../connections.ts';
import { orProblem } from './connect.ts';
import type { Owner } from './live-owner.ts';
import { handleMaker, takenHandles } from './sandbox-handles.ts';
import { storeGrants } from './store-grants.ts';

const NewAccount = z.object({ credentials: z.record(z.string(), z.json()), scope: z.string() });

/** Creates a sandbox account and connects the user to it without a browser, for scripts and demos. */
export async function connectSandboxAccount(
  app: Pick<App, 'db' | 'clock' | 'newId' | 'sealingKeys' | 'platformAccess' | 'sandboxUrl'>,
  sandboxUrl: string,
  userId: string,
  { platform, handle }: { platform: PlatformId; handle: string },
) {
  const grant = await newSandboxGrant(app, sandboxUrl, platform, handle);
  return storeGrant(app, userId, platform, grant, operatorActor());
}

/**
 * For a user, within the limits of the plan and with an unused handle. The form of a network cannot be used, because
 * no one has credentials for an account that exists only in the sandbox.
 */
export async function connectNewSandboxAccount(
  app: Pick<App, 'db' | 'clock' | 'newId' | 'sealingKeys' | 'platformAccess' | 'sandboxUrl'>,
  who: Owner,
  platform: string,
) {
  const { sandboxUrl } = app;
  if (sandboxUrl === null) throw new Problem('connect_sandbox_off');
  const id = platformIds.find((known) => known === platform);
  if (!id) throw new Problem('connect_platform_unknown', { error: `Unknown platform: ${platform}` });
  const newHandle = handleMaker(await takenHandles(app, sandboxUrl));
  const grant = await orProblem(() => newSandboxGrant(app, sandboxUrl, id, newHandle()));
  return { connected: await storeGrants(app, who, id, [grant]) };
}

async function newSandboxGrant(
  app: Pick<App, 'platformAccess'>,
  sandboxUrl: string,
  id: PlatformId,
  handle: string,
): Promise<Grant<Json>> {
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
    // The platform returns the account. Until then, nothing is known about it.
    account: { id: '', handle, displayName: handle, avatarUrl: null, profileUrl: null, traits: {} },
    credentials,
  });
  // The renewal returns when the credentials expire.
  const renewed = await platform.connect.refresh?.(credentials, client).catch(() => null);
  const { expiresAt = null, refreshExpiresAt = null } = renewed ?? {};
  const current = (renewed?.credentials ?? credentials) as Json;
  return { account, credentials: current, scopes: scopesIn(granted), expiresAt, refreshExpiresAt };
}

/** The scope that the platform's consent page requests. Null if the platform has none. */
async function requestedScope({ connect }: Platform, client: PlatformClient): Promise<string | null> {
  if (connect.kind !== 'oauth') return null;
  const request = { redirectUri: 'http://127.0.0.1/', state: '', codeChallenge: '', fields: {} };
  const { url } = await connect.start(request, client);
  return url.searchParams.get('scope');
}
