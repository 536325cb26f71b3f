import { createHash } from 'node:crypto';
import { type HttpResponse, html, redirect } from '../../../http/http-response.ts';
import { consentPage, invalidHandlePage, readConsent, withQuery } from '../../../oauth/oauth.ts';
import { oauthApp } from '../../../oauth/oauth-app.ts';
import { messagePage } from '../../../pages/layout.ts';
import type { Call } from '../../../platform.ts';
import { errors } from '../errors.ts';
import { isSite } from '../hosts.ts';
import { knownScopes } from './scopes.ts';

const maxStateCharacters = 500;
const loopbackHosts = ['localhost', '127.0.0.1', '[::1]'];
export function authorize(call: Call): HttpResponse {
  if (!isSite(call.host)) return errors.status(404, call);
  const asked = readAuthorization(call);
  if (asked === null) return errorPage();
  const accounts = call.sandbox.store.accounts.list('twitter');
  return html(consentPage(call, { app: 'Crier', scopes: asked.scopes, accounts }));
}

export function allow(call: Call): HttpResponse {
  if (!isSite(call.host)) return errors.status(404, call);
  const asked = readAuthorization(call);
  if (asked === null) return errorPage();
  const { redirectUri, scopes, state, codeChallenge } = asked;
  const consent = readConsent(call);
  if (consent === 'invalid') return invalidHandlePage(call);
  if (consent === 'denied') return redirect(withQuery(redirectUri, { error: 'access_denied', state }));
  const code = call.sandbox.store.apps.addCode({
    platform: 'twitter',
    clientId: oauthApp.clientId,
    accountId: consent.id,
    redirectUri,
    scope: scopes.join(' '),
    codeChallenge,
    data: {},
  });
  return redirect(withQuery(redirectUri, { state, code }));
}

/** Returns null for any invalid request. The vendor gives no details and does not redirect. */
function readAuthorization(call: Call) {
  const [clientId, redirectUri, state, scope, challenge, method] = [
    'client_id',
    'redirect_uri',
    'state',
    'scope',
    'code_challenge',
    'code_challenge_method',
  ].map((name) => call.query.get(name) ?? '') as [string, string, string, string, string, string];
  const scopes = scope.split(' ').filter(Boolean);
  const isGood =
    clientId === oauthApp.clientId &&
    call.query.get('response_type') === 'code' &&
    isAllowedRedirect(redirectUri) &&
    state !== '' &&
    state.length <= maxStateCharacters &&
    scopes.length > 0 &&
    scopes.every((name) => knownScopes.includes(name)) &&
    challenge !== '' &&
    ['S256', 'plain', ''].includes(method);
  if (!isGood) return null;
  // A plain challenge is the verifier itself. Its hash is stored, so that both kinds are checked the same way.
  const codeChallenge = method === 'S256' ? challenge : createHash('sha256').update(challenge).digest('base64url');
  return { redirectUri, scopes, state, codeChallenge };
}

function isAllowedRedirect(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || (protocol === 'http:' && loopbackHosts.includes(hostname));
}

function errorPage(): HttpResponse {
  const text = 'You weren’t able to give access to the App. Go back and try logging in again.';
  return html(messagePage('Something went wrong', text), 400);
}
