import { type Answer, json } from '../../answer.ts';
import { requireToken } from '../../graph/sign-in.ts';
import type { Call } from '../../network.ts';
import { invalidParam } from './errors.ts';

const dataAccessSeconds = 90 * 86_400;

/** Says of a token whose it is, how long it lasts and what it may do; any token of the same app may ask. */
export function debugToken(call: Call): Answer {
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
