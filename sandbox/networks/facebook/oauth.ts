import { ensureAccount } from '../../accounts.ts';
import { type Answer, html, json, redirect } from '../../answer.ts';
import { application } from '../../application.ts';
import { asText } from '../../fields.ts';
import type { JsonObject } from '../../json.ts';
import type { Call } from '../../network.ts';
import { codeVerifies, consentPage, readConsent, withParameters } from '../../oauth.ts';
import { messagePage } from '../../pages/layout.ts';
import type { Token } from '../../store/tokens.ts';
import { secondPageOf } from './accounts.ts';
import { refuse } from './errors.ts';
import { readInput } from './input.ts';
import { knownScopes, pageScopes } from './scopes.ts';
import { exchangeUserToken, issueUserToken } from './tokens.ts';

const codeLifeMs = 10 * 60_000;

/** What is wrong with the address itself is shown to the person: a redirect would go to a stranger. */
export function dialog(call: Call): Answer {
  const asked = readDialog(call);
  if ('status' in asked) return asked;
  const accounts = call.sandbox.store.accounts.list('facebook');
  return html(consentPage(call, { app: 'Crier', scopes: asked.scopes, accounts }));
}

export function answerDialog(call: Call): Answer {
  const asked = readDialog(call);
  if ('status' in asked) return asked;
  const { redirectUri, scopes } = asked;
  const state = call.query.get('state');
  const page = readConsent(call);
  if (page === 'invalid') return refusal('Letters, digits, dots and hyphens, at most 50.', 422);
  if (page === 'denied') {
    const denial = { error: 'access_denied', error_code: '200', error_reason: 'user_denied' };
    return redirect(withParameters(redirectUri, { ...denial, error_description: 'Permissions error', state }));
  }
  const second = secondPageOf(page.handle);
  const other = second === undefined ? undefined : ensureAccount(call.sandbox, call.network, second)?.account;
  const code = call.sandbox.store.apps.addCode({
    network: 'facebook',
    clientId: application.clientId,
    accountId: page.id,
    redirectUri,
    scope: scopes.join(' '),
    codeChallenge: call.query.get('code_challenge'),
    data: { pages: other ? [page.id, other.id] : [page.id] },
  });
  // Facebook's own mark at the end of every address that it sends people back to.
  return redirect(`${withParameters(redirectUri, { code, state })}#_=_`);
}

/** A code, a token to be made to last, or the app's own: one address for all. */
export function accessToken(call: Call): Answer {
  const input = readInput(call);
  checkApplication(input);
  const grantType = asText(input.grant_type);
  if (grantType === 'client_credentials') {
    const { clientId, clientSecret } = application;
    return json({ access_token: `${clientId}|${clientSecret}`, token_type: 'bearer' });
  }
  return presentToken(call, grantType === 'fb_exchange_token' ? exchange(call, input) : redeem(call, input));
}

function redeem(call: Call, input: JsonObject): Token {
  const { store, now } = call.sandbox;
  const redirectUri = asText(input.redirect_uri);
  if (redirectUri === '') refuse('Missing redirect_uri parameter.', { code: 191 });
  const name = asText(input.code);
  if (name === '') refuse('Missing authorization code', { code: 1 });
  const code = store.apps.takeCode('facebook', name);
  const isUsed = store.records.find('facebook', 'used-code', name) !== undefined;
  if (!code && isUsed) refuse('This authorization code has been used.', { code: 100, subcode: 36009 });
  if (!code) refuse('Invalid verification code format.', { code: 100 });
  store.records.put('facebook', 'used-code', name, {});
  if (code.createdAt <= now() - codeLifeMs) {
    refuse('This authorization code has expired.', { code: 100, subcode: 36007 });
  }
  if (code.redirectUri !== redirectUri) {
    refuse(
      'Error validating verification code. Please make sure your redirect_uri is identical to the one you used in the OAuth dialog request',
      { code: 100, subcode: 36008 },
    );
  }
  if (!codeVerifies(code.codeChallenge, asText(input.code_verifier))) {
    refuse('Error validating verification code. The code verifier does not match.', { code: 100 });
  }
  const account = store.accounts.find('facebook', code.accountId) ?? refuse('Invalid code.', { code: 100 });
  const pages = Array.isArray(code.data.pages) ? code.data.pages.map(asText) : [];
  return issueUserToken(store, { account, scope: code.scope, pages });
}

function exchange(call: Call, input: JsonObject): Token {
  const { tokens } = call.sandbox.store;
  const short = tokens.find('facebook', asText(input.fb_exchange_token));
  if (short?.data.type !== 'USER') {
    refuse('Invalid OAuth access token - Cannot parse access token', { code: 190 });
  }
  if (!tokens.isAlive(short)) {
    refuse('Error validating access token: Session has expired.', { code: 190, subcode: 463 });
  }
  return exchangeUserToken(call.sandbox.store, short);
}

function presentToken(call: Call, { token, expiresAt }: Token): Answer {
  const expires_in = Math.round(((expiresAt ?? 0) - call.sandbox.now()) / 1000);
  return json({ access_token: token, token_type: 'bearer', expires_in });
}

function checkApplication(input: JsonObject): void {
  const id = asText(input.client_id);
  if (id === '') refuse('Missing client_id parameter.', { code: 101 });
  if (id !== application.clientId) {
    refuse('Error validating application. Cannot get application info due to a system error.', { code: 101 });
  }
  if (asText(input.client_secret) !== application.clientSecret) {
    refuse('Error validating client secret.', { code: 1 });
  }
}

function readDialog(call: Call): { redirectUri: string; scopes: string[] } | Answer {
  const { query } = call;
  if (query.get('client_id') !== application.clientId)
    return refusal('Invalid App ID: the provided app ID does not look like a valid app ID.');
  const redirectUri = query.get('redirect_uri') ?? '';
  if (!isAllowed(redirectUri))
    return refusal('URL blocked: the redirect URI is not whitelisted in the app’s client OAuth settings.');
  if ((query.get('response_type') ?? 'code') !== 'code') return refusal('The response type is not supported here.');
  if (query.has('code_challenge') && query.get('code_challenge_method') !== 'S256') {
    return refusal('The code_challenge_method must be S256.');
  }
  // A configuration of Facebook Login for Business names the permissions itself.
  const asked = query.has('config_id') ? pageScopes : (query.get('scope') ?? '').split(/[\s,]+/).filter(Boolean);
  const unknown = asked.filter((scope) => !knownScopes.includes(scope));
  if (unknown.length > 0) return refusal(`Invalid Scopes: ${unknown.join(', ')}.`);
  return { redirectUri, scopes: [...new Set(['public_profile', ...asked])] };
}

function isAllowed(address: string): boolean {
  const url = URL.parse(address);
  if (!url) return false;
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback);
}

function refusal(text: string, status = 400): Answer {
  return html(messagePage('Sorry, something went wrong.', text), status);
}
