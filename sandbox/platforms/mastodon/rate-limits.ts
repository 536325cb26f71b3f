import type { HttpResponse } from '../../http/http-response.ts';
import { createRateLimiter } from '../../http/rate-limiter.ts';
import type { Call } from '../../platform.ts';
import { errors, resetHeader } from './errors.ts';

// The limits of rack_attack and of the status rate limiter on a stock server.
const limiter = createRateLimiter<Call>([
  { limit: 300, windowSeconds: 300, keyOf: (call) => `token ${call.headers.authorization ?? 'none'}` },
  { limit: 30, windowSeconds: 1800, keyOf: (call) => whenPosting(call, 'media', /^\/api\/v2\/media$/) },
  { limit: 300, windowSeconds: 10_800, keyOf: (call) => whenPosting(call, 'statuses', /^\/api\/v1\/statuses$/) },
  { limit: 30, windowSeconds: 1800, keyOf: whenDeleting },
  { limit: 5, windowSeconds: 600, keyOf: (call) => whenPosting(call, 'apps', /^\/api\/v1\/apps$/) },
]);

/** Counts the call, and rejects it only if the sandbox enforces the vendor's limits. */
export function checkRateLimit(call: Call): HttpResponse | undefined {
  const { limit, used, resetAt } = limiter.count(call, call.sandbox);
  if (used <= limit || call.sandbox.options.rateLimits === 'off') return undefined;
  return errors.rateLimited(resetAt, call);
}

/** Reports the limit that is closest to being used up, as the vendor does. */
export function rateLimitHeaders(call: Call): Record<string, string> {
  const { limit, used, resetAt } = limiter.read(call, call.sandbox);
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(Math.max(0, limit - used)),
    'x-ratelimit-reset': resetHeader(resetAt),
  };
}

function whenPosting(call: Call, name: string, path: RegExp): string | null {
  return call.method === 'POST' && path.test(call.path) ? `${name} ${call.headers.authorization ?? ''}` : null;
}

function whenDeleting(call: Call): string | null {
  return call.method === 'DELETE' ? `delete ${call.headers.authorization ?? ''}` : null;
}
