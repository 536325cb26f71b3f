import { randomInt } from 'node:crypto';
import type { AccountDescription, PlatformAccounts } from '../../platform.ts';
import { randomName } from '../../store/apps.ts';
import { administratorOf, isPage, pagePrefix } from './members.ts';
import { everyScope } from './sign-in/scopes.ts';
import { issueTokens } from './sign-in/tokens.ts';

export const accounts: PlatformAccounts = {
  handleRule: 'A handle has up to 100 letters, digits and hyphens. The handle of a page starts with company-.',
  normalize(handle) {
    const name = handle.trim().replace(/^@/, '').toLowerCase();
    if (!/^[a-z0-9-]{1,100}$/.test(name)) return null;
    // The part after the prefix is the administrator's handle, so it must be a valid member handle.
    const administrator = name.startsWith(pagePrefix) ? name.slice(pagePrefix.length) : name;
    return administrator === '' || administrator.startsWith(pagePrefix) ? null : name;
  },
  describe: (handle) => (handle.startsWith(pagePrefix) ? describePage(handle) : describeMember(handle)),
  // The tokens of a page belong to its administrator. They are stored under the page, so that they can be revoked
  // there.
  credentials(account, sandbox, scopes = everyScope) {
    if (isPage(account)) administratorOf(sandbox, account);
    const { access, refresh } = issueTokens(sandbox, account.id, scopes.join(' '));
    return {
      accessToken: access.token,
      refreshToken: refresh.token,
      organizationId: isPage(account) ? account.id : null,
      scopes: [...scopes],
    };
  },
};

/** Member ids are short and may contain `-` and `_`, like the vendor's. */
function describeMember(handle: string): AccountDescription {
  const id = randomName(7);
  const [givenName = handle, ...rest] = wordsIn(handle);
  const familyName = rest.join(' ') || 'Example';
  return {
    id,
    displayName: `${givenName} ${familyName}`,
    avatarUrl: imageAddress(id, 'profile-displayphoto-shrink_100_100'),
    profileUrl: `https://www.linkedin.com/in/${handle}/`,
    data: { givenName, familyName },
  };
}

function describePage(handle: string): AccountDescription {
  const id = String(randomInt(10_000_000, 1_000_000_000));
  return {
    id,
    displayName: wordsIn(handle.slice(pagePrefix.length)).join(' '),
    avatarUrl: imageAddress(id, 'company-logo_100_100'),
    profileUrl: `https://www.linkedin.com/company/${handle}/`,
    data: {},
  };
}

function imageAddress(id: string, size: string): string {
  return `https://media.licdn.com/dms/image/v2/${id}/${size}/0`;
}

function wordsIn(handle: string): string[] {
  const words = handle.split('-').filter(Boolean);
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1));
}
