import { graphError, refuse } from '../../graph/errors.ts';
import { createErrors } from '../../graph/network-errors.ts';
import type { Account } from '../../store/accounts.ts';

export const budgetType = 'threads';

export const errors = createErrors({
  type: budgetType,
  throttled: () => graphError('(#4) Application request limit reached', { code: 4, status: 403, isTransient: true }),
});

/** What is wrong with a parameter, in this network's own form. */
export function invalidParam(message: string): never {
  refuse(message, { code: 100, type: 'THApiException' });
}

/** What a container gets that is unknown, not ready, used or too old: the vendor tells none from another. */
export function mediaNotFound(id: string): never {
  refuse('The requested resource does not exist', {
    code: 24,
    subcode: 4279009,
    shown: ['Media Not Found', `The media with id ${id} cannot be found.`],
  });
}

export function reachedQuota(): never {
  refuse('The user has reached the maximum number of posts', {
    code: 9,
    subcode: 2207042,
    shown: ['Limit reached', 'You reached the maximum number of posts that is allowed within 24 hours.'],
  });
}

/** Restricted accounts can read, and nothing else. */
export function checkStanding(account: Account): void {
  if (!account.suspended) return;
  refuse('User access is restricted', {
    code: 10,
    subcode: 4279013,
    status: 403,
    shown: ['Account restricted', 'This account is restricted from publishing.'],
  });
}
