import type { HttpResponse } from '../../http/http-response.ts';
import { createRateLimiter, type RateLimitState } from '../../http/rate-limiter.ts';
import { bearerToken } from '../../oauth/bearer-token.ts';
import type { Call } from '../../platform.ts';
import { errors, resetHeader } from './errors.ts';
import { isApi } from './hosts.ts';

const windowSeconds = 15 * 60;
const daySeconds = 24 * 60 * 60;
const postsPerDay = 10_000;

/** Limits per user in windows of 15 minutes. */
const limits: [method: string, path: RegExp, limit: number][] = [
  ['POST', /^\/2\/tweets$/, 100],
  ['DELETE', /^\/2\/tweets\/\d+$/, 50],
  ['GET', /^\/2\/tweets$/, 5000],
  ['GET', /^\/2\/tweets\/analytics$/, 300],
  ['GET', /^\/2\/tweets\/\d+$/, 900],
  ['GET', /^\/2\/users\/me$/, 75],
  ['GET', /^\/2\/users\/\d+\/tweets$/, 900],
  ['POST', /^\/2\/users\/\d+\/retweets$/, 50],
  ['POST', /^\/2\/media\/upload$/, 500],
  ['GET', /^\/2\/media\/upload$/, 1000],
  ['POST', /^\/2\/media\/upload\/.+$/, 1875],
  ['POST', /^\/2\/media\/metadata$/, 500],
];

const routes = createRateLimiter<Call>(
  limits.map(([method, path, limit]) => ({
    limit,
    windowSeconds,
    keyOf: (call) => (call.method === method && path.test(call.path) ? callerId(call) : null),
  })),
);
const day = createRateLimiter<Call>([
  {
    limit: postsPerDay,
    windowSeconds: daySeconds,
    keyOf: (call) => (call.method === 'POST' && call.path === '/2/tweets' ? 'app' : null),
  },
]);

/** Counts the call, and rejects it only if the sandbox enforces the vendor's limits. */
export function checkRateLimit(call: Call): HttpResponse | undefined {
  if (!isApi(call.host)) return errors.status(404, call);
  const [route, app] = [routes.count(call, call.sandbox), day.count(call, call.sandbox)];
  if (call.sandbox.options.rateLimits === 'off') return undefined;
  if (isOver(route)) return errors.rateLimited(route.resetAt, call);
  // `x-rate-limit-remaining` stays above zero here, because only the daily limit is used up.
  return isOver(app) ? errors.status(429, call) : undefined;
}

export function rateLimitHeaders(call: Call): Record<string, string> {
  return {
    'api-version': '2.167',
    ...headersOf('x-rate-limit', routes.read(call, call.sandbox)),
    ...headersOf('x-app-limit-24hour', day.read(call, call.sandbox)),
  };
}

function callerId(call: Call): string | null {
  return bearerToken(call)?.accountId ?? null;
}

function isOver({ limit, used }: RateLimitState): boolean {
  return used > limit;
}

function headersOf(prefix: string, { limit, used, resetAt }: RateLimitState): Record<string, string> {
  if (limit === 0) return {};
  return {
    [`${prefix}-limit`]: String(limit),
    [`${prefix}-remaining`]: String(Math.max(0, limit - used)),
    [`${prefix}-reset`]: resetHeader(resetAt),
  };
}
