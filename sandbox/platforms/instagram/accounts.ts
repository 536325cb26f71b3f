import { newAccountId } from '../../graph/account-id.ts';
import { issueToken } from '../../graph/token-endpoint.ts';
import type { PlatformAccounts } from '../../platform.ts';
import { login } from './login.ts';

/** Every account is a professional one, because only those can log in. */
export const accounts: PlatformAccounts = {
  handleRule: 'A handle has up to 30 letters, digits, dots and underscores.',
  normalize(handle) {
    const name = handle.trim().replace(/^@/, '').toLowerCase();
    return /^[a-z0-9._]{1,30}$/.test(name) ? name : null;
  },
  describe(handle, { store }) {
    const id = newAccountId(store, 'instagram', handle);
    return {
      id,
      displayName: handle,
      avatarUrl: `https://scontent.cdninstagram.com/v/t51.2885-19/${id}.jpg`,
      profileUrl: `https://www.instagram.com/${handle}/`,
      data: {},
    };
  },
  credentials: (account, sandbox, scopes) => ({
    accessToken: issueToken(login, sandbox, account, scopes),
    userId: account.id,
  }),
};

/** The id of the account for this app. It is returned as `id` of the account and is not valid in any path. */
export function appScopedId(userId: string): string {
  return `2${userId.slice(1)}`;
}
