import { oauthApp } from '../../../oauth/oauth-app.ts';
import type { Sandbox } from '../../../platform.ts';
import { randomName } from '../../../store/apps.ts';
import type { Token } from '../../../store/tokens.ts';

export const accessSeconds = 3599;
const tokenBytes = 96;
const unusedLifeMs = 183 * 86_400_000;

export function issueAccessToken({ store }: Sandbox, accountId: string, scope: string): Token {
  return store.tokens.issue({
    platform: 'youtube',
    accountId,
    scope,
    clientId: oauthApp.clientId,
    token: `ya29.${randomName(tokenBytes)}`,
    expiresInSeconds: accessSeconds,
  });
}

/** The token stays valid as long as it is used. */
export function issueRefreshToken({ store }: Sandbox, accountId: string, scope: string): Token {
  return store.tokens.issue({
    platform: 'youtube',
    kind: 'refresh',
    accountId,
    scope,
    clientId: oauthApp.clientId,
    token: `1//${randomName(tokenBytes)}`,
  });
}

/** The refresh token stays the same. Returns null when it is no longer valid. */
export function refreshAccessToken(sandbox: Sandbox, value: string): Token | null {
  const { tokens, records } = sandbox.store;
  const refresh = tokens.find('youtube', value);
  if (refresh?.kind !== 'refresh' || refresh.accountId === null || !tokens.isAlive(refresh)) return null;
  const usedAt = Number(records.find('youtube', 'refresh-use', value)?.data.at ?? refresh.createdAt);
  if (usedAt <= sandbox.now() - unusedLifeMs) return null;
  records.put('youtube', 'refresh-use', value, { at: sandbox.now() }, refresh.accountId);
  return issueAccessToken(sandbox, refresh.accountId, refresh.scope);
}
