import type { Call } from '../platform.ts';
import type { Account } from '../store/accounts.ts';
import type { Token } from '../store/tokens.ts';

/** The token of `Authorization: Bearer …`, even when expired or revoked. Undefined when absent or unknown. */
export function bearerToken(call: Call): Token | undefined {
  const [, value] = /^Bearer\s+(\S+)$/i.exec(call.headers.authorization ?? '') ?? [];
  return value === undefined ? undefined : call.sandbox.store.tokens.find(call.platform.id, value);
}

export function accountOf(call: Call, token: Token): Account | undefined {
  return token.accountId === null ? undefined : call.sandbox.store.accounts.find(call.platform.id, token.accountId);
}
