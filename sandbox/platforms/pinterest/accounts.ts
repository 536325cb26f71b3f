import type { PlatformAccounts } from '../../platform.ts';
import { imageHost, siteHost } from './hosts.ts';
import { scopes as everyScope } from './scopes.ts';
import { issueTokens } from './tokens.ts';

export const accounts: PlatformAccounts = {
  handleRule: 'A handle has 3 to 30 letters, digits and underscores.',
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
  credentials: (account, sandbox, scopes = everyScope) => issueTokens(sandbox, account.id, scopes.join(' ')),
};
