import type { HttpResponse } from '../../http/http-response.ts';
import { createRateLimiter } from '../../http/rate-limiter.ts';
import { bearerToken } from '../../oauth/bearer-token.ts';
import type { Call } from '../../platform.ts';
import { errors } from './errors.ts';

/** Limits per minute and user. */
const limits = {
  '/v2/post/publish/creator_info/query/': 20,
  '/v2/post/publish/video/init/': 6,
  '/v2/post/publish/content/init/': 6,
  '/v2/post/publish/status/fetch/': 30,
  '/v2/user/info/': 600,
};

const limiter = createRateLimiter<Call>(
  Object.entries(limits).map(([path, limit]) => ({
    limit,
    windowSeconds: 60,
    keyOf: (call) => (call.path === path ? (bearerToken(call)?.accountId ?? null) : null),
  })),
);

/** Counts the call, and rejects it only if the sandbox enforces the vendor's limits. */
export function checkRateLimit(call: Call): HttpResponse | undefined {
  const { limit, used, resetAt } = limiter.count(call, call.sandbox);
  if (used <= limit || call.sandbox.options.rateLimits === 'off') return undefined;
  return errors.rateLimited(resetAt, call);
}
