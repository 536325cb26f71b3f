import type { HttpResponse } from '../../http/http-response.ts';
import { createRateLimiter } from '../../http/rate-limiter.ts';
import { bearerToken } from '../../oauth/bearer-token.ts';
import type { Call } from '../../platform.ts';
import { errors } from './errors.ts';

const day = 86_400;

/** Limits per resource and day, for each member and for the whole app. They start again at midnight UTC. */
const limiter = createRateLimiter<Call>([
  { limit: 150, windowSeconds: day, keyOf: (call) => keyOf(call, bearerToken(call)?.accountId) },
  { limit: 100_000, windowSeconds: day, keyOf: (call) => keyOf(call, bearerToken(call)?.clientId) },
]);

/** Counts the call, and rejects it only if the sandbox enforces the vendor's limits. */
export function checkRateLimit(call: Call): HttpResponse | undefined {
  const { limit, used, resetAt } = limiter.count(call, call.sandbox);
  if (used <= limit || call.sandbox.options.rateLimits === 'off') return undefined;
  return errors.rateLimited(resetAt, call);
}

function keyOf(call: Call, who: string | null | undefined): string | null {
  const [, root, resource] = call.path.split('/');
  return root === 'rest' && who ? `${who} ${resource}` : null;
}
