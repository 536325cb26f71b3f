import { z } from 'zod';
import { Problem } from '../../../foundation/errors/index.ts';
import { platformFor } from '../../../platforms/index.ts';
import { type Account, type Context, type Platform, PlatformError, safeAccount } from '../../../platforms/kit/index.ts';
import type { Who } from '../../auth/access/api-key.ts';
import { factsOf } from '../list-connections.ts';
import { type ConnectionRow, findByAccount, recordAccount } from '../queries.ts';
import { type ActingApp, actAsAccount } from './act-as-account.ts';
import { UnreadableCredentials } from './stored-credentials.ts';
import { tokenExpiresIn } from './token-status.ts';

/**
 * Fetches the account from the platform. A rejection is a result, not an error of the route
 * (contract.md#test-connection.always-200).
 */
export async function testConnection(app: ActingApp, who: Pick<Who, 'userId'>, platformId: string) {
  const { platform: name, accountId } = parse(platformId);
  const platform: Platform | null = platformFor(name);
  if (!platform) return unknownPlatform(name, platformId);
  const row = await findByAccount(app.db, who.userId, name, accountId);
  if (!row) throw new Problem('connection_not_found');
  const current = async () => (await findByAccount(app.db, who.userId, name, accountId)) ?? row;
  const base = { platform: name, platformId, username: row.handle || null };
  const signal = AbortSignal.timeout(app.platformAccess.timeoutMs);
  const test = (ctx: Context<never>): Promise<Account> => platform.testConnection(ctx);
  const failureMessage = (error: PlatformError) => messageOf(error, platform);
  try {
    const account = safeAccount(await actAsAccount(app, platform, row, signal, test, failureMessage));
    await recordAccount(app.db, row.id, account, app.clock.now());
    const message = platform.connectedMessage?.(account) ?? `Connected as ${account.handle || account.displayName}`;
    return {
      ...base,
      username: account.handle || null,
      status: 'ok' as const,
      message,
      ...rest(app, await current(), platform),
    };
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    const facts = rest(app, await current(), platform);
    return { ...base, status: 'error' as const, message: failureMessage(error), ...facts, permissions: [] };
  }
}

function parse(platformId: string) {
  const [, platform, accountId] = /^([a-z]+)-([^\s/?#]+)$/.exec(platformId) ?? [];
  if (!platform || !accountId) throw new Problem('platform_id_unreadable');
  return { platform, accountId };
}

/** The platform's own message, unless the contract specifies one. */
function messageOf(error: PlatformError, { credentials, connectedMessage }: Platform): string {
  const unusable = error instanceof UnreadableCredentials && z.globalRegistry.get(credentials)?.unusable;
  if (typeof unusable === 'string') return unusable;
  return connectedMessage ? error.message : (error.reason ?? error.message);
}

const rest = ({ clock }: ActingApp, row: ConnectionRow, { grantsMayBeUnknown }: Platform) => ({
  permissions: row.scopes,
  ...(grantsMayBeUnknown && { permissionsKnown: row.scopes.length > 0 }),
  tokenExpiresIn: tokenExpiresIn(factsOf(row), clock.now()),
  lastSuccessfulPost: row.lastSuccessAt?.toISOString() ?? null,
  lastError: row.lastError,
});

const unknownPlatform = (platform: string, platformId: string) => ({
  platform,
  platformId,
  username: 'unknown',
  status: 'error' as const,
  message: `Unknown platform: ${platform}`,
  permissions: [],
  tokenExpiresIn: null,
  lastSuccessfulPost: null,
  lastError: null,
});
