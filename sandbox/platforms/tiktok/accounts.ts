import type { PlatformAccounts } from '../../platform.ts';
import type { Account } from '../../store/accounts.ts';
import { randomName } from '../../store/apps.ts';
import { imageHost, siteHost } from './hosts.ts';
import { everyScope } from './sign-in/scopes.ts';
import { issueTokens } from './sign-in/tokens.ts';

const idBytes = 24;

/**
 * A handle that contains `private` is a private account. For a handle that contains `unaudited`, the app counts as
 * unaudited.
 */
export const accounts: PlatformAccounts = {
  handleRule: 'A handle has 2 to 24 letters, digits, underscores and dots, and does not end with a dot.',
  normalize(handle) {
    const name = handle.trim().replace(/^@/, '').toLowerCase();
    return /^[a-z0-9_.]{2,24}$/.test(name) && !name.endsWith('.') ? name : null;
  },
  describe(handle) {
    const id = `-000${randomName(idBytes)}`;
    return {
      id,
      displayName: handle,
      avatarUrl: `https://${imageHost}/avatar/${id}.jpeg`,
      profileUrl: `https://${siteHost}/@${handle}`,
      data: { unionId: randomName(idBytes) },
    };
  },
  credentials(account, sandbox, scopes) {
    const { access, refresh } = issueTokens(sandbox, account.id, scopes?.join(',') ?? everyScope);
    return { accessToken: access.token, refreshToken: refresh.token, openId: account.id };
  },
};

export function isPrivate(account: Account): boolean {
  return account.handle.includes('private');
}

export function isUnaudited(account: Account): boolean {
  return account.handle.includes('unaudited');
}

export function privacyOptions(account: Account): string[] {
  return [isPrivate(account) ? 'FOLLOWER_OF_CREATOR' : 'PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY'];
}

/** Private accounts have the limit of three minutes that every account has; all others have ten minutes. */
export function maxSeconds(account: Account): number {
  return isPrivate(account) ? 180 : 600;
}
