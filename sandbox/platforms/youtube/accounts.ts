import type { PlatformAccounts } from '../../platform.ts';
import type { Account } from '../../store/accounts.ts';
import { randomName } from '../../store/apps.ts';
import { avatarHost, siteHost } from './hosts.ts';
import { everyScope } from './sign-in/scopes.ts';
import { issueAccessToken, issueRefreshToken } from './sign-in/tokens.ts';

/**
 * A handle that contains `unverified` has no confirmed phone number, `nochannel` is a Google account without a channel,
 * and for `unaudited` the app has not passed Google's audit, so its videos stay private.
 */
export const accounts: PlatformAccounts = {
  handleRule: 'A handle has 3 to 30 letters, digits, underscores, hyphens and dots.',
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
  credentials(account, sandbox, scopes) {
    const scope = scopes?.join(' ') ?? everyScope;
    const access = issueAccessToken(sandbox, account.id, scope);
    return {
      accessToken: access.token,
      refreshToken: issueRefreshToken(sandbox, account.id, scope).token,
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

/** Every channel has a playlist of its uploads. */
export function uploadsPlaylist(channelId: string): string {
  return channelId.replace(/^UC/, 'UU');
}
