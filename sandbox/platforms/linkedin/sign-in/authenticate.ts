import { accountOf, bearerToken } from '../../../oauth/bearer-token.ts';
import type { Call, Sandbox } from '../../../platform.ts';
import type { Account } from '../../../store/accounts.ts';
import { denied, refuse } from '../errors.ts';
import { administratorOf, isPage, pagesOf } from '../members.ts';
import { idIn } from '../rest-li/urn.ts';
import { type Gate, splitScopes } from './scopes.ts';

export interface Caller {
  readonly member: Account;
  readonly scopes: readonly string[];
}

export function authenticate(call: Call): Caller {
  if (call.headers.authorization === undefined) refuse(401, 'EMPTY_ACCESS_TOKEN', 'Empty oauth2 access token');
  const token = bearerToken(call);
  const account = token?.kind === 'access' ? accountOf(call, token) : undefined;
  if (!token || !account) refuse(401, 'INVALID_ACCESS_TOKEN', 'Invalid access token', { serviceErrorCode: 65600 });
  if (token.revokedAt !== null) {
    const message = 'The token used in the request has been revoked by the user';
    refuse(401, 'REVOKED_ACCESS_TOKEN', message, { serviceErrorCode: 65601 });
  }
  if (!call.sandbox.store.tokens.isAlive(token)) {
    const message = 'The token used in the request has expired';
    refuse(401, 'EXPIRED_ACCESS_TOKEN', message, { serviceErrorCode: 65602 });
  }
  const member = memberOf(call.sandbox, account);
  if (member.suspended) refuse(403, 'ACCESS_DENIED', 'Member is restricted', { serviceErrorCode: 100 });
  return { member, scopes: splitScopes(token.scope) };
}

export function memberOf(sandbox: Sandbox, account: Account): Account {
  return isPage(account) ? administratorOf(sandbox, account) : account;
}

export function requireScope(call: Call, caller: Caller, scopes: readonly string[], resource: string): void {
  if (!scopes.some((scope) => caller.scopes.includes(scope))) denied(call, resource);
}

/** Returns the account that the caller acts as: the member itself or a page that it administers. */
export function actAs(
  call: Call,
  caller: Caller,
  urn: string,
  action: { gate: Gate; resource: string; field: string },
) {
  const pageId = idIn(urn, 'organization');
  requireScope(call, caller, pageId === undefined ? action.gate.member : action.gate.page, action.resource);
  const actor = pageId === undefined ? itself(caller, urn) : administered(call, caller, pageId);
  if (!actor || actor.suspended) forbiddenValue(action.field);
  return actor;
}

/** Returns the page with this URN. The caller must administer it. */
export function requirePage(
  call: Call,
  caller: Caller,
  urn: string,
  scopes: readonly string[],
  resource: string,
): Account {
  requireScope(call, caller, scopes, resource);
  return administered(call, caller, idIn(urn, 'organization') ?? '') ?? denied(call, resource);
}

export function mayActFor(call: Call, caller: Caller, accountId: string): boolean {
  return caller.member.id === accountId || administered(call, caller, accountId) !== undefined;
}

function itself({ member }: Caller, urn: string): Account | undefined {
  return idIn(urn, 'person') === member.id ? member : undefined;
}

function administered(call: Call, { member }: Caller, pageId: string): Account | undefined {
  return pagesOf(call.sandbox, member).find(({ id }) => id === pageId);
}

function forbiddenValue(field: string): never {
  const message = `Field Value validation failed in REQUEST_BODY: Data Processing Exception while processing fields [/${field}]`;
  refuse(403, 'ACCESS_DENIED', message, { serviceErrorCode: 100 });
}
