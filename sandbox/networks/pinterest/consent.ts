import { type Answer, html, redirect } from '../../answer.ts';
import { application } from '../../application.ts';
import type { Call } from '../../network.ts';
import { consentPage, readConsent, withParameters } from '../../oauth.ts';
import { messagePage } from '../../pages/layout.ts';
import { scopes as knownScopes, splitScopes } from './scopes.ts';

export function authorize(call: Call): Answer {
  const refusal = checkRequest(call);
  if (refusal) return refusal;
  const accounts = call.sandbox.store.accounts.list('pinterest');
  return html(consentPage(call, { app: 'Crier', scopes: scopesOf(call), accounts }));
}

export function allow(call: Call): Answer {
  const refusal = checkRequest(call);
  if (refusal) return refusal;
  const consent = readConsent(call);
  if (consent === 'denied') return back(call, { error: 'access_denied' });
  if (consent === 'invalid') {
    return html(messagePage('This handle does not work', 'Letters, digits and _, from 3 to 30.'), 422);
  }
  const code = call.sandbox.store.apps.addCode({
    network: 'pinterest',
    clientId: application.clientId,
    accountId: consent.id,
    redirectUri: redirectUriOf(call),
    scope: scopesOf(call).join(' '),
    // The vendor's specification has no PKCE.
    codeChallenge: null,
    data: {},
  });
  return back(call, { code });
}

/** Shown to the person: where the address itself may be wrong, a redirect would go to a stranger. */
function checkRequest(call: Call): Answer | undefined {
  const { query } = call;
  const scopes = scopesOf(call);
  const isKnown = query.get('client_id') === application.clientId && URL.canParse(redirectUriOf(call));
  if (!isKnown) return problem('Your app is not known, or the redirect address is not registered for it.');
  if (query.get('response_type') !== 'code') return problem('The response_type must be code.');
  const areKnown = scopes.length > 0 && scopes.every((scope) => knownScopes.includes(scope));
  return areKnown ? undefined : problem('Invalid scope.');
}

const redirectUriOf = (call: Call) => call.query.get('redirect_uri') ?? '';
const scopesOf = (call: Call) => splitScopes(call.query.get('scope') ?? '');
const problem = (words: string) => html(messagePage('Something went wrong', words), 400);

function back(call: Call, parameters: Record<string, string>): Answer {
  return redirect(withParameters(redirectUriOf(call), { ...parameters, state: call.query.get('state') }));
}
