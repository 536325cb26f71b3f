import { createHmac } from 'node:crypto';
import { asText } from '../../../http/coerce.ts';
import { type HttpResponse, json } from '../../../http/http-response.ts';
import { oauthApp } from '../../../oauth/oauth-app.ts';
import type { Call } from '../../../platform.ts';
import type { Code } from '../../../store/apps.ts';
import type { Token } from '../../../store/tokens.ts';
import { invalidGrant, oauthError } from '../errors.ts';
import { memberOf } from './authenticate.ts';
import { presentIdentity } from './identity.ts';
import { splitScopes } from './scopes.ts';
import { issueAccessToken, issueTokens, secondsLeft } from './tokens.ts';

const codeLifeMs = 30 * 60_000;

export function token(call: Call): HttpResponse {
  const grantType = asText(call.body.fields.grant_type);
  if (grantType === '') return missing('grant_type');
  const refusal = checkClient(call);
  if (refusal) return refusal;
  if (grantType === 'authorization_code') return exchangeCode(call);
  if (grantType === 'refresh_token') return refreshTokens(call);
  return oauthError(400, 'unsupported_grant_type', 'The passed in grant_type is invalid');
}

/** Returns whether a token is valid and which scopes it has. No other endpoint lists the granted scopes. */
export function introspect(call: Call): HttpResponse {
  const refusal = checkClient(call);
  if (refusal) return refusal;
  const { tokens } = call.sandbox.store;
  const found = tokens.find('linkedin', asText(call.body.fields.token));
  if (!found || found.clientId !== oauthApp.clientId) return json({ active: false });
  const isActive = tokens.isAlive(found);
  return json({
    active: isActive,
    status: isActive ? 'active' : found.revokedAt === null ? 'expired' : 'revoked',
    client_id: oauthApp.clientId,
    scope: found.scope.replaceAll(' ', ','),
    authorized_at: inSeconds(found.createdAt),
    created_at: inSeconds(found.createdAt),
    expires_at: inSeconds(found.expiresAt ?? 0),
    auth_type: '3L',
  });
}

function exchangeCode(call: Call): HttpResponse {
  const { fields } = call.body;
  if (asText(fields.code) === '') return missing('code');
  const { store, now } = call.sandbox;
  const code = store.apps.takeCode('linkedin', asText(fields.code));
  const isGood = code?.redirectUri === asText(fields.redirect_uri) && code.createdAt > now() - codeLifeMs;
  if (!isGood) {
    return oauthError(
      400,
      'invalid_request',
      'Unable to retrieve access token: appid/redirect uri/code verifier does not match authorization code. Or authorization code expired. Or external member binding exists',
    );
  }
  endEarlierGrant(call, code);
  const { access, refresh } = issueTokens(call.sandbox, code.accountId, code.scope);
  return presentTokens(call, access, refresh);
}

/** A consent with other scopes than the last one invalidates all earlier tokens of the member. */
function endEarlierGrant(call: Call, { accountId, scope }: Code): void {
  const { records, tokens } = call.sandbox.store;
  const granted = splitScopes(scope).sort().join(' ');
  const before = records.find('linkedin', 'grant', accountId)?.data.scope;
  if (before !== undefined && before !== granted) tokens.revokeAll('linkedin', accountId);
  records.put('linkedin', 'grant', accountId, { scope: granted }, accountId);
}

/** The refresh token and its expiry stay the same. */
function refreshTokens(call: Call): HttpResponse {
  const { tokens } = call.sandbox.store;
  const value = asText(call.body.fields.refresh_token);
  if (value === '') return missing('refresh_token');
  const refresh = tokens.find('linkedin', value);
  if (refresh?.kind !== 'refresh' || !tokens.isAlive(refresh)) return invalidGrant();
  return presentTokens(call, issueAccessToken(call.sandbox, refresh.accountId, refresh.scope), refresh);
}

function presentTokens(call: Call, access: Token, refresh: Token): HttpResponse {
  return json({
    access_token: access.token,
    expires_in: secondsLeft(call.sandbox, access),
    refresh_token: refresh.token,
    refresh_token_expires_in: secondsLeft(call.sandbox, refresh),
    scope: access.scope.replaceAll(' ', ','),
    token_type: 'Bearer',
    ...(splitScopes(access.scope).includes('openid') && { id_token: idToken(call, access) }),
  });
}

/** The vendor signs with RS256. The sandbox does not have its keys, so the signature is not verifiable. */
function idToken(call: Call, access: Token): string {
  const account = call.sandbox.store.accounts.find('linkedin', access.accountId ?? '');
  const identity = account ? presentIdentity(memberOf(call.sandbox, account), splitScopes(access.scope)) : {};
  const claims = {
    iss: 'https://www.linkedin.com/oauth',
    aud: oauthApp.clientId,
    iat: inSeconds(access.createdAt),
    exp: inSeconds(access.createdAt) + 3600,
    ...identity,
  };
  const signed = [{ alg: 'RS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${signed}.${createHmac('sha256', oauthApp.clientSecret).update(signed).digest('base64url')}`;
}

function checkClient(call: Call): HttpResponse | undefined {
  const { client_id, client_secret } = call.body.fields;
  const isOurs = asText(client_id) === oauthApp.clientId && asText(client_secret) === oauthApp.clientSecret;
  return isOurs ? undefined : oauthError(401, 'invalid_client', 'Client authentication failed');
}

function missing(parameter: string): HttpResponse {
  return oauthError(400, 'invalid_request', `A required parameter "${parameter}" is missing`);
}

function inSeconds(time: number): number {
  return Math.floor(time / 1000);
}
