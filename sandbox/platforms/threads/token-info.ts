import { requireToken } from '../../graph/authenticate.ts';
import { type HttpResponse, json } from '../../http/http-response.ts';
import type { Call } from '../../platform.ts';
import { invalidParam } from './errors.ts';

const dataAccessSeconds = 90 * 86_400;

/** Returns the owner, expiry and scopes of a token. Any token of the same app may ask. */
export function debugToken(call: Call): HttpResponse {
  requireToken(call);
  const name = call.query.get('input_token') ?? '';
  if (name === '') invalidParam('Param input_token is required.');
  const { tokens } = call.sandbox.store;
  const token = tokens.find('threads', name);
  if (!token) {
    const error = { code: 190, message: 'Invalid OAuth access token.' };
    return json({ data: { error, is_valid: false, scopes: [] } });
  }
  const issuedAt = Math.floor(token.createdAt / 1000);
  const data = {
    type: 'USER',
    application: 'Crier',
    data_access_expires_at: issuedAt + dataAccessSeconds,
    expires_at: Math.floor((token.expiresAt ?? 0) / 1000),
    is_valid: tokens.isAlive(token),
    issued_at: issuedAt,
    scopes: token.scope.split(' '),
    user_id: token.accountId,
  };
  return json({ data });
}
