import { type HttpResponse, html, redirect } from '../../../http/http-response.ts';
import { consentPage, invalidHandlePage, readConsent, withQuery } from '../../../oauth/oauth.ts';
import { oauthApp } from '../../../oauth/oauth-app.ts';
import { messagePage } from '../../../pages/layout.ts';
import type { Call } from '../../../platform.ts';
import { isPage, pagePrefix } from '../members.ts';
import { unknownScope } from './scopes.ts';

/** An invalid request shows an error page, because its redirect address cannot be trusted. */
export function authorize(call: Call): HttpResponse {
  const refusal = checkAuthorization(call);
  if (refusal) return refusal;
  const members = call.sandbox.store.accounts.list('linkedin').filter((account) => !isPage(account));
  const scopes = scopeOf(call).split(' ');
  return html(consentPage(call, { app: 'Crier', scopes, accounts: members }));
}

export function allow(call: Call): HttpResponse {
  const refusal = checkAuthorization(call);
  if (refusal) return refusal;
  // A page cannot log in; only members can.
  const consent = readConsent(call, (handle) => (handle.toLowerCase().startsWith(pagePrefix) ? '' : handle));
  if (consent === 'denied') {
    return redirectBack(call, {
      error: 'user_cancelled_authorize',
      error_description: 'The user cancelled the authorization',
    });
  }
  if (consent === 'invalid' || isPage(consent)) return invalidHandlePage(call);
  const code = call.sandbox.store.apps.addCode({
    platform: 'linkedin',
    clientId: oauthApp.clientId,
    accountId: consent.id,
    redirectUri: redirectUriOf(call),
    scope: scopeOf(call),
    codeChallenge: null,
    data: {},
  });
  return redirectBack(call, { code });
}

function checkAuthorization(call: Call): HttpResponse | undefined {
  const { query } = call;
  if (query.get('client_id') !== oauthApp.clientId) return errorPage('The passed in client_id is invalid');
  if (!isAllowedRedirect(redirectUriOf(call))) {
    return errorPage('The redirect_uri does not match the registered value');
  }
  if (query.get('response_type') !== 'code') {
    return redirectBack(call, {
      error: 'unsupported_response_type',
      error_description: 'The response_type must be code',
    });
  }
  const unknown = scopeOf(call) === '' ? '' : unknownScope(scopeOf(call));
  if (unknown === undefined) return undefined;
  const error_description = `Scope "${unknown}" is not authorized for your application`;
  return redirectBack(call, { error: 'unauthorized_scope_error', error_description });
}

/** The app is registered for every address that the vendor allows. */
function isAllowedRedirect(address: string): boolean {
  const url = URL.parse(address);
  if (url?.hash !== '') return false;
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback);
}

function redirectUriOf(call: Call): string {
  return call.query.get('redirect_uri') ?? '';
}

function scopeOf(call: Call): string {
  return (call.query.get('scope') ?? '').trim().split(/\s+/).join(' ');
}

function redirectBack(call: Call, parameters: Record<string, string>): HttpResponse {
  return redirect(withQuery(redirectUriOf(call), { ...parameters, state: call.query.get('state') }));
}

function errorPage(text: string): HttpResponse {
  return html(messagePage('Bummer, something went wrong', text), 400);
}
