import type { Route } from '../platform.ts';
import { allow, authorize } from './consent.ts';
import type { Login } from './login.ts';
import { codeExchangePath, exchangeCode, exchangeToken, refreshToken } from './token-endpoint.ts';

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
