import { application } from '../../application.ts';
import type { Sandbox } from '../../sandbox.ts';
import { randomName } from '../../store/apps.ts';
import type { Token } from '../../store/tokens.ts';

export const accessSeconds = 3599;
const tokenBytes = 96;
const unusedLifeMs = 183 * 86_400_000;

export function issueAccess({ store }: Sandbox, accountId: string, scope: string): Token {
  return store.tokens.issue({
    network: 'youtube',
    accountId,
    scope,
    clientId: application.clientId,
    token: `ya29.${randomName(tokenBytes)}`,
    expiresInSeconds: accessSeconds,
  });
}

/** Lives as long as it is used. */
export function issueRefresh({ store }: Sandbox, accountId: string, scope: string): Token {
  return store.tokens.issue({
    network: 'youtube',
    kind: 'refresh',
    accountId,
    scope,
    clientId: application.clientId,
    token: `1//${randomName(tokenBytes)}`,
  });
}

/** The access token of a refresh token, which stays the same; null when that one is dead. */
export function renewAccess(sandbox: Sandbox, value: string): Token | null {
  const { tokens, records } = sandbox.store;
  const refresh = tokens.find('youtube', value);
  if (refresh?.kind !== 'refresh' || refresh.accountId === null || !tokens.isAlive(refresh)) return null;
  const usedAt = Number(records.find('youtube', 'refresh-use', value)?.data.at ?? refresh.createdAt);
  if (usedAt <= sandbox.now() - unusedLifeMs) return null;
  records.put('youtube', 'refresh-use', value, { at: sandbox.now() }, refresh.accountId);
  return issueAccess(sandbox, refresh.accountId, refresh.scope);
}
