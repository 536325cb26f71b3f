import type { HttpResponse } from '../../http/http-response.ts';
import { createRateLimiter } from '../../http/rate-limiter.ts';
import type { Call } from '../../platform.ts';
import { errors } from './platform-errors.ts';
import { tokenOf } from './sign-in/authenticate.ts';
import { usageHeaders } from './usage-headers.ts';

// Facebook allows 4800 calls a day per person who engages with a Page, and 200 an hour per user of an app. The sandbox
// counts one of each.
const limiter = createRateLimiter<Call>([
  { limit: 4800, windowSeconds: 86_400, keyOf: (call) => pageKey(call) },
  { limit: 200, windowSeconds: 3600, keyOf: (call) => (pageKey(call) === null ? 'app' : null) },
]);

/** Counts the call, and rejects it only if the sandbox enforces the vendor's limits. */
export function checkRateLimit(call: Call): HttpResponse | undefined {
  const { limit, used, resetAt } = limiter.count(call, call.sandbox);
  if (used <= limit || call.sandbox.options.rateLimits === 'off') return undefined;
  return errors.rateLimited(resetAt, call);
}

export function rateLimitHeaders(call: Call): Record<string, string> {
  const { limit, used } = limiter.read(call, call.sandbox);
  return usageHeaders(call, Math.min(100, Math.floor((used * 100) / limit)));
}

function pageKey(call: Call): string | null {
  const token = tokenOf(call);
  return token?.data.type === 'PAGE' ? token.accountId : null;
}
