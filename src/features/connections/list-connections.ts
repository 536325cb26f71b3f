import type { App } from '../../app.ts';
import { descriptionOf, shownNameOf } from '../../platforms/descriptions.ts';
import type { Lifetime } from '../../platforms/kit/index.ts';
import type { Who } from '../auth/access/api-key.ts';
import { shownAddress } from './connect/shown-address.ts';
import { healthOf } from './credentials/health.ts';
import {
  connectionStatus,
  effectiveExpiry,
  type TokenFacts,
  tokenExpiresIn,
  tokenStatus,
} from './credentials/token-status.ts';
import { type ConnectionRow, selectConnections } from './queries.ts';

/** The user's accounts and whether they can be posted to. Uses stored data only and sends no request to a platform. */
export async function listConnections(app: Pick<App, 'db' | 'clock' | 'platformAccess'>, who: Pick<Who, 'userId'>) {
  const rows = await selectConnections(app.db, who.userId);
  return { success: true as const, connections: rows.map((row) => present(app, row)) };
}

function present(app: Pick<App, 'clock' | 'platformAccess'>, row: ConnectionRow) {
  const now = app.clock.now();
  const facts = factsOf(row);
  const { subscriptionType } = row.traits;
  const platformId = `${row.platform}-${row.accountId}`;
  return {
    platformId,
    username: row.handle || null,
    displayName: row.displayName || null,
    profileImageUrl: shownAddress(app, row.avatarUrl),
    profileUrl: shownAddress(app, row.profileUrl),
    accessTokenExpiresAt: effectiveExpiry(facts)?.toISOString() ?? null,
    tokenStatus: tokenStatus(facts, now),
    connectionStatus: connectionStatus(facts, now),
    tokenExpiresIn: tokenExpiresIn(facts, now),
    lastSuccessfulPost: row.lastSuccessAt?.toISOString() ?? null,
    lastError: row.lastError,
    subscriptionType: typeof subscriptionType === 'string' ? subscriptionType : null,
    platform: row.platform,
    avatarPath: row.avatarUrl === null ? null : `/api/v1/connections/${encodeURIComponent(platformId)}/avatar`,
    ...healthOf(facts, now, shownNameOf(row.platform)),
    connectedAt: row.createdAt.toISOString(),
  } as const;
}

export const factsOf = (row: ConnectionRow): TokenFacts => ({
  ...row,
  lifetime: descriptionOf(row.platform)?.lifetime ?? unknownLifetime,
});

const unknownLifetime: Lifetime = { endsWith: 'unknown', refusedIsExpired: false };
