import { createHash } from 'node:crypto';
import { application } from '../../application.ts';
import type { Sandbox } from '../../sandbox.ts';
import type { Account } from '../../store/accounts.ts';
import { randomName } from '../../store/apps.ts';
import type { Store } from '../../store/index.ts';
import type { Token } from '../../store/tokens.ts';

const shortLifeSeconds = 5100;
const longLifeSeconds = 5_183_944;

/** For an hour or so; only an exchange makes it last. */
export function issueUserToken(
  store: Store,
  { account, scope, pages }: { account: Account; scope: string; pages: readonly string[] },
): Token {
  return store.tokens.issue({
    network: 'facebook',
    accountId: account.id,
    clientId: application.clientId,
    scope,
    token: newName(),
    expiresInSeconds: shortLifeSeconds,
    data: { type: 'USER', userId: String(account.data.personId), pages: [...pages], isLong: false },
  });
}

export function exchangeUserToken(store: Store, short: Token): Token {
  const { accountId, clientId, scope, data } = short;
  return store.tokens.issue({
    network: 'facebook',
    accountId,
    clientId,
    scope,
    token: newName(),
    expiresInSeconds: longLifeSeconds,
    data: { ...data, isLong: true },
  });
}

/** Asked for again, it is the same. It lasts for good where the person's token is a long one, and else as long as that. */
export function pageTokenFor({ store, now }: Sandbox, user: Token, pageId: string): Token {
  const name = `EAAP${createHash('sha256').update(`${user.token} ${pageId}`).digest('hex')}`;
  const known = store.tokens.find('facebook', name);
  if (known) return known;
  const leftMs = (user.expiresAt ?? 0) - now();
  return store.tokens.issue({
    network: 'facebook',
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
    network: 'facebook',
    accountId: account.id,
    clientId: application.clientId,
    scope,
    token: newName(),
    data: { type: 'PAGE', userId: String(account.data.personId) },
  });
}

/** Letters and digits, as the real ones. */
function newName(): string {
  return `EAA${randomName(96).replace(/[-_]/g, 'Z')}`;
}
