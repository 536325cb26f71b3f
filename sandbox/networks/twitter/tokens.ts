import { type Answer, json } from '../../answer.ts';
import { application } from '../../application.ts';
import { asText } from '../../fields.ts';
import type { JsonObject } from '../../json.ts';
import type { Call } from '../../network.ts';
import { codeVerifies } from '../../oauth.ts';
import type { Sandbox } from '../../sandbox.ts';
import { invalidToken, oauthError } from './errors.ts';

const accessSeconds = 2 * 60 * 60;
const refreshSeconds = 180 * 24 * 60 * 60;
const codeLifeMs = 30_000;

export function token(call: Call): Answer {
  if (!isOurApplication(call)) return oauthError(401, 'unauthorized_client', 'Missing valid authorization header');
  const fields = formOf(call);
  const absent = ['grant_type', ...(required[asText(fields.grant_type)] ?? [])].find(
    (name) => asText(fields[name]) === '',
  );
  if (absent !== undefined) return oauthError(400, 'invalid_request', `Missing required parameter [${absent}].`);
  switch (asText(fields.grant_type)) {
    case 'authorization_code':
      return exchangeCode(call, fields);
    case 'refresh_token':
      return refresh(call, fields);
    default:
      return oauthError(400, 'unsupported_grant_type', 'Value passed for the grant type was invalid.');
  }
}

export function revoke(call: Call): Answer {
  const fields = formOf(call);
  const isKnown = isOurApplication(call) || asText(fields.client_id) === application.clientId;
  if (!isKnown) return oauthError(401, 'unauthorized_client', 'Missing valid authorization header');
  const { tokens } = call.sandbox.store;
  const found = tokens.find('twitter', asText(fields.token));
  if (found) tokens.revoke(found);
  return json({ revoked: true });
}

/** A fresh pair. There is a refresh token only for `offline.access`. */
export function issueTokens({ store }: Sandbox, accountId: string, scope: string) {
  const grant = { network: 'twitter', accountId, scope, clientId: application.clientId };
  const access = store.tokens.issue({ ...grant, expiresInSeconds: accessSeconds });
  const refresh = scope.split(' ').includes('offline.access')
    ? store.tokens.issue({ ...grant, kind: 'refresh', expiresInSeconds: refreshSeconds })
    : null;
  return { accessToken: access.token, refreshToken: refresh?.token ?? null };
}

const required: Record<string, string[]> = {
  authorization_code: ['code', 'redirect_uri', 'code_verifier'],
  refresh_token: ['refresh_token'],
};

function exchangeCode(call: Call, fields: JsonObject): Answer {
  const refuse = (what: string) => oauthError(400, 'invalid_request', `Value passed for the ${what}.`);
  const code = call.sandbox.store.apps.takeCode('twitter', asText(fields.code));
  if (!code || code.createdAt <= call.sandbox.now() - codeLifeMs) return refuse('authorization code was invalid');
  if (code.redirectUri !== asText(fields.redirect_uri)) {
    return refuse('redirect uri did not match the uri of the authorization code');
  }
  if (!codeVerifies(code.codeChallenge, asText(fields.code_verifier))) {
    return refuse('code verifier did not match the code challenge');
  }
  return presentTokens(call, code.accountId, code.scope);
}

/** Works once: the answer holds the next one. */
function refresh(call: Call, fields: JsonObject): Answer {
  const { tokens } = call.sandbox.store;
  const old = tokens.find('twitter', asText(fields.refresh_token));
  if (old?.kind !== 'refresh' || old.accountId === null || !tokens.isAlive(old)) return invalidToken();
  tokens.revoke(old);
  return presentTokens(call, old.accountId, old.scope);
}

function presentTokens(call: Call, accountId: string, scope: string): Answer {
  const { accessToken, refreshToken } = issueTokens(call.sandbox, accountId, scope);
  return json({
    token_type: 'bearer',
    expires_in: accessSeconds,
    access_token: accessToken,
    scope,
    ...(refreshToken !== null && { refresh_token: refreshToken }),
  });
}

/** The application has a secret, so it must say it, by HTTP Basic. */
function isOurApplication(call: Call): boolean {
  const [, basic = ''] = /^Basic\s+(\S+)$/i.exec(call.headers.authorization ?? '') ?? [];
  const [id, secret] = Buffer.from(basic, 'base64').toString().split(':');
  return id === application.clientId && secret === application.clientSecret;
}

function formOf(call: Call): JsonObject {
  const isForm = call.headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false;
  return isForm ? call.body.fields : {};
}
