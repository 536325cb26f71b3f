import { graphError, refuse } from '../../graph/errors.ts';
import { createErrors } from '../../graph/platform-errors.ts';
import type { Account } from '../../store/accounts.ts';

export const usageType = 'threads';

export const errors = createErrors({
  type: usageType,
  throttled: () => graphError('(#4) Application request limit reached', { code: 4, status: 403, isTransient: true }),
});

/** Threads has its own format for invalid parameters. */
export function invalidParam(message: string): never {
  refuse(message, { code: 100, type: 'THApiException' });
}

/** The vendor returns the same error for a container that is unknown, not ready, used or expired. */
export function mediaNotFound(id: string): never {
  refuse('The requested resource does not exist', {
    code: 24,
    subcode: 4279009,
    userMessage: ['Media Not Found', `The media with id ${id} cannot be found.`],
  });
}

export function refuseOverQuota(): never {
  refuse('The user has reached the maximum number of posts', {
    code: 9,
    subcode: 2207042,
    userMessage: ['Limit reached', 'You reached the maximum number of posts that is allowed within 24 hours.'],
  });
}

/** A restricted account can only read. */
export function refuseSuspended(account: Account): void {
  if (!account.suspended) return;
  refuse('User access is restricted', {
    code: 10,
    subcode: 4279013,
    status: 403,
    userMessage: ['Account restricted', 'This account is restricted from publishing.'],
  });
}
