import { graphError, refuse } from '../../graph/errors.ts';
import { createErrors } from '../../graph/platform-errors.ts';
import type { Account } from '../../store/accounts.ts';

export const usageType = 'instagram';

export const errors = createErrors({
  type: usageType,
  throttled: () =>
    graphError('(#80002) There have been too many calls to this Instagram account. Wait a bit and try again.', {
      code: 80002,
    }),
});

/** A restricted account can only read. */
export function refuseSuspended(account: Account): void {
  if (!account.suspended) return;
  refuse('User access is restricted', {
    code: 25,
    subcode: 2207050,
    status: 403,
    userMessage: ['Account restricted', 'The Instagram account is restricted.'],
  });
}

export function refuseOverQuota(): never {
  refuse('The user has reached the maximum number of posts', {
    code: 9,
    subcode: 2207042,
    userMessage: [
      'Maximum number of posts reached',
      'You reached maximum number of posts that is allowed to be published by Content Publishing API.',
    ],
  });
}
