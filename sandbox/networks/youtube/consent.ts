import { createHash } from 'node:crypto';
import { type Answer, html, redirect } from '../../answer.ts';
import { application } from '../../application.ts';
import { asTexts } from '../../fields.ts';
import type { Call } from '../../network.ts';
import { consentPage, readConsent, withParameters } from '../../oauth.ts';
import { messagePage } from '../../pages/layout.ts';
import { readScope, splitScopes } from './scopes.ts';

const loopbackHosts = ['localhost', '127.0.0.1', '[::1]'];

export function authorize(call: Call): Answer {
  const refusal = checkAuthorization(call);
  if (refusal) return refusal;
  const accounts = call.sandbox.store.accounts.list('youtube');
  return html(consentPage(call, { app: 'Crier', scopes: scopesOf(call), accounts }));
}

/** People may allow less than was asked for: `without` names what they unticked. */
export function allow(call: Call): Answer {
  const refusal = checkAuthorization(call);
  if (refusal) return refusal;
  const consent = readConsent(call);
  if (consent === 'denied') return back(call, { error: 'access_denied' });
  if (consent === 'invalid') {
    return html(messagePage('This handle does not work', 'Letters, digits, _, - and ., from 3 to 30.'), 422);
  }
  const without = asTexts(call.body.fields.without);
  const scope = scopesOf(call)
    .filter((name) => !without.includes(name))
    .join(' ');
  const prompts = (call.query.get('prompt') ?? '').split(' ');
  const code = call.sandbox.store.apps.addCode({
    network: 'youtube',
    clientId: application.clientId,
    accountId: consent.id,
    redirectUri: redirectUriOf(call),
    scope,
    codeChallenge: challengeOf(call),
    data: { isOffline: call.query.get('access_type') === 'offline', isConsentNew: prompts.includes('consent') },
  });
  return back(call, { code, scope });
}

/** What is wrong with the request is shown to the person; nobody is sent anywhere. */
function checkAuthorization(call: Call): Answer | undefined {
  const { query } = call;
  if (query.get('client_id') !== application.clientId) return problem(401, 'invalid_client');
  if (!isAllowedAddress(redirectUriOf(call))) return problem(400, 'redirect_uri_mismatch');
  if (query.get('response_type') !== 'code') return problem(400, 'unsupported_response_type');
  const asked = splitScopes(query.get('scope') ?? '');
  if (asked.length === 0) return problem(400, 'invalid_request');
  if (asked.some((name) => readScope(name) === null)) return problem(400, 'invalid_scope');
  const method = query.get('code_challenge_method') ?? 'plain';
  return ['S256', 'plain'].includes(method) ? undefined : problem(400, 'invalid_request');
}

function isAllowedAddress(address: string): boolean {
  const url = URL.parse(address);
  if (url?.hash !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && loopbackHosts.includes(url.hostname));
}

/** A plain challenge is the verifier itself: kept as its hash, both kinds are checked alike. */
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

function back(call: Call, parameters: Record<string, string>): Answer {
  return redirect(withParameters(redirectUriOf(call), { state: call.query.get('state'), ...parameters }));
}

function problem(status: number, code: string): Answer {
  return html(messagePage('Access blocked: this app’s request is invalid', `Error ${status}: ${code}`), status);
}
