import { asText } from '../../../http/coerce.ts';
import { type HttpResponse, json } from '../../../http/http-response.ts';
import { oauthApp } from '../../../oauth/oauth-app.ts';
import type { Call } from '../../../platform.ts';
import { invalidGrant, oauthError } from '../errors.ts';
import { accessSeconds, issueTokens, refreshSeconds } from './tokens.ts';

const codeLifeMs = 10 * 60_000;

export function token(call: Call): HttpResponse {
  const refusal = checkApp(call);
  if (refusal) return refusal;
  switch (asText(call.body.fields.grant_type)) {
    case 'authorization_code':
      return exchangeCode(call);
    case 'refresh_token':
      return refreshTokens(call);
    default:
      return oauthError('unsupported_grant_type', 'The authorization grant type is not supported.');
  }
}

function exchangeCode(call: Call): HttpResponse {
  const { store, now } = call.sandbox;
  const { code: value, redirect_uri } = call.body.fields;
  const code = store.apps.takeCode('tiktok', asText(value));
  if (!code || code.createdAt <= now() - codeLifeMs) {
    return oauthError('invalid_grant', 'Authorization code is expired or invalid.');
  }
  if (code.redirectUri !== asText(redirect_uri)) {
    return oauthError('invalid_request', 'Redirect_uri is not matched with the uri when requesting code.');
  }
  return presentTokens(call, code.accountId, code.scope);
}

/** A refresh token works once; the response contains the next one. */
function refreshTokens(call: Call): HttpResponse {
  const { tokens } = call.sandbox.store;
  const old = tokens.find('tiktok', asText(call.body.fields.refresh_token));
  if (old?.kind !== 'refresh' || old.accountId === null || !tokens.isAlive(old)) return invalidGrant();
  tokens.revoke(old);
  return presentTokens(call, old.accountId, old.scope);
}

function presentTokens(call: Call, accountId: string, scope: string): HttpResponse {
  const { access, refresh } = issueTokens(call.sandbox, accountId, scope);
  return json({
    access_token: access.token,
    expires_in: accessSeconds,
    open_id: accountId,
    refresh_expires_in: refreshSeconds,
    refresh_token: refresh.token,
    scope,
    token_type: 'Bearer',
  });
}

function checkApp(call: Call): HttpResponse | undefined {
  if (!call.headers['content-type']?.startsWith('application/x-www-form-urlencoded')) {
    return oauthError('invalid_request', 'Only `application/x-www-form-urlencoded` is accepted as Content-Type.');
  }
  const { client_key, client_secret } = call.body.fields;
  const isOurs = asText(client_key) === oauthApp.clientId && asText(client_secret) === oauthApp.clientSecret;
  return isOurs ? undefined : oauthError('invalid_client', 'Client key or secret is incorrect.');
}
