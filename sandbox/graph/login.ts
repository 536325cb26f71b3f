import type { Route } from '../platform.ts';
import type { Account } from '../store/accounts.ts';
import type { Token } from '../store/tokens.ts';
import { allow, authorize } from './consent.ts';
import { codeExchangePath, exchangeCode, exchangeToken, refreshToken } from './token-endpoint.ts';

/** The differences between the login flows of Instagram and Threads. */
export interface Login {
  readonly platform: string;
  /** All scopes that the consent page knows. The first one is mandatory. */
  readonly scopes: readonly [string, ...string[]];
  readonly grants: { readonly exchange: string; readonly refresh: string };
  readonly tokenPrefix: string;
  /** The scopes that this account grants, out of those requested. */
  granted(account: Account, scopes: readonly string[]): readonly string[];
  /** The fields of the code exchange response besides the token and the user id. */
  present(token: Token): Record<string, unknown>;
}

/**
 * The consent page, the code exchange (token for one hour), the exchange for a long-lived token (60 days) and its
 * refresh (60 more).
 */
export function loginRoutes(login: Login): Route[] {
  const path = '/oauth/authorize';
  return [
    { method: 'GET', path, operation: 'page', handle: (call) => authorize(login, call) },
    { method: 'POST', path, operation: 'page', handle: (call) => allow(login, call) },
    { method: 'POST', path: codeExchangePath, operation: 'token', handle: (call) => exchangeCode(login, call) },
    { method: 'GET', path: '/access_token', operation: 'token', handle: (call) => exchangeToken(login, call) },
    { method: 'GET', path: '/refresh_access_token', operation: 'token', handle: (call) => refreshToken(login, call) },
  ];
}
