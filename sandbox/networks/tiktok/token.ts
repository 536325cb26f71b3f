import { type Answer, empty, json } from '../../answer.ts';
import { application } from '../../application.ts';
import { asText } from '../../fields.ts';
import type { Call } from '../../network.ts';
import { invalidGrant, oauthError } from './errors.ts';
import { accessSeconds, issueTokens, refreshSeconds } from './tokens.ts';

const codeLifeMs = 10 * 60_000;

export function token(call: Call): Answer {
  const refusal = checkRequest(call);
  if (refusal) return refusal;
  switch (asText(call.body.fields.grant_type)) {
    case 'authorization_code':
      return exchange(call);
    case 'refresh_token':
      return renew(call);
    default:
      return oauthError('unsupported_grant_type', 'The authorization grant type is not supported.');
  }
}

export function revoke(call: Call): Answer {
  const refusal = checkRequest(call);
  if (refusal) return refusal;
  const { tokens } = call.sandbox.store;
  const found = tokens.find('tiktok', asText(call.body.fields.token));
  if (!found) return oauthError('invalid_request', 'The token is invalid.');
  // A user takes back all that the application was given, not one token of it.
  if (found.accountId !== null) tokens.revokeAll('tiktok', found.accountId);
  return empty(200);
}

function exchange(call: Call): Answer {
  const { store, now } = call.sandbox;
  const { code: value, redirect_uri } = call.body.fields;
  const code = store.apps.takeCode('tiktok', asText(value));
  if (!code || code.createdAt <= now() - codeLifeMs) {
    return oauthError('invalid_grant', 'Authorization code is expired or invalid.');
  }
  if (code.redirectUri !== asText(redirect_uri)) {
    return oauthError('invalid_request', 'Redirect_uri is not matched with the uri when requesting code.');
  }
  return present(call, code.accountId, code.scope);
}

/** Works once: the answer holds the next one. */
function renew(call: Call): Answer {
  const { tokens } = call.sandbox.store;
  const old = tokens.find('tiktok', asText(call.body.fields.refresh_token));
  if (old?.kind !== 'refresh' || old.accountId === null || !tokens.isAlive(old)) return invalidGrant();
  tokens.revoke(old);
  return present(call, old.accountId, old.scope);
}

function present(call: Call, accountId: string, scope: string): Answer {
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

function checkRequest(call: Call): Answer | undefined {
  if (!call.headers['content-type']?.startsWith('application/x-www-form-urlencoded')) {
    return oauthError('invalid_request', 'Only `application/x-www-form-urlencoded` is accepted as Content-Type.');
  }
  const { client_key, client_secret } = call.body.fields;
  const isOurs = asText(client_key) === application.clientId && asText(client_secret) === application.clientSecret;
  return isOurs ? undefined : oauthError('invalid_client', 'Client key or secret is incorrect.');
}
