import { accountOf, bearerToken } from '../../../oauth/bearer-token.ts';
import type { Call } from '../../../platform.ts';
import type { Account } from '../../../store/accounts.ts';
import type { Token } from '../../../store/tokens.ts';
import { findActor } from '../accounts.ts';
import { invalid, refuse, refusePlainly } from '../errors.ts';
import { holdsAccount } from '../hosts.ts';

export function authenticate(call: Call): Account {
  return requireToken(call, 'access').account;
}

/** For calls that name a repository. The repository must be the caller's own. */
export function authenticateTo(call: Call, repo: string): Account {
  const caller = authenticate(call);
  const owner = findActor(call.sandbox, repo);
  if (!owner || !holdsAccount(call.host, owner)) refuse(403, 'AccountNotFound', 'Account not found');
  if (owner.suspended) refuseTakenDown();
  if (owner.id !== caller.id) refusePlainly(401);
  return owner;
}

export function requireToken(call: Call, kind: Token['kind']): { token: Token; account: Account } {
  if (call.headers.authorization === undefined) refuse(401, 'AuthMissing', 'Authentication Required');
  const token = bearerToken(call);
  const account = token && accountOf(call, token);
  // A token of another kind or another server counts as invalid.
  if (!account || token.kind !== kind || !holdsAccount(call.host, account)) {
    invalid('Token could not be verified', 'InvalidToken');
  }
  if (token.revokedAt !== null) invalid('Token has been revoked', 'ExpiredToken');
  if (!call.sandbox.store.tokens.isAlive(token)) invalid('Token has expired', 'ExpiredToken');
  return { token, account };
}

export function refuseTakenDown(): never {
  refuse(401, 'AccountTakedown', 'Account has been taken down');
}
