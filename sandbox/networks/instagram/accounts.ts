import { accountNumber } from '../../graph/account-number.ts';
import { issueToken } from '../../graph/tokens.ts';
import type { NetworkAccounts } from '../../network.ts';
import { login } from './login.ts';

/** Professional accounts only: nobody else can sign in. */
export const accounts: NetworkAccounts = {
  normalize(handle) {
    const name = handle.trim().replace(/^@/, '').toLowerCase();
    return /^[a-z0-9._]{1,30}$/.test(name) ? name : null;
  },
  describe(handle, { store }) {
    const id = accountNumber(store, 'instagram', handle);
    return {
      id,
      displayName: handle,
      avatarUrl: `https://scontent.cdninstagram.com/v/t51.2885-19/${id}.jpg`,
      profileUrl: `https://www.instagram.com/${handle}/`,
      data: {},
    };
  },
  credentials: (account, sandbox) => ({ accessToken: issueToken(login, sandbox, account), userId: account.id }),
};

/** The account's id for this app alone. It stands in `id` where the account itself is read, and works in no path. */
export function appScopedId(userId: string): string {
  return `2${userId.slice(1)}`;
}
