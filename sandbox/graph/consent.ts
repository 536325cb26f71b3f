import { type Answer, html, redirect } from '../answer.ts';
import { application } from '../application.ts';
import type { Call } from '../network.ts';
import { consentPage, readConsent, withParameters } from '../oauth.ts';
import { messagePage } from '../pages/layout.ts';
import type { Login } from './login.ts';

/** What is wrong with the address itself is shown to the person: a redirect would go to a stranger. */
export function authorize(login: Login, call: Call): Answer {
  const scopes = readScopes(login, call);
  if (!Array.isArray(scopes)) return scopes;
  const accounts = call.sandbox.store.accounts.list(login.network);
  return html(consentPage(call, { app: 'Crier', scopes, accounts }));
}

export function allow(login: Login, call: Call): Answer {
  const scopes = readScopes(login, call);
  if (!Array.isArray(scopes)) return scopes;
  const account = readConsent(call);
  if (account === 'invalid') return html(messagePage('This handle does not work', login.handleRule), 422);
  if (account === 'denied') {
    const error_description = 'The user denied your request';
    return redirect(backTo(call, { error: 'access_denied', error_reason: 'user_denied', error_description }));
  }
  const code = call.sandbox.store.apps.addCode({
    network: login.network,
    clientId: application.clientId,
    accountId: account.id,
    redirectUri: redirectUriOf(call),
    scope: login.granted(account, scopes).join(' '),
    codeChallenge: null,
    data: {},
  });
  // The vendor's own mark at the end of the address.
  return redirect(`${backTo(call, { code })}#_`);
}

function readScopes({ scopes }: Login, call: Call): string[] | Answer {
  const { query } = call;
  if (query.get('client_id') !== application.clientId) return problem('Invalid platform app');
  if (!isAllowedAddress(redirectUriOf(call))) return problem('Invalid redirect_uri');
  if (query.get('response_type') !== 'code') return problem('Invalid response_type');
  const asked = (query.get('scope') ?? '').split(/[\s,]+/).filter(Boolean);
  const unknown = asked.find((scope) => !scopes.includes(scope));
  if (unknown !== undefined) return problem(`Invalid scope: ${unknown}`);
  return asked.includes(scopes[0]) ? [...new Set(asked)] : problem(`Invalid scope: ${scopes[0]} is required`);
}

/** The application is registered for every address that the vendor would let it register. */
function isAllowedAddress(address: string): boolean {
  const url = URL.parse(address);
  if (!url) return false;
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback);
}

function redirectUriOf(call: Call): string {
  return call.query.get('redirect_uri') ?? '';
}

function backTo(call: Call, parameters: Record<string, string>): string {
  return withParameters(redirectUriOf(call), { ...parameters, state: call.query.get('state') });
}

function problem(text: string): Answer {
  return html(messagePage('Invalid Request', text), 400);
}
