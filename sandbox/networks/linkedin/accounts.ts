import { randomInt } from 'node:crypto';
import type { AccountDescription, NetworkAccounts } from '../../network.ts';
import { randomName } from '../../store/apps.ts';
import { administratorOf, isPage, pagePrefix } from './members.ts';
import { everyScope } from './scopes.ts';
import { issueTokens } from './tokens.ts';

export const accounts: NetworkAccounts = {
  normalize(handle) {
    const name = handle.trim().replace(/^@/, '').toLowerCase();
    if (!/^[a-z0-9-]{1,100}$/.test(name)) return null;
    // What follows the prefix is the administrator's handle, and must be one of a member.
    const administrator = name.startsWith(pagePrefix) ? name.slice(pagePrefix.length) : name;
    return administrator === '' || administrator.startsWith(pagePrefix) ? null : name;
  },
  describe: (handle) => (handle.startsWith(pagePrefix) ? describePage(handle) : describeMember(handle)),
  // Tokens for a page are its administrator's; kept under the page, they can be revoked there.
  credentials(account, sandbox) {
    if (isPage(account)) administratorOf(sandbox, account);
    const { access, refresh } = issueTokens(sandbox, account.id, everyScope);
    return {
      accessToken: access.token,
      refreshToken: refresh.token,
      organizationId: isPage(account) ? account.id : null,
    };
  },
};

/** The vendor's ids of members are short, and may hold `-` and `_`. */
function describeMember(handle: string): AccountDescription {
  const id = randomName(7);
  const [givenName = handle, ...rest] = wordsIn(handle);
  const familyName = rest.join(' ') || 'Example';
  return {
    id,
    displayName: `${givenName} ${familyName}`,
    avatarUrl: pictureAddress(id, 'profile-displayphoto-shrink_100_100'),
    profileUrl: `https://www.linkedin.com/in/${handle}/`,
    data: { givenName, familyName },
  };
}

function describePage(handle: string): AccountDescription {
  const id = String(randomInt(10_000_000, 1_000_000_000));
  return {
    id,
    displayName: wordsIn(handle.slice(pagePrefix.length)).join(' '),
    avatarUrl: pictureAddress(id, 'company-logo_100_100'),
    profileUrl: `https://www.linkedin.com/company/${handle}/`,
    data: {},
  };
}

function pictureAddress(id: string, size: string): string {
  return `https://media.licdn.com/dms/image/v2/${id}/${size}/0`;
}

function wordsIn(handle: string): string[] {
  const words = handle.split('-').filter(Boolean);
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1));
}
