import { asText } from '../../../http/coerce.ts';
import { type HttpResponse, json } from '../../../http/http-response.ts';
import { pkceMatches } from '../../../oauth/oauth.ts';
import { oauthApp } from '../../../oauth/oauth-app.ts';
import type { Call } from '../../../platform.ts';
import type { Code } from '../../../store/apps.ts';
import type { Token } from '../../../store/tokens.ts';
import { invalidGrant, oauthError } from '../errors.ts';
import { accessSeconds, issueAccessToken, issueRefreshToken, refreshAccessToken } from './tokens.ts';

const codeLifeMs = 10 * 60_000;

export function token(call: Call): HttpResponse {
  const refusal = checkClient(call);
  if (refusal) return refusal;
  const grantType = asText(call.body.fields.grant_type);
  switch (grantType) {
    case 'authorization_code':
      return exchangeCode(call);
    case 'refresh_token':
      return refreshTokens(call);
    case '':
      return oauthError(400, 'invalid_request', 'Missing required parameter: grant_type');
    default:
      return oauthError(400, 'unsupported_grant_type', `Invalid grant_type: ${grantType}`);
  }
}

function exchangeCode(call: Call): HttpResponse {
  const { store, now } = call.sandbox;
  const { code: value, redirect_uri, code_verifier } = call.body.fields;
  const code = store.apps.takeCode('youtube', asText(value));
  if (!code || code.createdAt <= now() - codeLifeMs) return invalidGrant('Malformed auth code.');
  if (code.redirectUri !== asText(redirect_uri)) return oauthError(400, 'redirect_uri_mismatch', 'Bad Request');
  if (code.codeChallenge !== null && asText(code_verifier) === '') return invalidGrant('Missing code verifier.');
  if (!pkceMatches(code.codeChallenge, asText(code_verifier))) return invalidGrant('Invalid code verifier.');
  const access = issueAccessToken(call.sandbox, code.accountId, code.scope);
  return presentTokens(access, grantOffline(call, code));
}

/** Google issues a refresh token for the first consent, and later only when the app forces a new consent. */
function grantOffline(call: Call, { accountId, scope, data }: Code): Token | null {
  const { records } = call.sandbox.store;
  const isKnown = records.find('youtube', 'grant', accountId) !== undefined;
  if (data.isOffline !== true || (isKnown && data.isConsentNew !== true)) return null;
  records.put('youtube', 'grant', accountId, {}, accountId);
  return issueRefreshToken(call.sandbox, accountId, scope);
}

function refreshTokens(call: Call): HttpResponse {
  const value = asText(call.body.fields.refresh_token);
  if (value === '') return oauthError(400, 'invalid_request', 'Missing required parameter: refresh_token');
  const access = refreshAccessToken(call.sandbox, value);
  return access ? presentTokens(access, null) : invalidGrant();
}

function presentTokens(access: Token, refresh: Token | null): HttpResponse {
  return json({
    access_token: access.token,
    expires_in: accessSeconds,
    ...(refresh && { refresh_token: refresh.token }),
    scope: access.scope,
    token_type: 'Bearer',
  });
}

/** The app sends its id and secret in the body or as HTTP Basic. */
function checkClient(call: Call): HttpResponse | undefined {
  const [, basic = ''] = /^Basic\s+(\S+)$/i.exec(call.headers.authorization ?? '') ?? [];
  const [basicId, basicSecret] = Buffer.from(basic, 'base64').toString().split(':');
  const id = asText(call.body.fields.client_id) || basicId;
  const secret = asText(call.body.fields.client_secret) || basicSecret;
  if (id !== oauthApp.clientId) return oauthError(401, 'invalid_client', 'The OAuth client was not found.');
  if (secret === oauthApp.clientSecret) return undefined;
  return oauthError(401, 'invalid_client', 'The provided client secret is invalid.');
}
