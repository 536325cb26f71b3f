import { accountOf, bearerToken } from '../../../oauth/bearer-token.ts';
import type { Call } from '../../../platform.ts';
import type { Account } from '../../../store/accounts.ts';
import type { Token } from '../../../store/tokens.ts';
import { refuse } from '../errors.ts';

/** Returns the caller. The token must have one of these scopes; `write` covers `write:statuses`. */
export function authenticate(call: Call, ...scopes: string[]): Account {
  const token = requireToken(call);
  const granted = token.scope.split(' ');
  const isCovered = scopes.some((scope) => granted.includes(scope) || granted.includes(scope.replace(/:.*/, '')));
  if (!isCovered) refuse(403, 'This action is outside the authorized scopes');
  const account = accountOf(call, token);
  if (!account) refuse(422, 'This method requires an authenticated user');
  if (account.data.host !== call.host) refuse(401, 'The access token is invalid');
  if (account.suspended) refuse(403, 'Your login is currently disabled');
  return account;
}

export function requireToken(call: Call): Token {
  const token = bearerToken(call);
  if (!token) refuse(401, 'The access token is invalid');
  if (token.revokedAt !== null) refuse(401, 'The access token was revoked');
  if (!call.sandbox.store.tokens.isAlive(token)) refuse(401, 'The access token expired');
  return token;
}

/** For public resources: returns the caller, if there is one. An invalid token is still refused. */
export function authenticateIfPresent(call: Call): Account | undefined {
  return call.headers.authorization === undefined ? undefined : accountOf(call, requireToken(call));
}
