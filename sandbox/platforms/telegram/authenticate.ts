import type { Call } from '../../platform.ts';
import type { Account } from '../../store/accounts.ts';
import { refuse } from './errors.ts';

/** Returns the account of the calling bot. That account is the one channel that the bot administers. */
export function authenticate(call: Call): Account {
  const { store } = call.sandbox;
  const value = call.params.token ?? '';
  if (!/^[1-9]\d*:/.test(value)) refuse(401, 'Unauthorized: invalid token specified');
  const token = store.tokens.find('telegram', value);
  const account = token?.accountId ? store.accounts.find('telegram', token.accountId) : undefined;
  return token && account && store.tokens.isAlive(token) ? account : refuse(401, 'Unauthorized');
}
