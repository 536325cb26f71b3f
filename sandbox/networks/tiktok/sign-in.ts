import { accountOf, bearerToken } from '../../bearer.ts';
import type { Call } from '../../network.ts';
import type { Account } from '../../store/accounts.ts';
import { refuse } from './errors.ts';
import { splitScopes } from './scopes.ts';

interface Caller {
  readonly account: Account;
  readonly scopes: readonly string[];
}

/** Who calls. One of the scopes suffices. */
export function signIn(call: Call, ...anyOf: string[]): Caller {
  const token = bearerToken(call);
  const isAlive = token?.kind === 'access' && call.sandbox.store.tokens.isAlive(token);
  const account = token && isAlive ? accountOf(call, token) : undefined;
  if (!token || !account) refuse('access_token_invalid');
  const scopes = splitScopes(token.scope);
  if (anyOf.length > 0 && !anyOf.some((scope) => scopes.includes(scope))) refuse('scope_not_authorized');
  return { account, scopes };
}
