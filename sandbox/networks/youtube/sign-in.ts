import { accountOf, bearerToken } from '../../bearer.ts';
import type { Call } from '../../network.ts';
import type { Account } from '../../store/accounts.ts';
import { hasChannel } from './accounts.ts';
import { refuse } from './errors.ts';
import { splitScopes } from './scopes.ts';

/** Who calls. One of the scopes suffices. */
export function signIn(call: Call, anyOf: readonly string[]): Account {
  const token = bearerToken(call);
  const isAlive = token?.kind === 'access' && call.sandbox.store.tokens.isAlive(token);
  const account = token && isAlive ? accountOf(call, token) : undefined;
  if (!token || !account) refuse('authError', { location: 'Authorization' });
  const granted = splitScopes(token.scope);
  if (!anyOf.some((scope) => granted.includes(scope))) refuse('insufficientPermissions');
  if (account.suspended) refuse('authenticatedUserAccountSuspended');
  return account;
}

/** Whose channel acts: a Google account need not have one. */
export function signInChannel(call: Call, anyOf: readonly string[]): Account {
  const account = signIn(call, anyOf);
  if (!hasChannel(account)) refuse('youtubeSignupRequired', { location: 'Authorization' });
  return account;
}
