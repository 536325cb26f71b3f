import type { Call } from '../../network.ts';
import type { Account } from '../../store/accounts.ts';
import { isUnaudited } from './accounts.ts';
import type { Code } from './errors.ts';
import { publicationsOf } from './publications.ts';

const dayMs = 24 * 60 * 60_000;
const postsPerDay = 15;
const pendingSharesPerDay = 5;
const unauditedUsersPerDay = 5;

/** Why the account cannot post now. Caps count only where the sandbox was started with the vendor's limits. */
export function whyNoPost(call: Call, account: Account): Code | null {
  if (account.suspended) return 'spam_risk_user_banned_from_posting';
  if (call.sandbox.options.rateLimits === 'off') return null;
  if (isUnaudited(account) && otherUnauditedUsers(call, account) >= unauditedUsersPerDay) {
    return 'reached_active_user_cap';
  }
  return countToday(call, account, false) >= postsPerDay ? 'spam_risk_too_many_posts' : null;
}

/** A share into the inbox is pending until its owner has finished it in the app, which nobody does here. */
export function whyNoShare(call: Call, account: Account): Code | null {
  if (account.suspended) return 'spam_risk_user_banned_from_posting';
  if (call.sandbox.options.rateLimits === 'off') return null;
  return countToday(call, account, true) >= pendingSharesPerDay ? 'spam_risk_too_many_pending_share' : null;
}

function countToday(call: Call, account: Account, isDraft: boolean): number {
  return publicationsOf(call.sandbox, account.id).filter(
    (publication) => publication.isDraft === isDraft && isToday(call, publication.startedAt),
  ).length;
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
