import { accountNumber } from '../../graph/account-number.ts';
import { issueToken } from '../../graph/tokens.ts';
import type { NetworkAccounts } from '../../network.ts';
import { login } from './login.ts';

export const accounts: NetworkAccounts = {
  normalize(handle) {
    const name = handle.trim().replace(/^@/, '').toLowerCase();
    return /^[a-z0-9._]{1,30}$/.test(name) ? name : null;
  },
  describe(handle, { store }) {
    const id = accountNumber(store, 'threads', handle);
    return {
      id,
      displayName: handle,
      avatarUrl: `https://scontent.cdninstagram.com/v/t51.82787-19/${id}.jpg`,
      profileUrl: `https://www.threads.com/@${handle}`,
      data: {},
    };
  },
  credentials: (account, sandbox) => ({ accessToken: issueToken(login, sandbox, account), userId: account.id }),
};
