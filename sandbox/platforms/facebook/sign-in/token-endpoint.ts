import { asText } from '../../../http/coerce.ts';
import { type HttpResponse, json } from '../../../http/http-response.ts';
import type { JsonObject } from '../../../http/json.ts';
import { pkceMatches } from '../../../oauth/oauth.ts';
import { oauthApp } from '../../../oauth/oauth-app.ts';
import type { Call } from '../../../platform.ts';
import type { Token } from '../../../store/tokens.ts';
import { refuse } from '../errors.ts';
import { readInput } from '../input.ts';
import { exchangeUserToken, issueUserToken } from './tokens.ts';

const codeLifeMs = 10 * 60_000;

/** One endpoint exchanges codes, extends tokens and issues app tokens. */
export function token(call: Call): HttpResponse {
  const input = readInput(call);
  checkApp(input);
  const grantType = asText(input.grant_type);
  if (grantType === 'client_credentials') {
    const { clientId, clientSecret } = oauthApp;
    return json({ access_token: `${clientId}|${clientSecret}`, token_type: 'bearer' });
  }
  return presentToken(call, grantType === 'fb_exchange_token' ? extendToken(call, input) : exchangeCode(call, input));
}

function exchangeCode(call: Call, input: JsonObject): Token {
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
  if (!pkceMatches(code.codeChallenge, asText(input.code_verifier))) {
    refuse('Error validating verification code. The code verifier does not match.', { code: 100 });
  }
  const account = store.accounts.find('facebook', code.accountId) ?? refuse('Invalid code.', { code: 100 });
  const pages = Array.isArray(code.data.pages) ? code.data.pages.map(asText) : [];
  return issueUserToken(store, { account, scope: code.scope, pages });
}

function extendToken(call: Call, input: JsonObject): Token {
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

function presentToken(call: Call, { token, expiresAt }: Token): HttpResponse {
  const expires_in = Math.round(((expiresAt ?? 0) - call.sandbox.now()) / 1000);
  return json({ access_token: token, token_type: 'bearer', expires_in });
}

function checkApp(input: JsonObject): void {
  const id = asText(input.client_id);
  if (id === '') refuse('Missing client_id parameter.', { code: 101 });
  if (id !== oauthApp.clientId) {
    refuse('Error validating application. Cannot get application info due to a system error.', { code: 101 });
  }
  if (asText(input.client_secret) !== oauthApp.clientSecret) {
    refuse('Error validating client secret.', { code: 1 });
  }
}
