import type { PlatformAccounts } from '../../platform.ts';
import { issueTokens } from './sign-in/tokens.ts';

const everyScope = 'tweet.read tweet.write users.read media.write offline.access';

export const accounts: PlatformAccounts = {
  handleRule: 'A handle has up to 15 letters, digits and underscores.',
  normalize(handle) {
    const name = handle.trim().replace(/^@/, '').toLowerCase();
    return /^\w{1,15}$/.test(name) ? name : null;
  },
  describe(handle, { store }) {
    const id = store.ids.snowflake();
    return {
      id,
      displayName: handle,
      avatarUrl: `https://pbs.twimg.com/profile_images/${id}/avatar_normal.jpg`,
      profileUrl: `https://x.com/${handle}`,
      data: {},
    };
  },
  credentials: (account, sandbox, scopes) => issueTokens(sandbox, account.id, scopes?.join(' ') ?? everyScope),
};
