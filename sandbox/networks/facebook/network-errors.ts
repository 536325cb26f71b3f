import { html } from '../../answer.ts';
import type { NetworkErrors } from '../../network.ts';
import { expiredToken, graphError, invalidToken, unknownPath } from './errors.ts';
import { tokenOf } from './sign-in.ts';
import { usageHeaders } from './usage.ts';

export const errors: NetworkErrors = {
  status(status, call) {
    // These come from what stands in front, which speaks HTML.
    if (status === 413 || status === 502 || status === 504)
      return html('<html><body><h1>Sorry, something went wrong.</h1></body></html>', status);
    if (status === 503) return graphError('Service temporarily unavailable', { code: 2, status, isTransient: true });
    if (status >= 500) return graphError('An unknown error occurred', { code: 1, status, isTransient: true });
    if (status === 401) return invalidToken();
    if (status === 403) return graphError('(#200) Permissions error', { code: 200, status });
    if (status === 404) return unknownPath(call.path);
    return graphError('(#100) Invalid parameter', { code: 100, status });
  },
  /** Facebook says how long in whole minutes, in the header of the budget that is used up. */
  rateLimited(resetAt, call) {
    const minutes = Math.max(1, Math.ceil((resetAt - call.sandbox.now()) / 60_000));
    const isPage = tokenOf(call)?.data.type === 'PAGE';
    const answer = isPage
      ? graphError('(#32) Page request limit reached', { code: 32 })
      : graphError('(#4) Application request limit reached', { code: 4, isTransient: true });
    return { ...answer, headers: { ...answer.headers, ...usageHeaders(call, 100, minutes) } };
  },
  expiredToken: () => expiredToken(),
};
