import { type HttpResponse, html, redirect } from '../../../http/http-response.ts';
import { consentPage, invalidHandlePage, readConsent, withQuery } from '../../../oauth/oauth.ts';
import { messagePage } from '../../../pages/layout.ts';
import type { Call } from '../../../platform.ts';
import type { App } from '../../../store/apps.ts';
import { defaultHost } from '../hosts.ts';
import { outOfBand } from './apps.ts';
import { isWithin } from './scopes.ts';

/** An invalid request shows an error page, because its redirect address cannot be trusted. */
export function authorize(call: Call): HttpResponse {
  const asked = readAuthorization(call);
  if ('status' in asked) return asked;
  const accounts = call.sandbox.store.accounts.list('mastodon').filter((account) => account.data.host === call.host);
  return html(consentPage(call, { app: asked.app.name, scopes: asked.scope.split(' '), accounts }));
}

export function allow(call: Call): HttpResponse {
  const asked = readAuthorization(call);
  if ('status' in asked) return asked;
  const { app, redirectUri, scope } = asked;
  const state = call.query.get('state');
  const consent = readConsent(call, (handle) =>
    handle.includes('@', 1) || call.host === defaultHost ? handle : `${handle}@${call.host}`,
  );
  if (consent === 'invalid') return invalidHandlePage(call);
  if (consent === 'denied') {
    const error_description = 'The resource owner or authorization server denied the request.';
    return redirect(withQuery(redirectUri, { error: 'access_denied', error_description, state }));
  }
  const code = call.sandbox.store.apps.addCode({
    platform: 'mastodon',
    clientId: app.clientId,
    accountId: consent.id,
    redirectUri,
    scope,
    codeChallenge: call.query.get('code_challenge'),
    data: {},
  });
  if (redirectUri === outOfBand) return html(messagePage('Authorization code', code));
  return redirect(withQuery(redirectUri, { code, state }));
}

function readAuthorization(call: Call): { app: App; redirectUri: string; scope: string } | HttpResponse {
  const { query } = call;
  const app = call.sandbox.store.apps.find('mastodon', query.get('client_id') ?? '');
  if (!app) return errorPage('Client authentication failed due to unknown client.', 401);
  const redirectUri = query.get('redirect_uri') ?? '';
  if (!app.redirectUris.includes(redirectUri)) return errorPage('The redirect URI included is not valid.', 400);
  const scope = query.get('scope') || 'read';
  if (query.get('response_type') !== 'code')
    return errorPage('The authorization server does not support this response type.', 400);
  if (!isWithin(scope, app.scope)) return errorPage('The requested scope is invalid, unknown, or malformed.', 400);
  if (query.has('code_challenge') && query.get('code_challenge_method') !== 'S256') {
    return errorPage('The code_challenge_method must be S256.', 400);
  }
  return { app, redirectUri, scope };
}

function errorPage(text: string, status: number): HttpResponse {
  return html(messagePage('An error has occurred', text), status);
}
