import type { App } from '../app.ts';
import { Problem } from '../errors.ts';
import type { Who } from '../http/auth.ts';
import { platformFor } from '../platforms/index.ts';
import { type Account, type Platform, PlatformError } from '../platforms/kit/index.ts';
import { withContext } from './connections.ts';
import { factsOf } from './list-connections.ts';
import { type ConnectionRow, findByAccount, recordAccount, recordRefusal } from './queries.ts';
import { tokenExpiresIn } from './token-status.ts';

type Needs = Pick<App, 'db' | 'clock' | 'platformAccess' | 'sealingKeys' | 'log'>;

/** Asks the platform who the account is. A refusal is an answer too, not an error of the route (contract 4.8). */
export async function testConnection(app: Needs, who: Pick<Who, 'userId'>, platformId: string) {
  const { platform: name, accountId } = parse(platformId);
  const platform: Platform | null = platformFor(name);
  if (!platform) return unknownPlatform(name, platformId);
  const row = await findByAccount(app.db, who.userId, name, accountId);
  if (!row) throw new Problem('connection_not_found');
  const base = { platform: name, platformId, username: row.handle || null };
  const signal = AbortSignal.timeout(app.platformAccess.timeoutMs);
  try {
    const account: Account = await withContext(app, platform, row, signal, (ctx) => platform.testConnection(ctx));
    await recordAccount(app.db, row.id, account, app.clock.now());
    const current = (await findByAccount(app.db, who.userId, name, accountId)) ?? row;
    const message = platform.connectedMessage?.(account) ?? `Connected as ${account.handle || account.displayName}`;
    return {
      ...base,
      username: account.handle || null,
      status: 'ok' as const,
      message,
      ...rest(app, current, platform),
    };
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    return failed(app, base, row, error, platform);
  }
}

function parse(platformId: string) {
  const [, platform, accountId] = /^([a-z]+)-([^\s/?#]+)$/.exec(platformId) ?? [];
  if (!platform || !accountId) throw new Problem('platform_id_unreadable');
  return { platform, accountId };
}

async function failed(
  app: Needs,
  base: Pick<ConnectionRow, 'platform'> & { platformId: string; username: string | null },
  row: ConnectionRow,
  error: PlatformError,
  platform: Platform,
) {
  const now = app.clock.now();
  const message = platform.connectedMessage ? error.message : (error.reason ?? error.message);
  const lastError = { message, occurredAt: now.toISOString() };
  // Only a refusal flags the connection. A temporary failure says nothing about the credentials.
  const refused = error.kind === 'auth';
  if (refused) await recordRefusal(app.db, row, lastError, now);
  const current = refused ? { ...row, reconnectRequiredAt: now, lastError } : row;
  return { ...base, status: 'error' as const, message, ...rest(app, current, platform), permissions: [] };
}

const rest = ({ clock }: Needs, row: ConnectionRow, { grantsMayBeUnknown }: Platform) => ({
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
