import { asText } from '../../../http/coerce.ts';
import { type HttpResponse, json } from '../../../http/http-response.ts';
import { pkceMatches } from '../../../oauth/oauth.ts';
import type { Call } from '../../../platform.ts';
import type { App } from '../../../store/apps.ts';
import type { Token } from '../../../store/tokens.ts';
import { isTerse } from '../hosts.ts';
import { isWithin } from './scopes.ts';

const codeLifeMs = 10 * 60_000;

export function token(call: Call): HttpResponse {
  const app = authenticateApp(call);
  if (!app) {
    return oauthError(
      401,
      'invalid_client',
      'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.',
    );
  }
  switch (asText(call.body.fields.grant_type)) {
    case 'client_credentials':
      return issueAppToken(call, app);
    case 'authorization_code':
      return exchangeCode(call, app);
    default:
      return oauthError(
        400,
        'unsupported_grant_type',
        'The authorization grant type is not supported by the authorization server.',
      );
  }
}

function issueAppToken(call: Call, { clientId, scope: registered }: App): HttpResponse {
  const scope = asText(call.body.fields.scope) || 'read';
  if (!isWithin(scope, registered)) {
    return oauthError(400, 'invalid_scope', 'The requested scope is invalid, unknown, or malformed.');
  }
  const { tokens } = call.sandbox.store;
  const issued = tokens.issue({ platform: 'mastodon', accountId: null, clientId, scope, kind: 'app' });
  return json(presentToken(issued, call.host));
}

function exchangeCode(call: Call, app: App): HttpResponse {
  const { fields } = call.body;
  const { store, now } = call.sandbox;
  const code = store.apps.takeCode('mastodon', asText(fields.code));
  const isGood =
    code !== undefined &&
    code.clientId === app.clientId &&
    code.redirectUri === asText(fields.redirect_uri) &&
    code.createdAt > now() - codeLifeMs &&
    pkceMatches(code.codeChallenge, asText(fields.code_verifier));
  if (!isGood) {
    return oauthError(
      400,
      'invalid_grant',
      'The provided authorization grant is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client.',
    );
  }
  const { accountId, clientId, scope } = code;
  return json(presentToken(store.tokens.issue({ platform: 'mastodon', accountId, clientId, scope }), call.host));
}

/** The app sends its id and secret in the body or as HTTP Basic. */
function authenticateApp(call: Call): App | undefined {
  const { fields } = call.body;
  const [, basic] = /^Basic\s+(\S+)$/i.exec(call.headers.authorization ?? '') ?? [];
  const [id = '', secret = ''] = basic
    ? Buffer.from(basic, 'base64').toString().split(':')
    : [asText(fields.client_id), asText(fields.client_secret)];
  const app = call.sandbox.store.apps.find('mastodon', id);
  return app && app.clientSecret === secret ? app : undefined;
}

function presentToken({ token, scope, createdAt }: Token, host: string) {
  if (isTerse(host)) return { access_token: token, token_type: 'Bearer' };
  return { access_token: token, token_type: 'Bearer', scope, created_at: Math.floor(createdAt / 1000) };
}

function oauthError(status: number, name: string, description: string): HttpResponse {
  return json({ error: name, error_description: description }, status);
}
