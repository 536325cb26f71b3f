import { asTexts } from '../../../http/coerce.ts';
import { type HttpResponse, html, redirect } from '../../../http/http-response.ts';
import { consentPage, invalidHandlePage, readConsent, withQuery } from '../../../oauth/oauth.ts';
import { oauthApp } from '../../../oauth/oauth-app.ts';
import { messagePage } from '../../../pages/layout.ts';
import type { Call } from '../../../platform.ts';
import { scopes as knownScopes, splitScopes } from './scopes.ts';

const loopbackHosts = ['localhost', '127.0.0.1', '[::1]'];

export function authorize(call: Call): HttpResponse {
  const refusal = checkAuthorization(call);
  if (refusal) return refusal;
  const accounts = call.sandbox.store.accounts.list('tiktok');
  return html(consentPage(call, { app: 'Crier', scopes: scopesOf(call), accounts }));
}

/** The user may grant fewer scopes than requested. `without` names those that the user unticked. */
export function allow(call: Call): HttpResponse {
  const refusal = checkAuthorization(call);
  if (refusal) return refusal;
  const consent = readConsent(call);
  if (consent === 'denied') {
    return redirectBack(call, { error: 'access_denied', error_description: 'User canceled the authorization' });
  }
  if (consent === 'invalid') return invalidHandlePage(call);
  const without = asTexts(call.body.fields.without);
  const granted = scopesOf(call)
    .filter((scope) => !without.includes(scope))
    .join(',');
  const code = call.sandbox.store.apps.addCode({
    platform: 'tiktok',
    clientId: oauthApp.clientId,
    accountId: consent.id,
    redirectUri: redirectUriOf(call),
    scope: granted,
    // TikTok requires PKCE only for desktop apps and ignores it for web apps.
    codeChallenge: null,
    data: {},
  });
  return redirectBack(call, { code, scopes: granted });
}

/** An invalid request shows an error page, because its redirect address cannot be trusted. */
function checkAuthorization(call: Call): HttpResponse | undefined {
  if (call.query.get('client_key') !== oauthApp.clientId) return errorPage('client_key');
  if (!isAllowedRedirect(redirectUriOf(call))) return errorPage('redirect_uri');
  if (call.query.get('response_type') !== 'code') {
    return redirectBack(call, {
      error: 'unsupported_response_type',
      error_description: 'The response_type must be code.',
    });
  }
  const scopes = scopesOf(call);
  if (scopes.length > 0 && scopes.every((scope) => knownScopes.includes(scope))) return undefined;
  return redirectBack(call, {
    error: 'invalid_scope',
    error_description: 'The requested scope is invalid or unknown.',
  });
}

/** The vendor registers no address with a query or a fragment. */
function isAllowedRedirect(address: string): boolean {
  const url = URL.parse(address);
  if (url?.search !== '' || url.hash !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && loopbackHosts.includes(url.hostname));
}

function redirectUriOf(call: Call): string {
  return call.query.get('redirect_uri') ?? '';
}

function scopesOf(call: Call): string[] {
  return splitScopes(call.query.get('scope') ?? '');
}

function redirectBack(call: Call, parameters: Record<string, string>): HttpResponse {
  return redirect(withQuery(redirectUriOf(call), { ...parameters, state: call.query.get('state') }));
}

function errorPage(parameter: string): HttpResponse {
  return html(messagePage('Something went wrong', `We couldn't log in with TikTok: ${parameter}.`), 400);
}
