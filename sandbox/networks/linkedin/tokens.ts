import { application } from '../../application.ts';
import type { Sandbox } from '../../sandbox.ts';
import { randomName } from '../../store/apps.ts';
import type { Token } from '../../store/tokens.ts';

const accessTokenSeconds = 60 * 86_400;
const refreshTokenSeconds = 365 * 86_400;
/** Gives tokens of about 350 characters; the vendor warns that they may grow to a thousand. */
const tokenBytes = 256;

export function issueTokens(sandbox: Sandbox, accountId: string, scope: string): { access: Token; refresh: Token } {
  const refresh = sandbox.store.tokens.issue({
    network: 'linkedin',
    kind: 'refresh',
    token: `AQW${randomName(tokenBytes)}`,
    accountId,
    clientId: application.clientId,
    scope,
    expiresInSeconds: refreshTokenSeconds,
  });
  return { access: issueAccessToken(sandbox, accountId, scope), refresh };
}

export function issueAccessToken(sandbox: Sandbox, accountId: string | null, scope: string): Token {
  return sandbox.store.tokens.issue({
    network: 'linkedin',
    token: `AQX${randomName(tokenBytes)}`,
    accountId,
    clientId: application.clientId,
    scope,
    expiresInSeconds: accessTokenSeconds,
  });
}

export function secondsLeft(sandbox: Sandbox, token: Token): number {
  return token.expiresAt === null ? 0 : Math.floor((token.expiresAt - sandbox.now()) / 1000);
}
