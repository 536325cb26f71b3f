import { createHash } from 'node:crypto';
import type { NetworkAccounts } from '../../network.ts';
import { randomName } from '../../store/apps.ts';

const tenDigits = 9_000_000_000n;

/**
 * An account is a channel together with a bot that is its administrator. What a handle says of its channel:
 * `private-…` has no public name, `…-norights…` does not let the bot post, `…-gone…` is no longer there.
 */
export const accounts: NetworkAccounts = {
  normalize(handle) {
    const name = handle
      .trim()
      .replace(/^@|^(?:https:\/\/)?t\.me\//, '')
      .toLowerCase();
    return /^[a-z][a-z0-9_-]{0,63}$/.test(name) ? name : null;
  },
  /** The ids follow from the handle, so that a channel keeps its id when the sandbox is emptied. */
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
    store.tokens.issue({ network: 'telegram', accountId: account.id, scope: '', token });
    return { botToken: token, chatId: account.id };
  },
};

function digitsOf(text: string): bigint {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return 1_000_000_000n + (BigInt(`0x${hash}`) % tenDigits);
}
