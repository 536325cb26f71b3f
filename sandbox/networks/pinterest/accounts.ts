import type { NetworkAccounts } from '../../network.ts';
import { imageHost, siteHost } from './hosts.ts';
import { scopes } from './scopes.ts';
import { issueTokens } from './token.ts';

export const accounts: NetworkAccounts = {
  normalize(handle) {
    const name = handle.trim().replace(/^@/, '').toLowerCase();
    return /^\w{3,30}$/.test(name) ? name : null;
  },
  describe(handle, { store }) {
    const id = store.ids.snowflake();
    return {
      id,
      displayName: handle,
      avatarUrl: `https://${imageHost}/avatars/${id}.jpg`,
      profileUrl: `https://${siteHost}/${handle}/`,
      data: {},
    };
  },
  credentials: (account, sandbox) => issueTokens(sandbox, account.id, scopes.join(' ')),
};
