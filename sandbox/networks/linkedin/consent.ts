import { type Answer, html, redirect } from '../../answer.ts';
import { application } from '../../application.ts';
import type { Call } from '../../network.ts';
import { consentPage, readConsent, withParameters } from '../../oauth.ts';
import { messagePage } from '../../pages/layout.ts';
import { isPage, pagePrefix } from './members.ts';
import { unknownScope } from './scopes.ts';

/** What is wrong with the address itself is shown to the person: a redirect would go to a stranger. */
export function authorize(call: Call): Answer {
  const refusal = checkAuthorization(call);
  if (refusal) return refusal;
  const members = call.sandbox.store.accounts.list('linkedin').filter((account) => !isPage(account));
  const scopes = scopeOf(call).split(' ');
  return html(consentPage(call, { app: 'Crier', scopes, accounts: members }));
}

export function allow(call: Call): Answer {
  const refusal = checkAuthorization(call);
  if (refusal) return refusal;
  // A page has no password: people sign in as themselves.
  const consent = readConsent(call, (handle) => (handle.toLowerCase().startsWith(pagePrefix) ? '' : handle));
  if (consent === 'denied') {
    return back(call, {
      error: 'user_cancelled_authorize',
      error_description: 'The user cancelled the authorization',
    });
  }
  if (consent === 'invalid' || isPage(consent)) {
    return html(messagePage('This handle does not work', 'A member’s: letters, digits and hyphens.'), 422);
  }
  const code = call.sandbox.store.apps.addCode({
    network: 'linkedin',
    clientId: application.clientId,
    accountId: consent.id,
    redirectUri: redirectUriOf(call),
    scope: scopeOf(call),
    codeChallenge: null,
    data: {},
  });
  return back(call, { code });
}

function checkAuthorization(call: Call): Answer | undefined {
  const { query } = call;
  if (query.get('client_id') !== application.clientId) return problem('The passed in client_id is invalid');
  if (!isAllowedAddress(redirectUriOf(call))) {
    return problem('The redirect_uri does not match the registered value');
  }
  if (query.get('response_type') !== 'code') {
    return back(call, { error: 'unsupported_response_type', error_description: 'The response_type must be code' });
  }
  const unknown = scopeOf(call) === '' ? '' : unknownScope(scopeOf(call));
  if (unknown === undefined) return undefined;
  const error_description = `Scope "${unknown}" is not authorized for your application`;
  return back(call, { error: 'unauthorized_scope_error', error_description });
}

/** The application is registered for every address that the vendor would let it register. */
function isAllowedAddress(address: string): boolean {
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

function back(call: Call, parameters: Record<string, string>): Answer {
  return redirect(withParameters(redirectUriOf(call), { ...parameters, state: call.query.get('state') }));
}

function problem(text: string): Answer {
  return html(messagePage('Bummer, something went wrong', text), 400);
}
