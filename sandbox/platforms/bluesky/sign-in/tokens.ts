import { randomUUID } from 'node:crypto';
import type { Sandbox } from '../../../platform.ts';
import type { Account } from '../../../store/accounts.ts';
import type { Token } from '../../../store/tokens.ts';
import { makeJwt } from './jwt.ts';

const accessSeconds = 2 * 3600;
const refreshSeconds = 90 * 86_400;
const graceSeconds = 2 * 3600;

interface Session {
  readonly accessJwt: string;
  readonly refreshJwt: string;
}

/** Issues the tokens of a new session or the next pair of an existing one. `refreshId` identifies the refresh token. */
export function issueTokens(sandbox: Sandbox, account: Account, refreshId: string = randomUUID()): Session {
  const issue = (kind: 'access' | 'refresh', typ: string, scope: string, seconds: number, jti: string) => {
    const iat = Math.floor(sandbox.now() / 1000);
    const aud = `did:web:${account.data.pds}`;
    const token = makeJwt({ typ, alg: 'HS256' }, { scope, aud, sub: account.id, jti, iat, exp: iat + seconds });
    const data = { refreshId: jti };
    sandbox.store.tokens.issue({
      platform: 'bluesky',
      accountId: account.id,
      kind,
      scope,
      token,
      data,
      expiresInSeconds: seconds,
    });
    return token;
  };
  return {
    // The vendor's access tokens have no id. The sandbox adds one, so that two tokens of the same second differ.
    accessJwt: issue('access', 'at+jwt', 'com.atproto.appPass', accessSeconds, randomUUID()),
    refreshJwt: issue('refresh', 'refresh+jwt', 'com.atproto.refresh', refreshSeconds, refreshId),
  };
}

/**
 * Issues the next pair. For two hours, a spent refresh token gives pairs with the same next id, so that a client that
 * missed the response can ask again. After that, it is invalid.
 */
export function refreshTokens(sandbox: Sandbox, account: Account, refresh: Token): Session | undefined {
  const { tokens } = sandbox.store;
  const spent = tokens.find('bluesky', spentName(refresh));
  if (spent && !tokens.isAlive(spent)) return undefined;
  const nextId = spent ? String(spent.data.nextId) : randomUUID();
  if (!spent) markSpent(sandbox, refresh, nextId);
  return issueTokens(sandbox, account, nextId);
}

/** The mark is stored as a token, so that it expires and is revoked like the tokens. */
function markSpent(sandbox: Sandbox, refresh: Token, nextId: string): void {
  const { platform, accountId, scope } = refresh;
  sandbox.store.tokens.issue({
    platform,
    accountId,
    scope,
    kind: 'app',
    token: spentName(refresh),
    data: { nextId },
    expiresInSeconds: graceSeconds,
  });
}

function spentName(refresh: Token): string {
  return `spent ${refresh.data.refreshId}`;
}
