import { createHmac } from 'node:crypto';
import { asText } from '../../../http/coerce.ts';
import { oauthApp } from '../../../oauth/oauth-app.ts';
import { type Call, Refusal } from '../../../platform.ts';
import type { Account } from '../../../store/accounts.ts';
import type { Token } from '../../../store/tokens.ts';
import { expiredToken, graphError, invalidToken, refuse } from '../errors.ts';
import { readInput } from '../input.ts';

/** The token is in the query, the body or the header. This also finds expired and revoked tokens. */
export function tokenOf(call: Call): Token | undefined {
  const value = tokenText(call);
  return value === '' ? undefined : call.sandbox.store.tokens.find('facebook', value);
}

/** An app token consists of the app's id and secret. */
export function isAppToken(value: string): boolean {
  return value === `${oauthApp.clientId}|${oauthApp.clientSecret}`;
}

export function tokenText(call: Call): string {
  const [, header] = /^(?:Bearer|OAuth)\s+(\S+)$/i.exec(call.headers.authorization ?? '') ?? [];
  return header ?? asText(call.body.fields.access_token ?? call.query.get('access_token') ?? undefined);
}

export function requireToken(call: Call): Token {
  const value = tokenText(call);
  if (value === '') refuse('An access token is required to request this resource.', { code: 104 });
  const token = tokenOf(call);
  if (!token) throw new Refusal(invalidToken());
  const { store } = call.sandbox;
  if (token.revokedAt !== null) {
    refuse(
      'Error validating access token: The session has been invalidated because the user changed their password or Facebook has changed the session for security reasons.',
      { code: 190, subcode: 460 },
    );
  }
  if (!store.tokens.isAlive(token)) throw new Refusal(expiredToken());
  checkProof(call, value);
  return token;
}

/** The caller must act as this Page and hold all permissions. */
export function authenticateAsPage(call: Call, pageId: string, ...permissions: string[]): Account {
  const token = requireToken(call);
  const account = token.accountId === null ? undefined : call.sandbox.store.accounts.find('facebook', token.accountId);
  if (account?.suspended) {
    refuse(
      'Error validating access token: You cannot access the app till you log in to www.facebook.com and follow the instructions given.',
      {
        code: 190,
        subcode: 459,
      },
    );
  }
  const missing = permissions.filter((name) => !token.scope.split(' ').includes(name));
  const isOwn = token.data.type === 'PAGE' ? account?.id === pageId : pagesOf(token).includes(pageId);
  if (!account || !isOwn) {
    refuse('(#10) Application does not have permission for this action', { code: 10, status: 403 });
  }
  if (missing.length > 0 || token.data.type !== 'PAGE') throw new Refusal(missingPermissions(permissions));
  return account;
}

export function pagesOf(token: Token): string[] {
  return Array.isArray(token.data.pages) ? token.data.pages.map(asText) : [];
}

function missingPermissions(permissions: readonly string[]) {
  const message = permissions.includes('pages_manage_posts')
    ? 'If posting to a page, requires both pages_read_engagement and pages_manage_posts as an admin with sufficient administrative permission'
    : `Requires ${permissions.join(' and ') || 'pages_read_engagement'} permission, and a Page access token`;
  return graphError(`(#200) ${message}`, { code: 200, status: 403 });
}

/** The proof is optional, but a wrong one is refused. */
function checkProof(call: Call, token: string): void {
  const proof = asText(readInput(call).appsecret_proof);
  if (proof === '') return;
  const expected = createHmac('sha256', oauthApp.clientSecret).update(token).digest('hex');
  if (proof !== expected) {
    refuse('Invalid appsecret_proof provided in the API argument', { code: 100, type: 'GraphMethodException' });
  }
}
