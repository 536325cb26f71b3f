import type { NetworkAccounts } from '../../network.ts';
import type { Account } from '../../store/accounts.ts';
import { randomName } from '../../store/apps.ts';
import { avatarHost, siteHost } from './hosts.ts';
import { everyScope } from './scopes.ts';
import { issueAccess, issueRefresh } from './tokens.ts';

/**
 * What a handle contains makes its channel special: `unverified` has no confirmed phone number, `nochannel` is a Google
 * account without a channel, and for `unaudited` Google has not audited the application: its videos stay private.
 */
export const accounts: NetworkAccounts = {
  normalize(handle) {
    const name = handle.trim().replace(/^@/, '').toLowerCase();
    return /^[a-z0-9_.-]{3,30}$/.test(name) ? name : null;
  },
  describe(handle) {
    const id = `UC${randomName(16)}`;
    return {
      id,
      displayName: handle,
      avatarUrl: `https://${avatarHost}/ytc/${id}=s88-c-k-c0x00ffffff-no-rj`,
      profileUrl: `https://${siteHost}/@${handle}`,
      data: {},
    };
  },
  credentials(account, sandbox) {
    const access = issueAccess(sandbox, account.id, everyScope);
    return {
      accessToken: access.token,
      refreshToken: issueRefresh(sandbox, account.id, everyScope).token,
      channelId: account.id,
    };
  },
};

export function isVerified(account: Account): boolean {
  return !account.handle.includes('unverified');
}

export function hasChannel(account: Account): boolean {
  return !account.handle.includes('nochannel');
}

export function isAudited(account: Account): boolean {
  return !account.handle.includes('unaudited');
}

/** Every channel has a playlist of all that it uploaded. */
export function uploadsPlaylist(channelId: string): string {
  return channelId.replace(/^UC/, 'UU');
}
