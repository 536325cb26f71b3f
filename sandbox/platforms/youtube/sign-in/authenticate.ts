import { accountOf, bearerToken } from '../../../oauth/bearer-token.ts';
import type { Call } from '../../../platform.ts';
import type { Account } from '../../../store/accounts.ts';
import { hasChannel } from '../accounts.ts';
import { refuse } from '../errors.ts';
import { splitScopes } from './scopes.ts';

/** Returns the caller. One of the scopes is enough. */
export function authenticate(call: Call, anyOf: readonly string[]): Account {
  const token = bearerToken(call);
  const isAlive = token?.kind === 'access' && call.sandbox.store.tokens.isAlive(token);
  const account = token && isAlive ? accountOf(call, token) : undefined;
  if (!token || !account) refuse('authError', { location: 'Authorization' });
  const granted = splitScopes(token.scope);
  if (!anyOf.some((scope) => granted.includes(scope))) refuse('insufficientPermissions');
  if (account.suspended) refuse('authenticatedUserAccountSuspended');
  return account;
}

/** Returns the caller's channel. A Google account may have none. */
export function authenticateChannel(call: Call, anyOf: readonly string[]): Account {
  const account = authenticate(call, anyOf);
  if (!hasChannel(account)) refuse('youtubeSignupRequired', { location: 'Authorization' });
  return account;
}
