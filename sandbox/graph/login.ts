import type { Route } from '../network.ts';
import type { Account } from '../store/accounts.ts';
import type { Token } from '../store/tokens.ts';
import { allow, authorize } from './consent.ts';
import { codeExchangePath, exchangeCode, exchangeToken, refreshToken } from './tokens.ts';

/** What tells the sign-in of one network from that of its sister. */
export interface Login {
  readonly network: string;
  /** All that the window knows, the one that nobody can do without first. */
  readonly scopes: readonly [string, ...string[]];
  readonly grants: { readonly exchange: string; readonly refresh: string };
  readonly tokenPrefix: string;
  readonly handleRule: string;
  /** Of what was asked for, what this person gives. */
  granted(account: Account, scopes: readonly string[]): readonly string[];
  /** What the exchange of a code says besides the token and the person's id. */
  present(token: Token): Record<string, unknown>;
}

/** The window, a code for a token of an hour, that one for a token of sixty days, and that one for sixty more. */
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
