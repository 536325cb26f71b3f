import { asText } from '../../../http/coerce.ts';
import { type HttpResponse, json } from '../../../http/http-response.ts';
import { oauthApp } from '../../../oauth/oauth-app.ts';
import type { Call } from '../../../platform.ts';
import type { Token } from '../../../store/tokens.ts';
import { refuse } from '../errors.ts';
import { readInput } from '../input.ts';
import { isAppToken, pagesOf, requireToken, tokenText } from './authenticate.ts';

const dataAccessSeconds = 90 * 86_400;

/** Returns the owner, expiry and scopes of a token. The app and all of its tokens may ask. */
export function debugToken(call: Call): HttpResponse {
  if (!isAppToken(tokenText(call))) requireToken(call);
  const input = asText(readInput(call).input_token);
  if (input === '') refuse('(#100) The parameter input_token is required', { code: 100 });
  const { tokens } = call.sandbox.store;
  const token = tokens.find('facebook', input);
  if (!token) {
    const error = { code: 190, message: 'Invalid OAuth access token.' };
    return json({ data: { error, is_valid: false, scopes: [] } });
  }
  const isValid = tokens.isAlive(token);
  return json({ data: { ...describe(token), is_valid: isValid, ...(!isValid && { error: invalidReason(token) }) } });
}

function describe(token: Token) {
  const scopes = token.scope.split(' ');
  const isPage = token.data.type === 'PAGE';
  const targets = isPage ? [token.accountId] : pagesOf(token);
  return {
    app_id: oauthApp.clientId,
    type: token.data.type,
    application: 'Crier',
    data_access_expires_at: Math.floor(token.createdAt / 1000) + dataAccessSeconds,
    expires_at: token.expiresAt === null ? 0 : Math.floor(token.expiresAt / 1000),
    issued_at: Math.floor(token.createdAt / 1000),
    ...(isPage && { profile_id: token.accountId }),
    scopes,
    granular_scopes: scopes
      .filter((scope) => scope.startsWith('pages_') || scope === 'read_insights')
      .map((scope) => ({ scope, target_ids: targets })),
    user_id: token.data.userId,
  };
}

function invalidReason(token: Token) {
  return token.revokedAt === null
    ? { code: 190, subcode: 463, message: 'Error validating access token: Session has expired.' }
    : { code: 190, subcode: 460, message: 'Error validating access token: The session has been invalidated.' };
}
