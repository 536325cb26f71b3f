import type { Call } from '../../../platform.ts';
import type { Account } from '../../../store/accounts.ts';
import { isUnaudited } from '../accounts.ts';
import type { Code } from '../errors.ts';
import { publicationsOf } from './publications.ts';

const dayMs = 24 * 60 * 60_000;
const postsPerDay = 15;
const unauditedUsersPerDay = 5;

/** Returns the error that prevents a post now, if any. Caps apply only with the vendor's limits. */
export function checkPostingCaps(call: Call, account: Account): Code | null {
  if (account.suspended) return 'spam_risk_user_banned_from_posting';
  if (call.sandbox.options.rateLimits === 'off') return null;
  if (isUnaudited(account) && otherUnauditedUsers(call, account) >= unauditedUsersPerDay) {
    return 'reached_active_user_cap';
  }
  return countToday(call, account) >= postsPerDay ? 'spam_risk_too_many_posts' : null;
}

function countToday(call: Call, account: Account): number {
  return publicationsOf(call.sandbox, account.id).filter(({ startedAt }) => isToday(call, startedAt)).length;
}

function otherUnauditedUsers(call: Call, account: Account): number {
  const users = publicationsOf(call.sandbox)
    .filter(({ startedAt, accountId }) => isToday(call, startedAt) && accountId !== account.id)
    .map(({ accountId }) => call.sandbox.store.accounts.find('tiktok', accountId))
    .filter((user) => user !== undefined && isUnaudited(user));
  return new Set(users.map((user) => user?.id)).size;
}

function isToday(call: Call, time: number): boolean {
  return time > call.sandbox.now() - dayMs;
}
