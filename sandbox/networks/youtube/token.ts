import { type Answer, json } from '../../answer.ts';
import { application } from '../../application.ts';
import { asText } from '../../fields.ts';
import type { Call } from '../../network.ts';
import { codeVerifies } from '../../oauth.ts';
import type { Code } from '../../store/apps.ts';
import type { Token } from '../../store/tokens.ts';
import { invalidGrant, invalidToken, oauthError } from './errors.ts';
import { accessSeconds, issueAccess, issueRefresh, renewAccess } from './tokens.ts';

const codeLifeMs = 10 * 60_000;

export function token(call: Call): Answer {
  const refusal = checkClient(call);
  if (refusal) return refusal;
  const grantType = asText(call.body.fields.grant_type);
  switch (grantType) {
    case 'authorization_code':
      return exchange(call);
    case 'refresh_token':
      return renew(call);
    case '':
      return oauthError(400, 'invalid_request', 'Missing required parameter: grant_type');
    default:
      return oauthError(400, 'unsupported_grant_type', `Invalid grant_type: ${grantType}`);
  }
}

/** By either token, in the body or the query; it ends all that the person has granted. */
export function revoke(call: Call): Answer {
  const { tokens, records } = call.sandbox.store;
  const found = tokens.find('youtube', asText(call.body.fields.token) || (call.query.get('token') ?? ''));
  if (!found?.accountId || !tokens.isAlive(found)) {
    return oauthError(400, 'invalid_token', 'Token expired or revoked');
  }
  tokens.revokeAll('youtube', found.accountId);
  records.remove('youtube', 'grant', found.accountId);
  return json({});
}

/** Whose an access token is, and what it may do. */
export function tokenInfo(call: Call): Answer {
  const { store, now } = call.sandbox;
  const value = call.query.get('access_token') ?? asText(call.body.fields.access_token);
  const found = store.tokens.find('youtube', value);
  if (found?.kind !== 'access' || found.expiresAt === null || !store.tokens.isAlive(found)) return invalidToken();
  return json({
    azp: application.clientId,
    aud: application.clientId,
    scope: found.scope,
    exp: String(Math.floor(found.expiresAt / 1000)),
    expires_in: String(Math.floor((found.expiresAt - now()) / 1000)),
    access_type: 'offline',
  });
}

function exchange(call: Call): Answer {
  const { store, now } = call.sandbox;
  const { code: value, redirect_uri, code_verifier } = call.body.fields;
  const code = store.apps.takeCode('youtube', asText(value));
  if (!code || code.createdAt <= now() - codeLifeMs) return invalidGrant('Malformed auth code.');
  if (code.redirectUri !== asText(redirect_uri)) return oauthError(400, 'redirect_uri_mismatch', 'Bad Request');
  if (code.codeChallenge !== null && asText(code_verifier) === '') return invalidGrant('Missing code verifier.');
  if (!codeVerifies(code.codeChallenge, asText(code_verifier))) return invalidGrant('Invalid code verifier.');
  const access = issueAccess(call.sandbox, code.accountId, code.scope);
  return present(access, grantOffline(call, code));
}

/** A refresh token is given for the first consent, and after that only where the person was asked anew. */
function grantOffline(call: Call, { accountId, scope, data }: Code): Token | null {
  const { records } = call.sandbox.store;
  const isKnown = records.find('youtube', 'grant', accountId) !== undefined;
  if (data.isOffline !== true || (isKnown && data.isConsentNew !== true)) return null;
  records.put('youtube', 'grant', accountId, {}, accountId);
  return issueRefresh(call.sandbox, accountId, scope);
}

function renew(call: Call): Answer {
  const value = asText(call.body.fields.refresh_token);
  if (value === '') return oauthError(400, 'invalid_request', 'Missing required parameter: refresh_token');
  const access = renewAccess(call.sandbox, value);
  return access ? present(access, null) : invalidGrant();
}

function present(access: Token, refresh: Token | null): Answer {
  return json({
    access_token: access.token,
    expires_in: accessSeconds,
    ...(refresh && { refresh_token: refresh.token }),
    scope: access.scope,
    token_type: 'Bearer',
  });
}

/** In the body, or by HTTP Basic. */
function checkClient(call: Call): Answer | undefined {
  const [, basic = ''] = /^Basic\s+(\S+)$/i.exec(call.headers.authorization ?? '') ?? [];
  const [basicId, basicSecret] = Buffer.from(basic, 'base64').toString().split(':');
  const id = asText(call.body.fields.client_id) || basicId;
  const secret = asText(call.body.fields.client_secret) || basicSecret;
  if (id !== application.clientId) return oauthError(401, 'invalid_client', 'The OAuth client was not found.');
  if (secret === application.clientSecret) return undefined;
  return oauthError(401, 'invalid_client', 'The provided client secret is invalid.');
}
