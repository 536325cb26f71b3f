import type { App } from '../../app.ts';
import { listInTurn } from '../../foundation/http/answers/long-reads.ts';
import { inTurns, type Pausable } from '../../foundation/text/in-turns.ts';
import { descriptionOf, shownNameOf } from '../../platforms/descriptions.ts';
import type { Lifetime } from '../../platforms/kit/index.ts';
import type { Who } from '../auth/access/api-key.ts';
import { brandsOf } from '../users/brands.ts';
import { shownAddress } from './connect/shown-address.ts';
import { healthOf } from './credentials/health.ts';
import {
  connectionStatus,
  effectiveExpiry,
  type TokenFacts,
  tokenExpiresIn,
  tokenStatus,
} from './credentials/token-status.ts';
import { type ListedConnection, selectConnections } from './queries.ts';

/** The user's accounts and whether they can be posted to. Uses stored data only and sends no request to a platform. */
export async function listConnections(
  app: Pick<App, 'db' | 'clock' | 'platformAccess'>,
  who: Pick<Who, 'userId'> & Partial<Who>,
) {
  const rows = await readConnections(app, who.ownerId ?? who.userId, async () => [who.userId]);
  const isManaged = who.workspaceOwnerId != null && who.workspaceOwnerId !== who.userId;
  return { success: true as const, connections: rows.map((row) => present(app, row, isManaged)) };
}

/** The accounts of the owner of a workspace and of all managed users. */
export async function listConnectionsOfBrands(app: Pick<App, 'db' | 'clock' | 'platformAccess'>, who: Who) {
  const rows = await readConnections(app, who.ownerId, () => brandsOf(app.db, who, app.clock.now()));
  return { success: true as const, connections: await inTurns(presentAll(app, rows, who.userId)) };
}

/** There can be thousands. */
function* presentAll(
  app: Pick<App, 'clock' | 'platformAccess'>,
  rows: readonly ListedConnection[],
  userId: string,
): Pausable<(ReturnType<typeof present> & { userId: string })[]> {
  const connections = [];
  for (const row of rows) {
    connections.push({ ...present(app, row, row.userId !== userId), userId: row.userId });
    yield;
  }
  return connections;
}

const readConnections = ({ db }: Pick<App, 'db'>, ownerId: string, usersOf: () => Promise<string[]>) =>
  listInTurn(
    ownerId,
    async () => selectConnections(db, await usersOf()),
    (rows) => rows.length,
  );

function present(app: Pick<App, 'clock' | 'platformAccess'>, row: ListedConnection, isManaged: boolean) {
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
    avatarPath: row.avatarUrl === null ? null : avatarPath(platformId, isManaged ? row.userId : null),
    ...healthOf(facts, now, shownNameOf(row.platform)),
    connectedAt: row.createdAt.toISOString(),
  } as const;
}

/** A browser sends no header `x-service-user-id` for a picture, so the path names the managed user. */
const avatarPath = (platformId: string, managedUser: string | null) =>
  `/api/v1/connections/${encodeURIComponent(platformId)}/avatar${managedUser === null ? '' : `?userId=${managedUser}`}`;

export const factsOf = (row: ListedConnection): TokenFacts => ({
  ...row,
  lifetime: descriptionOf(row.platform)?.lifetime ?? unknownLifetime,
});

const unknownLifetime: Lifetime = { endsWith: 'unknown', refusedIsExpired: false };
