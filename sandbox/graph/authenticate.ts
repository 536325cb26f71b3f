import { asText } from '../http/coerce.ts';
import { type Call, Refusal } from '../platform.ts';
import type { Account } from '../store/accounts.ts';
import type { Token } from '../store/tokens.ts';
import { expiredToken, invalidToken, noObject, refuse } from './errors.ts';

/**
 * The token is in the body or the query, or in the header where that is documented. Also finds expired and revoked
 * tokens.
 */
export function tokenOf(call: Call): Token | undefined {
  const value = tokenText(call);
  return value === '' ? undefined : call.sandbox.store.tokens.find(call.platform.id, value);
}

/** Returns the caller's account. The token must be valid and hold every permission. */
export function authenticate(call: Call, ...permissions: string[]): Account {
  const token = requireToken(call);
  const account = call.sandbox.store.accounts.find(call.platform.id, token.accountId ?? '');
  if (!account) throw new Refusal(invalidToken());
  if (!permissions.every((name) => grants(token, name))) refusePermission();
  return account;
}

/** For paths that contain an account id. The id must be the caller's own. */
export function authenticateAs(call: Call, ...permissions: string[]): Account {
  const account = authenticate(call, ...permissions);
  const named = call.params.id ?? '';
  return named === 'me' || named === account.id ? account : noObject(call, named);
}

export function requireToken(call: Call): Token {
  if (tokenText(call) === '') refuse('An access token is required to request this resource.', { code: 104 });
  return checkToken(call, tokenOf(call));
}

export function checkToken(call: Call, token: Token | undefined): Token {
  if (!token) throw new Refusal(invalidToken());
  if (token.revokedAt !== null) {
    refuse(
      'Error validating access token: The session has been invalidated because the user changed their password or the session has been changed for security reasons.',
      { code: 190, subcode: 460 },
    );
  }
  if (!call.sandbox.store.tokens.isAlive(token)) throw new Refusal(expiredToken());
  return token;
}

export function grants(token: Token, permission: string): boolean {
  return token.scope.split(' ').includes(permission);
}

export function refusePermission(): never {
  refuse('(#10) Application does not have permission for this action', { code: 10, status: 403 });
}

/** Threads documents only the parameter. */
const takesHeader: ReadonlySet<string> = new Set(['instagram']);

function tokenText(call: Call): string {
  const authorization = takesHeader.has(call.platform.id) ? call.headers.authorization : undefined;
  const [, header] = /^(?:Bearer|OAuth)\s+(\S+)$/i.exec(authorization ?? '') ?? [];
  return header ?? asText(call.body.fields.access_token ?? call.query.get('access_token'));
}
