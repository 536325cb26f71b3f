import { type HttpResponse, html, redirect } from '../../http/http-response.ts';
import { consentPage, invalidHandlePage, readConsent, withQuery } from '../../oauth/oauth.ts';
import { oauthApp } from '../../oauth/oauth-app.ts';
import { messagePage } from '../../pages/layout.ts';
import type { Call } from '../../platform.ts';
import { scopes as knownScopes, splitScopes } from './scopes.ts';

export function authorize(call: Call): HttpResponse {
  const refusal = checkAuthorization(call);
  if (refusal) return refusal;
  const accounts = call.sandbox.store.accounts.list('pinterest');
  return html(consentPage(call, { app: 'Crier', scopes: scopesOf(call), accounts }));
}

export function allow(call: Call): HttpResponse {
  const refusal = checkAuthorization(call);
  if (refusal) return refusal;
  const consent = readConsent(call);
  if (consent === 'denied') return redirectBack(call, { error: 'access_denied' });
  if (consent === 'invalid') return invalidHandlePage(call);
  const code = call.sandbox.store.apps.addCode({
    platform: 'pinterest',
    clientId: oauthApp.clientId,
    accountId: consent.id,
    redirectUri: redirectUriOf(call),
    scope: scopesOf(call).join(' '),
    // The vendor's specification has no PKCE.
    codeChallenge: null,
    data: {},
  });
  return redirectBack(call, { code });
}

/** An invalid request shows an error page, because its redirect address cannot be trusted. */
function checkAuthorization(call: Call): HttpResponse | undefined {
  const { query } = call;
  const scopes = scopesOf(call);
  const isKnown = query.get('client_id') === oauthApp.clientId && URL.canParse(redirectUriOf(call));
  if (!isKnown) return errorPage('Your app is not known, or the redirect address is not registered for it.');
  if (query.get('response_type') !== 'code') return errorPage('The response_type must be code.');
  const areKnown = scopes.length > 0 && scopes.every((scope) => knownScopes.includes(scope));
  return areKnown ? undefined : errorPage('Invalid scope.');
}

const redirectUriOf = (call: Call) => call.query.get('redirect_uri') ?? '';
const scopesOf = (call: Call) => splitScopes(call.query.get('scope') ?? '');
const errorPage = (text: string) => html(messagePage('Something went wrong', text), 400);

function redirectBack(call: Call, parameters: Record<string, string>): HttpResponse {
  return redirect(withQuery(redirectUriOf(call), { ...parameters, state: call.query.get('state') }));
}
