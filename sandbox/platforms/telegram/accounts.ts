import { createHash } from 'node:crypto';
import type { PlatformAccounts } from '../../platform.ts';
import { randomName } from '../../store/apps.ts';

const tenDigits = 9_000_000_000n;

/**
 * An account is a channel and the bot that administers it. A channel `private-…` has no public name, `…-norights…` does
 * not let the bot post, and `…-gone…` no longer exists.
 */
export const accounts: PlatformAccounts = {
  handleRule: 'A handle has up to 64 letters, digits, hyphens and underscores, and starts with a letter.',
  normalize(handle) {
    const name = handle
      .trim()
      .replace(/^@|^(?:https:\/\/)?t\.me\//, '')
      .toLowerCase();
    return /^[a-z][a-z0-9_-]{0,63}$/.test(name) ? name : null;
  },
  /** The ids are derived from the handle, so that a channel keeps its id after a reset. */
  describe(handle, { store }) {
    let number = digitsOf(`channel ${handle}`);
    while (store.accounts.find('telegram', `-100${number}`)) number += 1n;
    const username = handle.startsWith('private-') ? null : handle.replaceAll('-', '_');
    const address = `https://t.me/${username ?? `c/${number}`}`;
    return {
      id: `-100${number}`,
      displayName: handle,
      avatarUrl: username === null ? null : `https://t.me/i/userpic/320/${username}.jpg`,
      profileUrl: address,
      data: {
        username,
        address,
        botId: String(digitsOf(`bot ${handle}`)),
        botName: `${handle.replaceAll('-', '_')}_bot`,
        canPost: !handle.includes('-norights'),
        isGone: handle.includes('-gone'),
      },
    };
  },
  credentials(account, { store }) {
    const token = `${account.data.botId}:AA${randomName(24)}_`;
    store.tokens.issue({ platform: 'telegram', accountId: account.id, scope: '', token });
    return { botToken: token, chatId: account.id };
  },
};

function digitsOf(text: string): bigint {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return 1_000_000_000n + (BigInt(`0x${hash}`) % tenDigits);
}
