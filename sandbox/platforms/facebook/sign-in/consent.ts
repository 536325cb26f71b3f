import { ensureAccount } from '../../../accounts.ts';
import { type HttpResponse, html, redirect } from '../../../http/http-response.ts';
import { consentPage, invalidHandlePage, readConsent, withQuery } from '../../../oauth/oauth.ts';
import { oauthApp } from '../../../oauth/oauth-app.ts';
import { messagePage } from '../../../pages/layout.ts';
import type { Call } from '../../../platform.ts';
import { secondPageOf } from '../accounts.ts';
import { knownScopes, pageScopes } from './scopes.ts';

/** An invalid request shows an error page, because its redirect address cannot be trusted. */
export function authorize(call: Call): HttpResponse {
  const asked = readAuthorization(call);
  if ('status' in asked) return asked;
  const accounts = call.sandbox.store.accounts.list('facebook');
  return html(consentPage(call, { app: 'Crier', scopes: asked.scopes, accounts }));
}

export function allow(call: Call): HttpResponse {
  const asked = readAuthorization(call);
  if ('status' in asked) return asked;
  const { redirectUri, scopes } = asked;
  const state = call.query.get('state');
  const page = readConsent(call);
  if (page === 'invalid') return invalidHandlePage(call);
  if (page === 'denied') {
    const denial = { error: 'access_denied', error_code: '200', error_reason: 'user_denied' };
    return redirect(withQuery(redirectUri, { ...denial, error_description: 'Permissions error', state }));
  }
  const second = secondPageOf(page.handle);
  const other = second === undefined ? undefined : ensureAccount(call.sandbox, call.platform, second)?.account;
  const code = call.sandbox.store.apps.addCode({
    platform: 'facebook',
    clientId: oauthApp.clientId,
    accountId: page.id,
    redirectUri,
    scope: scopes.join(' '),
    codeChallenge: call.query.get('code_challenge'),
    data: { pages: other ? [page.id, other.id] : [page.id] },
  });
  // Facebook appends this fragment to every redirect.
  return redirect(`${withQuery(redirectUri, { code, state })}#_=_`);
}

function readAuthorization(call: Call): { redirectUri: string; scopes: string[] } | HttpResponse {
  const { query } = call;
  if (query.get('client_id') !== oauthApp.clientId)
    return errorPage('Invalid App ID: the provided app ID does not look like a valid app ID.');
  const redirectUri = query.get('redirect_uri') ?? '';
  if (!isAllowedRedirect(redirectUri))
    return errorPage('URL blocked: the redirect URI is not whitelisted in the app’s client OAuth settings.');
  if ((query.get('response_type') ?? 'code') !== 'code') return errorPage('The response type is not supported.');
  if (query.has('code_challenge') && query.get('code_challenge_method') !== 'S256') {
    return errorPage('The code_challenge_method must be S256.');
  }
  // A configuration of Facebook Login for Business defines the permissions itself.
  const asked = query.has('config_id') ? pageScopes : (query.get('scope') ?? '').split(/[\s,]+/).filter(Boolean);
  const unknown = asked.filter((scope) => !knownScopes.includes(scope));
  if (unknown.length > 0) return errorPage(`Invalid Scopes: ${unknown.join(', ')}.`);
  return { redirectUri, scopes: [...new Set(['public_profile', ...asked])] };
}

function isAllowedRedirect(address: string): boolean {
  const url = URL.parse(address);
  if (!url) return false;
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback);
}

function errorPage(text: string, status = 400): HttpResponse {
  return html(messagePage('Sorry, something went wrong.', text), status);
}
