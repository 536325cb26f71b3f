import { accountOf, bearerToken } from '../../../oauth/bearer-token.ts';
import type { Call } from '../../../platform.ts';
import type { Account } from '../../../store/accounts.ts';
import { refuse } from '../errors.ts';
import { splitScopes } from './scopes.ts';

interface Caller {
  readonly account: Account;
  readonly scopes: readonly string[];
}

/** Returns the caller. One of the scopes is enough. */
export function authenticate(call: Call, ...anyOf: string[]): Caller {
  const token = bearerToken(call);
  const isAlive = token?.kind === 'access' && call.sandbox.store.tokens.isAlive(token);
  const account = token && isAlive ? accountOf(call, token) : undefined;
  if (!token || !account) refuse('access_token_invalid');
  const scopes = splitScopes(token.scope);
  if (anyOf.length > 0 && !anyOf.some((scope) => scopes.includes(scope))) refuse('scope_not_authorized');
  return { account, scopes };
}
