import { createHash } from 'node:crypto';
import { asTexts } from '../../../http/coerce.ts';
import { type HttpResponse, html, redirect } from '../../../http/http-response.ts';
import { consentPage, invalidHandlePage, readConsent, withQuery } from '../../../oauth/oauth.ts';
import { oauthApp } from '../../../oauth/oauth-app.ts';
import { messagePage } from '../../../pages/layout.ts';
import type { Call } from '../../../platform.ts';
import { readScope, splitScopes } from './scopes.ts';

/** Google names itself in every redirect (RFC 9207). */
const issuer = { iss: 'https://accounts.google.com' };
const loopbackHosts = ['localhost', '127.0.0.1', '[::1]'];

export function authorize(call: Call): HttpResponse {
  const refusal = checkAuthorization(call);
  if (refusal) return refusal;
  const accounts = call.sandbox.store.accounts.list('youtube');
  return html(consentPage(call, { app: 'Crier', scopes: scopesOf(call), accounts }));
}

/** The user may grant fewer scopes than requested. `without` names those that the user unticked. */
export function allow(call: Call): HttpResponse {
  const refusal = checkAuthorization(call);
  if (refusal) return refusal;
  const consent = readConsent(call);
  if (consent === 'denied') return redirectBack(call, { error: 'access_denied' });
  if (consent === 'invalid') return invalidHandlePage(call);
  const without = asTexts(call.body.fields.without);
  const scope = scopesOf(call)
    .filter((name) => !without.includes(name))
    .join(' ');
  const prompts = (call.query.get('prompt') ?? '').split(' ');
  const code = call.sandbox.store.apps.addCode({
    platform: 'youtube',
    clientId: oauthApp.clientId,
    accountId: consent.id,
    redirectUri: redirectUriOf(call),
    scope,
    codeChallenge: challengeOf(call),
    data: { isOffline: call.query.get('access_type') === 'offline', isConsentNew: prompts.includes('consent') },
  });
  return redirectBack(call, { code, scope });
}

/** An invalid request shows an error page, because its redirect address cannot be trusted. */
function checkAuthorization(call: Call): HttpResponse | undefined {
  const { query } = call;
  if (query.get('client_id') !== oauthApp.clientId) return errorPage(401, 'invalid_client');
  if (!isAllowedRedirect(redirectUriOf(call))) return errorPage(400, 'redirect_uri_mismatch');
  if (query.get('response_type') !== 'code') return errorPage(400, 'unsupported_response_type');
  const asked = splitScopes(query.get('scope') ?? '');
  if (asked.length === 0) return errorPage(400, 'invalid_request');
  if (asked.some((name) => readScope(name) === null)) return errorPage(400, 'invalid_scope');
  const method = query.get('code_challenge_method') ?? 'plain';
  return ['S256', 'plain'].includes(method) ? undefined : errorPage(400, 'invalid_request');
}

function isAllowedRedirect(address: string): boolean {
  const url = URL.parse(address);
  if (url?.hash !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && loopbackHosts.includes(url.hostname));
}

/** A plain challenge is the verifier itself. Its hash is stored, so that both kinds are checked the same way. */
function challengeOf(call: Call): string | null {
  const challenge = call.query.get('code_challenge');
  if (challenge === null || call.query.get('code_challenge_method') === 'S256') return challenge;
  return createHash('sha256').update(challenge).digest('base64url');
}

function redirectUriOf(call: Call): string {
  return call.query.get('redirect_uri') ?? '';
}

function scopesOf(call: Call): string[] {
  return splitScopes(call.query.get('scope') ?? '').flatMap((name) => readScope(name) ?? []);
}

function redirectBack(call: Call, parameters: Record<string, string>): HttpResponse {
  return redirect(withQuery(redirectUriOf(call), { state: call.query.get('state'), ...issuer, ...parameters }));
}

function errorPage(status: number, code: string): HttpResponse {
  return html(messagePage('Access blocked: this app’s request is invalid', `Error ${status}: ${code}`), status);
}
