import { accountOf, bearerToken } from '../../../oauth/bearer-token.ts';
import { type Call, Refusal } from '../../../platform.ts';
import type { Account } from '../../../store/accounts.ts';
import { forbid, problem, problemType } from '../errors.ts';

export const readScopes = ['tweet.read', 'users.read'];
export const writeScopes = [...readScopes, 'tweet.write'];
export const mediaScopes = ['media.write'];

/** Returns the caller. The token must have every scope. */
export function authenticate(call: Call, scopes: readonly string[]): Account {
  const token = bearerToken(call);
  const isAlive = token?.kind === 'access' && call.sandbox.store.tokens.isAlive(token);
  const account = token && isAlive ? accountOf(call, token) : undefined;
  if (!token || !account) throw new Refusal(problem(401, 'Unauthorized', 'Unauthorized'));
  const granted = token.scope.split(' ');
  if (!scopes.every((scope) => granted.includes(scope))) forbid('Forbidden');
  if (account.suspended) {
    const detail = 'Your account is suspended and is not permitted to access this feature.';
    throw new Refusal(problem(403, 'Forbidden', detail, { type: problemType('user-suspended') }));
  }
  return account;
}
