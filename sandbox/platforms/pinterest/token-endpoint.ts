import { asText } from '../../http/coerce.ts';
import { type HttpResponse, json } from '../../http/http-response.ts';
import { oauthApp } from '../../oauth/oauth-app.ts';
import type { Call } from '../../platform.ts';
import { refuse } from './errors.ts';
import { accessSeconds, issueTokens, refreshSeconds } from './tokens.ts';

const codeLifeMs = 10 * 60_000;

/** The app sends its id and secret as HTTP Basic, and the grant as a form. */
export function token(call: Call): HttpResponse {
  const { fields } = call.body;
  if (!isOurApp(call)) refuse(401);
  if (!call.headers['content-type']?.startsWith('application/x-www-form-urlencoded')) refuse(400);
  switch (asText(fields.grant_type)) {
    case 'authorization_code':
      return exchangeCode(call);
    case 'refresh_token':
      return refreshTokens(call);
    default:
      refuse(400, "Invalid request: grant_type is not one of 'authorization_code', 'refresh_token'");
  }
}

function exchangeCode(call: Call): HttpResponse {
  const { store, now } = call.sandbox;
  const { code: value, redirect_uri } = call.body.fields;
  const code = store.apps.takeCode('pinterest', asText(value));
  if (!code || code.createdAt <= now() - codeLifeMs) refuse(400, 'The provided authorization grant is invalid.');
  if (code.redirectUri !== asText(redirect_uri)) refuse(400, 'Redirect URI does not match.');
  return presentTokens(call, code.accountId, code.scope, 'authorization_code');
}

/** A refresh token works once; the response contains the next one. */
function refreshTokens(call: Call): HttpResponse {
  const { tokens } = call.sandbox.store;
  const old = tokens.find('pinterest', asText(call.body.fields.refresh_token));
  if (old?.kind !== 'refresh' || old.accountId === null || !tokens.isAlive(old)) refuse(401);
  tokens.revoke(old);
  return presentTokens(call, old.accountId, old.scope, 'refresh_token');
}

function presentTokens({ sandbox }: Call, accountId: string, scope: string, response_type: string): HttpResponse {
  const { accessToken, refreshToken } = issueTokens(sandbox, accountId, scope);
  return json({
    access_token: accessToken,
    refresh_token: refreshToken,
    response_type,
    token_type: 'bearer',
    expires_in: accessSeconds,
    refresh_token_expires_in: refreshSeconds,
    refresh_token_expires_at: Math.floor(sandbox.now() / 1000) + refreshSeconds,
    scope,
  });
}

function isOurApp(call: Call): boolean {
  const [, basic = ''] = /^Basic\s+(\S+)$/i.exec(call.headers.authorization ?? '') ?? [];
  const [id, secret] = Buffer.from(basic, 'base64').toString().split(':');
  return id === oauthApp.clientId && secret === oauthApp.clientSecret;
}
