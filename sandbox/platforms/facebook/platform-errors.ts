import { html } from '../../http/http-response.ts';
import type { PlatformErrors } from '../../platform.ts';
import { expiredToken, graphError, invalidToken, unknownPath } from './errors.ts';
import { tokenOf } from './sign-in/authenticate.ts';
import { usageHeaders } from './usage-headers.ts';

export const errors: PlatformErrors = {
  status(status, call) {
    // A proxy in front of the API returns these errors as HTML.
    if (status === 413 || status === 502 || status === 504)
      return html('<html><body><h1>Sorry, something went wrong.</h1></body></html>', status);
    if (status === 503) return graphError('Service temporarily unavailable', { code: 2, status, isTransient: true });
    if (status >= 500) return graphError('An unknown error occurred', { code: 1, status, isTransient: true });
    if (status === 401) return invalidToken();
    if (status === 403) return graphError('(#200) Permissions error', { code: 200, status });
    if (status === 404) return unknownPath(call.path);
    return graphError('(#100) Invalid parameter', { code: 100, status });
  },
  /** The usage header states the waiting time in whole minutes. */
  rateLimited(resetAt, call) {
    const minutes = Math.max(1, Math.ceil((resetAt - call.sandbox.now()) / 60_000));
    const isPage = tokenOf(call)?.data.type === 'PAGE';
    const response = isPage
      ? graphError('(#32) Page request limit reached', { code: 32 })
      : graphError('(#4) Application request limit reached', { code: 4, isTransient: true });
    return { ...response, headers: { ...response.headers, ...usageHeaders(call, 100, minutes) } };
  },
  expiredToken: () => expiredToken(),
};
