import { oauthApp } from '../../../oauth/oauth-app.ts';
import type { Sandbox } from '../../../platform.ts';
import { randomName } from '../../../store/apps.ts';
import type { Token } from '../../../store/tokens.ts';

const accessTokenSeconds = 60 * 86_400;
const refreshTokenSeconds = 365 * 86_400;
/** Results in tokens of about 350 characters. The vendor warns that tokens may grow to 1000 characters. */
const tokenBytes = 256;

export function issueTokens(sandbox: Sandbox, accountId: string, scope: string): { access: Token; refresh: Token } {
  const refresh = sandbox.store.tokens.issue({
    platform: 'linkedin',
    kind: 'refresh',
    token: `AQW${randomName(tokenBytes)}`,
    accountId,
    clientId: oauthApp.clientId,
    scope,
    expiresInSeconds: refreshTokenSeconds,
  });
  return { access: issueAccessToken(sandbox, accountId, scope), refresh };
}

export function issueAccessToken(sandbox: Sandbox, accountId: string | null, scope: string): Token {
  return sandbox.store.tokens.issue({
    platform: 'linkedin',
    token: `AQX${randomName(tokenBytes)}`,
    accountId,
    clientId: oauthApp.clientId,
    scope,
    expiresInSeconds: accessTokenSeconds,
  });
}

export function secondsLeft(sandbox: Sandbox, token: Token): number {
  return token.expiresAt === null ? 0 : Math.floor((token.expiresAt - sandbox.now()) / 1000);
}
