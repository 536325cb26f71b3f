import { type Answer, html, json, redirect } from '../../answer.ts';
import { asText, asTexts } from '../../fields.ts';
import type { Call } from '../../network.ts';
import { codeVerifies, consentPage, readConsent, withParameters } from '../../oauth.ts';
import { messagePage } from '../../pages/layout.ts';
import type { App } from '../../store/apps.ts';
import { invalid } from './errors.ts';
import { defaultHost } from './hosts.ts';
import { requireToken } from './sign-in.ts';

const oob = 'urn:ietf:wg:oauth:2.0:oob';
const codeLifeMs = 10 * 60_000;
const families = ['read', 'write', 'follow', 'push', 'profile', 'admin:read', 'admin:write'];

export function registerApp(call: Call): Answer {
  const { fields } = call.body;
  const name = asText(fields.client_name);
  const redirectUris = asTexts(fields.redirect_uris)
    .flatMap((line) => line.split(/\s+/))
    .filter(Boolean);
  const scopes = asText(fields.scopes).split(/\s+/).filter(Boolean);
  if (name === '') invalid("Application name can't be blank");
  if (redirectUris.length === 0) invalid("Redirect URI can't be blank");
  if (!redirectUris.every((uri) => uri === oob || URL.canParse(uri))) invalid('Redirect URI must be an absolute URI.');
  if (!scopes.every(isScope)) invalid("Scopes doesn't match configured on the server.");
  const app = call.sandbox.store.apps.add({
    network: 'mastodon',
    name,
    website: asText(fields.website) || null,
    redirectUris,
    scope: scopes.join(' ') || 'read',
  });
  const { clientId: client_id, clientSecret: client_secret } = app;
  return json({
    id: call.sandbox.store.ids.snowflake(),
    ...presentApp(app),
    client_id,
    client_secret,
    client_secret_expires_at: 0,
  });
}

export function verifyApp(call: Call): Answer {
  const token = requireToken(call);
  const app = token.clientId ? call.sandbox.store.apps.find('mastodon', token.clientId) : undefined;
  return json(
    app
      ? presentApp(app)
      : { name: 'Sandbox control', website: null, scopes: token.scope.split(' '), redirect_uris: [] },
  );
}

