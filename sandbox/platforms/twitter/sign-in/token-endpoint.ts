import { asText } from '../../../http/coerce.ts';
import { type HttpResponse, json } from '../../../http/http-response.ts';
import type { JsonObject } from '../../../http/json.ts';
import { pkceMatches } from '../../../oauth/oauth.ts';
import { oauthApp } from '../../../oauth/oauth-app.ts';
import type { Call } from '../../../platform.ts';
import { invalidToken, oauthError } from '../errors.ts';
import { accessSeconds, issueTokens } from './tokens.ts';

const codeLifeMs = 30_000;

export function token(call: Call): HttpResponse {
  if (!isOurApp(call)) return oauthError(401, 'unauthorized_client', 'Missing valid authorization header');
  const fields = formOf(call);
  const absent = ['grant_type', ...(required[asText(fields.grant_type)] ?? [])].find(
    (name) => asText(fields[name]) === '',
  );
  if (absent !== undefined) return oauthError(400, 'invalid_request', `Missing required parameter [${absent}].`);
  switch (asText(fields.grant_type)) {
    case 'authorization_code':
      return exchangeCode(call, fields);
    case 'refresh_token':
      return refreshTokens(call, fields);
    default:
      return oauthError(400, 'unsupported_grant_type', 'Value passed for the grant type was invalid.');
  }
}

const required: Record<string, string[]> = {
  authorization_code: ['code', 'redirect_uri', 'code_verifier'],
  refresh_token: ['refresh_token'],
};

function exchangeCode(call: Call, fields: JsonObject): HttpResponse {
  const refuse = (what: string) => oauthError(400, 'invalid_request', `Value passed for the ${what}.`);
  const code = call.sandbox.store.apps.takeCode('twitter', asText(fields.code));
  if (!code || code.createdAt <= call.sandbox.now() - codeLifeMs) return refuse('authorization code was invalid');
  if (code.redirectUri !== asText(fields.redirect_uri)) {
    return refuse('redirect uri did not match the uri of the authorization code');
  }
  if (!pkceMatches(code.codeChallenge, asText(fields.code_verifier))) {
    return refuse('code verifier did not match the code challenge');
  }
  return presentTokens(call, code.accountId, code.scope);
}

/** A refresh token works once; the response contains the next one. */
function refreshTokens(call: Call, fields: JsonObject): HttpResponse {
  const { tokens } = call.sandbox.store;
  const old = tokens.find('twitter', asText(fields.refresh_token));
  if (old?.kind !== 'refresh' || old.accountId === null || !tokens.isAlive(old)) return invalidToken();
  tokens.revoke(old);
  return presentTokens(call, old.accountId, old.scope);
}

function presentTokens(call: Call, accountId: string, scope: string): HttpResponse {
  const { accessToken, refreshToken } = issueTokens(call.sandbox, accountId, scope);
  return json({
    token_type: 'bearer',
    expires_in: accessSeconds,
    access_token: accessToken,
    scope,
    ...(refreshToken !== null && { refresh_token: refreshToken }),
  });
}

/** The app must send its id and secret as HTTP Basic. */
function isOurApp(call: Call): boolean {
  const [, basic = ''] = /^Basic\s+(\S+)$/i.exec(call.headers.authorization ?? '') ?? [];
  const [id, secret] = Buffer.from(basic, 'base64').toString().split(':');
  return id === oauthApp.clientId && secret === oauthApp.clientSecret;
}

function formOf(call: Call): JsonObject {
  const isForm = call.headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false;
  return isForm ? call.body.fields : {};
}
