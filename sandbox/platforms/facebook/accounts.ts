import { createHash } from 'node:crypto';
import type { PlatformAccounts } from '../../platform.ts';
import { pageScopes } from './sign-in/scopes.ts';
import { issuePageToken } from './sign-in/tokens.ts';

/** An account is a Page. The person who manages it has no account here, only an id and tokens. */
export const accounts: PlatformAccounts = {
  handleRule: 'A handle has up to 50 letters, digits, dots, hyphens and underscores.',
  normalize(handle) {
    const name = handle.trim().replace(/^@/, '').toLowerCase();
    return /^[a-z0-9][a-z0-9._-]{0,49}$/.test(name) ? name : null;
  },
  /** The ids are derived from the handle, so that a Page keeps its id after a reset. */
  describe(handle, { store }) {
    let number = digitsOf(`page ${handle}`);
    while (store.accounts.find('facebook', `1043${number}`)) number += 1n;
    const id = `1043${number}`;
    return {
      id,
      displayName: handle,
      avatarUrl: `https://graph.facebook.com/v26.0/${id}/picture`,
      profileUrl: `https://www.facebook.com/${handle}`,
      // Both Pages of a person have the same person id.
      data: { personId: `1022${digitsOf(`person ${handle.replace(/-two$/, '')}`)}` },
    };
  },
  credentials(account, { store }, scopes = pageScopes) {
    return { accessToken: issuePageToken(store, account, scopes.join(' ')).token, pageId: account.id };
  },
};

/** A person whose handle contains `admin` manages a second Page. */
export function secondPageOf(handle: string): string | undefined {
  return handle.includes('admin') && !handle.endsWith('-two') ? `${handle}-two` : undefined;
}

function digitsOf(text: string): bigint {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return 10_000_000_000n + (BigInt(`0x${hash}`) % 90_000_000_000n);
}