export function discovery(call: Call): Answer {
  const origin = `https://${call.host}`;
  return json({
    issuer: `${origin}/`,
    service_documentation: 'https://docs.joinmastodon.org/',
    authorization_endpoint: `${origin}/oauth/authorize`,
    token_endpoint: `${origin}/oauth/token`,
    revocation_endpoint: `${origin}/oauth/revoke`,
    scopes_supported: [
      'read',
      'profile',
      'write',
      'write:media',
      'write:statuses',
      'read:accounts',
      'read:statuses',
      'follow',
      'push',
    ],
    response_types_supported: ['code'],
    response_modes_supported: ['query', 'fragment', 'form_post'],
    grant_types_supported: ['authorization_code', 'client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    code_challenge_methods_supported: ['S256'],
    app_registration_endpoint: `${origin}/api/v1/apps`,
  });
}

/** What is wrong with the address itself is shown to the person: a redirect would go to a stranger. */
export function authorize(call: Call): Answer {
  const asked = readAuthorization(call);
  if ('status' in asked) return asked;
  const accounts = call.sandbox.store.accounts.list('mastodon').filter((account) => account.data.host === call.host);
  return html(consentPage(call, { app: asked.app.name, scopes: asked.scope.split(' '), accounts }));
}

export function allow(call: Call): Answer {
  const asked = readAuthorization(call);
  if ('status' in asked) return asked;
  const { app, redirectUri, scope } = asked;
  const state = call.query.get('state');
  const consent = readConsent(call, (handle) =>
    handle.includes('@', 1) || call.host === defaultHost ? handle : `${handle}@${call.host}`,
  );
  if (consent === 'invalid')
    return html(messagePage('This handle does not work', 'Letters, digits and _, at most 30.'), 422);
  if (consent === 'denied') {
    const error_description = 'The resource owner or authorization server denied the request.';
    return redirect(withParameters(redirectUri, { error: 'access_denied', error_description, state }));
  }
  const code = call.sandbox.store.apps.addCode({
    network: 'mastodon',
    clientId: app.clientId,
    accountId: consent.id,
    redirectUri,
    scope,
    codeChallenge: call.query.get('code_challenge'),
    data: {},
  });
  if (redirectUri === oob) return html(messagePage('Authorization code', code));
  return redirect(withParameters(redirectUri, { code, state }));
}

export function token(call: Call): Answer {
  const { fields } = call.body;
  const app = authenticate(call);
  if (!app)
    return oauthError(
      401,
      'invalid_client',
      'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.',
    );
  const grantType = asText(fields.grant_type);
  const { store, now } = call.sandbox;
  if (grantType === 'client_credentials') {
    const scope = asText(fields.scope) || 'read';
    if (!isWithin(scope, app.scope)) return invalidScope();
    return json(
      presentToken(
        store.tokens.issue({ network: 'mastodon', accountId: null, clientId: app.clientId, scope, kind: 'app' }),
      ),
    );
  }
  if (grantType !== 'authorization_code') {
    return oauthError(
      400,
      'unsupported_grant_type',
      'The authorization grant type is not supported by the authorization server.',
    );
  }
  const code = store.apps.takeCode('mastodon', asText(fields.code));
  const isGood =
    code !== undefined &&
    code.clientId === app.clientId &&
    code.redirectUri === asText(fields.redirect_uri) &&
    code.createdAt > now() - codeLifeMs &&
    codeVerifies(code.codeChallenge, asText(fields.code_verifier));
  if (!isGood) {
    return oauthError(
      400,
      'invalid_grant',
      'The provided authorization grant is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client.',
    );
  }
  const { accountId, clientId, scope } = code;
  return json(presentToken(store.tokens.issue({ network: 'mastodon', accountId, clientId, scope })));
}

export function revoke(call: Call): Answer {
  const app = authenticate(call);
  const { tokens } = call.sandbox.store;
  const token = tokens.find('mastodon', asText(call.body.fields.token));
  if (!app || (token && token.clientId !== app.clientId)) {
    return oauthError(403, 'unauthorized_client', 'You are not authorized to revoke this token');
  }
  if (token) tokens.revoke(token);
  return json({});
}

function readAuthorization(call: Call): { app: App; redirectUri: string; scope: string } | Answer {
  const { query } = call;
  const app = call.sandbox.store.apps.find('mastodon', query.get('client_id') ?? '');
  if (!app) return refusal('Client authentication failed due to unknown client.', 401);
  const redirectUri = query.get('redirect_uri') ?? '';
  if (!app.redirectUris.includes(redirectUri)) return refusal('The redirect URI included is not valid.', 400);
  const scope = query.get('scope') || 'read';
  if (query.get('response_type') !== 'code')
    return refusal('The authorization server does not support this response type.', 400);
  if (!isWithin(scope, app.scope)) return refusal('The requested scope is invalid, unknown, or malformed.', 400);
  if (query.has('code_challenge') && query.get('code_challenge_method') !== 'S256') {
    return refusal('The code_challenge_method must be S256.', 400);
  }
  return { app, redirectUri, scope };
}

function refusal(text: string, status: number): Answer {
  return html(messagePage('An error has occurred', text), status);
}

/** By body or by HTTP Basic. */
function authenticate(call: Call): App | undefined {
  const { fields } = call.body;
  const [, basic] = /^Basic\s+(\S+)$/i.exec(call.headers.authorization ?? '') ?? [];
  const [id = '', secret = ''] = basic
    ? Buffer.from(basic, 'base64').toString().split(':')
    : [asText(fields.client_id), asText(fields.client_secret)];
  const app = call.sandbox.store.apps.find('mastodon', id);
  return app && app.clientSecret === secret ? app : undefined;
}

function presentApp(app: App) {
  const { name, website, redirectUris } = app;
  return {
    name,
    website,
    scopes: app.scope.split(' '),
    redirect_uri: redirectUris.join('\n'),
    redirect_uris: redirectUris,
  };
}

function presentToken({ token, scope, createdAt }: { token: string; scope: string; createdAt: number }) {
  return { access_token: token, token_type: 'Bearer', scope, created_at: Math.floor(createdAt / 1000) };
}

function isScope(scope: string): boolean {
  return families.some((family) => scope === family || scope.startsWith(`${family}:`));
}

function isWithin(asked: string, registered: string): boolean {
  const allowed = registered.split(' ');
  return asked.split(/\s+/).every((scope) => allowed.includes(scope) || allowed.includes(scope.replace(/:[^:]*$/, '')));
}

function invalidScope(): Answer {
  return oauthError(400, 'invalid_scope', 'The requested scope is invalid, unknown, or malformed.');
}

function oauthError(status: number, name: string, description: string): Answer {
  return json({ error: name, error_description: description }, status);
}
