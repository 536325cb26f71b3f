import { createHash } from 'node:crypto';
import { oauthApp } from '../../../oauth/oauth-app.ts';
import type { Sandbox } from '../../../platform.ts';
import type { Account } from '../../../store/accounts.ts';
import { randomName } from '../../../store/apps.ts';
import type { Store } from '../../../store/index.ts';
import type { Token } from '../../../store/tokens.ts';

const shortLifeSeconds = 5100;
const longLifeSeconds = 5_183_944;

/** A user token is short-lived until it is exchanged for a long-lived one. */
export function issueUserToken(
  store: Store,
  { account, scope, pages }: { account: Account; scope: string; pages: readonly string[] },
): Token {
  return store.tokens.issue({
    platform: 'facebook',
    accountId: account.id,
    clientId: oauthApp.clientId,
    scope,
    token: newTokenText(),
    expiresInSeconds: shortLifeSeconds,
    data: { type: 'USER', userId: String(account.data.personId), pages: [...pages], isLong: false },
  });
}

export function exchangeUserToken(store: Store, short: Token): Token {
  const { accountId, clientId, scope, data } = short;
  return store.tokens.issue({
    platform: 'facebook',
    accountId,
    clientId,
    scope,
    token: newTokenText(),
    expiresInSeconds: longLifeSeconds,
    data: { ...data, isLong: true },
  });
}

/**
 * The same user token always gives the same Page token. It never expires when the user token is long-lived; otherwise
 * it expires with the user token.
 */
export function pageTokenFor({ store, now }: Sandbox, user: Token, pageId: string): Token {
  const name = `EAAP${createHash('sha256').update(`${user.token} ${pageId}`).digest('hex')}`;
  const known = store.tokens.find('facebook', name);
  if (known) return known;
  const leftMs = (user.expiresAt ?? 0) - now();
  return store.tokens.issue({
    platform: 'facebook',
    accountId: pageId,
    clientId: user.clientId,
    scope: user.scope,
    token: name,
    ...(user.data.isLong !== true && { expiresInSeconds: Math.floor(leftMs / 1000) }),
    data: { type: 'PAGE', userId: user.data.userId ?? null },
  });
}

export function issuePageToken(store: Store, account: Account, scope: string): Token {
  return store.tokens.issue({
    platform: 'facebook',
    accountId: account.id,
    clientId: oauthApp.clientId,
    scope,
    token: newTokenText(),
    data: { type: 'PAGE', userId: String(account.data.personId) },
  });
}

/** Tokens consist of letters and digits, like the real ones. */
function newTokenText(): string {
  return `EAA${randomName(96).replace(/[-_]/g, 'Z')}`;
}
