import { type HttpResponse, html } from '../http/http-response.ts';
import type { Call, PlatformErrors } from '../platform.ts';
import { expiredToken, graphError, invalidToken, oauthError, unknownPath } from './errors.ts';
import { usageHeaders } from './rate-limits.ts';
import { codeExchangePath, unknownCode } from './token-endpoint.ts';

const statuses: Record<number, () => HttpResponse> = {
  401: invalidToken,
  403: () => graphError('(#10) Application does not have permission for this action', { code: 10, status: 403 }),
  404: () => unknownPath(''),
  429: () => graphError('(#4) Application request limit reached', { code: 4, status: 429, isTransient: true }),
  503: () => graphError('Service temporarily unavailable', { code: 2, status: 503, isTransient: true }),
};

/** `throttled` creates the platform's rate limit error. `type` is the platform's name in the usage header. */
export function createErrors({ type, throttled }: { type: string; throttled: () => HttpResponse }): PlatformErrors {
  return {
    status(status, call) {
      // A proxy in front of the API returns these errors as HTML.
      if (status === 413 || status === 502 || status === 504)
        return html('<html><body><h1>Sorry, something went wrong.</h1></body></html>', status);
      if (isCodeExchange(call)) return oauthError('The request could not be completed.', status);
      const known = statuses[status];
      if (known) return known();
      return status >= 500
        ? graphError('An unknown error has occurred.', { code: 1, status, isTransient: true })
        : graphError('(#100) Invalid parameter', { code: 100, status });
    },
    /** The usage header states the waiting time in whole minutes. */
    rateLimited(resetAt, call) {
      if (isCodeExchange(call)) return oauthError('The maximum number of requests has been exceeded.', 429);
      const minutes = Math.max(1, Math.ceil((resetAt - call.sandbox.now()) / 60_000));
      const response = throttled();
      return { ...response, headers: { ...response.headers, ...usageHeaders(call, type, 100, minutes) } };
    },
    expiredToken: (call) => (isCodeExchange(call) ? oauthError(unknownCode) : expiredToken()),
  };
}

function isCodeExchange(call: Call): boolean {
  return call.path === codeExchangePath;
}
