import { randomUUID } from 'node:crypto';
import type { Sandbox } from '../../sandbox.ts';
import type { Account } from '../../store/accounts.ts';
import type { Token } from '../../store/tokens.ts';
import { makeJwt } from './jwt.ts';

const accessSeconds = 2 * 3600;
const refreshSeconds = 90 * 86_400;
const graceSeconds = 2 * 3600;

interface Session {
  readonly accessJwt: string;
  readonly refreshJwt: string;
}

/** A new session, or the next pair of one that goes on: `refreshId` is what outlives the token's text. */
export function openSession(sandbox: Sandbox, account: Account, refreshId: string = randomUUID()): Session {
  const issue = (kind: 'access' | 'refresh', typ: string, scope: string, seconds: number, jti: string) => {
    const iat = Math.floor(sandbox.now() / 1000);
    const aud = `did:web:${account.data.pds}`;
    const token = makeJwt({ typ, alg: 'HS256' }, { scope, aud, sub: account.id, jti, iat, exp: iat + seconds });
    const data = { refreshId: jti };
    sandbox.store.tokens.issue({
      network: 'bluesky',
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
    // The vendor's access tokens have no id; here it keeps two of the same second apart.
    accessJwt: issue('access', 'at+jwt', 'com.atproto.appPass', accessSeconds, randomUUID()),
    refreshJwt: issue('refresh', 'refresh+jwt', 'com.atproto.refresh', refreshSeconds, refreshId),
  };
}

/**
 * The next pair. For two hours a spent refresh token gives pairs with the same next id, so that a client that never got
 * its answer may ask again; then it is dead.
 */
export function rotate(sandbox: Sandbox, account: Account, refresh: Token): Session | undefined {
  const { tokens } = sandbox.store;
  const spent = tokens.find('bluesky', markOf(refresh));
  if (spent && !tokens.isAlive(spent)) return undefined;
  const nextId = spent ? String(spent.data.nextId) : randomUUID();
  if (!spent) mark(sandbox, refresh, graceSeconds, nextId);
  return openSession(sandbox, account, nextId);
}

export function endSession(sandbox: Sandbox, refresh: Token): void {
  mark(sandbox, refresh, 0, randomUUID());
  sandbox.store.tokens.revoke(refresh);
}

/** Beside the tokens, so that it lives and is revoked with them. */
function mark(sandbox: Sandbox, refresh: Token, expiresInSeconds: number, nextId: string): void {
  const { network, accountId, scope } = refresh;
  sandbox.store.tokens.issue({
    network,
    accountId,
    scope,
    kind: 'app',
    token: markOf(refresh),
    data: { nextId },
    expiresInSeconds,
  });
}

function markOf(refresh: Token): string {
  return `spent ${refresh.data.refreshId}`;
}
