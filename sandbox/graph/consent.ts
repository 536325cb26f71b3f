import { type HttpResponse, html, redirect } from '../http/http-response.ts';
import { consentPage, invalidHandlePage, readConsent, withQuery } from '../oauth/oauth.ts';
import { oauthApp } from '../oauth/oauth-app.ts';
import { messagePage } from '../pages/layout.ts';
import type { Call } from '../platform.ts';
import type { Login } from './login.ts';

/** An invalid request shows an error page, because its redirect address cannot be trusted. */
export function authorize(login: Login, call: Call): HttpResponse {
  const scopes = readScopes(login, call);
  if (!Array.isArray(scopes)) return scopes;
  const accounts = call.sandbox.store.accounts.list(login.platform);
  return html(consentPage(call, { app: 'Crier', scopes, accounts }));
}

export function allow(login: Login, call: Call): HttpResponse {
  const scopes = readScopes(login, call);
  if (!Array.isArray(scopes)) return scopes;
  const account = readConsent(call);
  if (account === 'invalid') return invalidHandlePage(call);
  if (account === 'denied') {
    const error_description = 'The user denied your request';
    return redirect(redirectBack(call, { error: 'access_denied', error_reason: 'user_denied', error_description }));
  }
  const code = call.sandbox.store.apps.addCode({
    platform: login.platform,
    clientId: oauthApp.clientId,
    accountId: account.id,
    redirectUri: redirectUriOf(call),
    scope: login.granted(account, scopes).join(' '),
    codeChallenge: null,
    data: {},
  });
  // Meta appends this fragment to every redirect.
  return redirect(`${redirectBack(call, { code })}#_`);
}

function readScopes({ scopes }: Login, call: Call): string[] | HttpResponse {
  const { query } = call;
  if (query.get('client_id') !== oauthApp.clientId) return errorPage('Invalid platform app');
  if (!isAllowedRedirect(redirectUriOf(call))) return errorPage('Invalid redirect_uri');
  if (query.get('response_type') !== 'code') return errorPage('Invalid response_type');
  const asked = (query.get('scope') ?? '').split(/[\s,]+/).filter(Boolean);
  const unknown = asked.find((scope) => !scopes.includes(scope));
  if (unknown !== undefined) return errorPage(`Invalid scope: ${unknown}`);
  return asked.includes(scopes[0]) ? [...new Set(asked)] : errorPage(`Invalid scope: ${scopes[0]} is required`);
}

/** The app is registered for every address that the vendor allows. */
function isAllowedRedirect(address: string): boolean {
  const url = URL.parse(address);
  if (!url) return false;
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback);
}

function redirectUriOf(call: Call): string {
  return call.query.get('redirect_uri') ?? '';
}

function redirectBack(call: Call, parameters: Record<string, string>): string {
  return withQuery(redirectUriOf(call), { ...parameters, state: call.query.get('state') });
}

function errorPage(text: string): HttpResponse {
  return html(messagePage('Invalid Request', text), 400);
}
