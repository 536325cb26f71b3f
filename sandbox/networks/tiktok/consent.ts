import { type Answer, html, redirect } from '../../answer.ts';
import { application } from '../../application.ts';
import { asTexts } from '../../fields.ts';
import type { Call } from '../../network.ts';
import { consentPage, readConsent, withParameters } from '../../oauth.ts';
import { messagePage } from '../../pages/layout.ts';
import { scopes as knownScopes, splitScopes } from './scopes.ts';

const loopbackHosts = ['localhost', '127.0.0.1', '[::1]'];

export function authorize(call: Call): Answer {
  const refusal = checkAuthorization(call);
  if (refusal) return refusal;
  const accounts = call.sandbox.store.accounts.list('tiktok');
  return html(consentPage(call, { app: 'Crier', scopes: scopesOf(call), accounts }));
}

/** People may allow less than was asked for: `without` names what they unticked. */
export function allow(call: Call): Answer {
  const refusal = checkAuthorization(call);
  if (refusal) return refusal;
  const consent = readConsent(call);
  if (consent === 'denied') {
    return back(call, { error: 'access_denied', error_description: 'User canceled the authorization' });
  }
  if (consent === 'invalid') {
    return html(messagePage('This handle does not work', 'Letters, digits, _ and ., from 2 to 24.'), 422);
  }
  const without = asTexts(call.body.fields.without);
  const granted = scopesOf(call)
    .filter((scope) => !without.includes(scope))
    .join(',');
  const code = call.sandbox.store.apps.addCode({
    network: 'tiktok',
    clientId: application.clientId,
    accountId: consent.id,
    redirectUri: redirectUriOf(call),
    scope: granted,
    // Only apps on people's own machines have to prove that they began; the vendor ignores it of a server.
    codeChallenge: null,
    data: {},
  });
  return back(call, { code, scopes: granted });
}

/** What is wrong with the address itself is shown to the person: a redirect would go to a stranger. */
function checkAuthorization(call: Call): Answer | undefined {
  if (call.query.get('client_key') !== application.clientId) return problem('client_key');
  if (!isAllowedAddress(redirectUriOf(call))) return problem('redirect_uri');
  if (call.query.get('response_type') !== 'code') {
    return back(call, { error: 'unsupported_response_type', error_description: 'The response_type must be code.' });
  }
  const scopes = scopesOf(call);
  if (scopes.length > 0 && scopes.every((scope) => knownScopes.includes(scope))) return undefined;
  return back(call, { error: 'invalid_scope', error_description: 'The requested scope is invalid or unknown.' });
}

/** The vendor lets an app register no address with a query or a fragment. */
function isAllowedAddress(address: string): boolean {
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

function back(call: Call, parameters: Record<string, string>): Answer {
  return redirect(withParameters(redirectUriOf(call), { ...parameters, state: call.query.get('state') }));
}

function problem(parameter: string): Answer {
  return html(messagePage('Something went wrong', `We couldn't log in with TikTok: ${parameter}.`), 400);
}
