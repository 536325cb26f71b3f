import { asText } from '../../http/coerce.ts';
import type { HttpResponse } from '../../http/http-response.ts';
import { createRateLimiter, type RateLimit, type RateLimitState } from '../../http/rate-limiter.ts';
import { bearerToken } from '../../oauth/bearer-token.ts';
import type { Call } from '../../platform.ts';
import { errors } from './errors.ts';
import { hostRole } from './hosts.ts';

const method = (call: Call) => call.path.replace('/xrpc/', '');

// Each limit must be a different number, because the policy header looks up its window by the limit.
const callLimits: RateLimit<Call>[] = [
  { limit: 3000, windowSeconds: 300, keyOf: () => 'address' },
  { limit: 30, windowSeconds: 300, keyOf: sessionKey },
  { limit: 300, windowSeconds: 86_400, keyOf: sessionKey },
  {
    limit: 1000,
    windowSeconds: 86_400,
    keyOf: (call) => (method(call) === 'com.atproto.repo.uploadBlob' ? 'address' : null),
  },
];

/** Writes count in points per DID. */
const writeLimits: RateLimit<string>[] = [
  { limit: 5000, windowSeconds: 3600, keyOf: (did) => did },
  { limit: 35_000, windowSeconds: 86_400, keyOf: (did) => did },
];

const calls = createRateLimiter(callLimits);
const writes = createRateLimiter(writeLimits);

/** Counts the call, and rejects it only if the sandbox enforces the vendor's limits. */
export function checkRateLimit(call: Call): HttpResponse | undefined {
  if (hostRole(call.host) !== 'pds') return undefined;
  calls.count(call, call.sandbox);
  const [writer, points] = [writerOf(call), pointsOf(call)];
  if (writer !== null) for (let point = 0; point < points; point += 1) writes.count(writer, call.sandbox);
  const { limit, used, resetAt } = closestLimit(call);
  return used <= limit || call.sandbox.options.rateLimits === 'off' ? undefined : errors.rateLimited(resetAt, call);
}

/** Reports the limit that is closest to being used up, as the vendor does. */
export function rateLimitHeaders(call: Call): Record<string, string> {
  if (hostRole(call.host) !== 'pds') return {};
  const { limit, used, resetAt } = closestLimit(call);
  const window = [...callLimits, ...writeLimits].find((one) => one.limit === limit)?.windowSeconds;
  return {
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(Math.max(0, limit - used)),
    'ratelimit-reset': String(Math.ceil(resetAt / 1000)),
    'ratelimit-policy': `${limit};w=${window}`,
  };
}

function closestLimit(call: Call): RateLimitState {
  const ofCalls = calls.read(call, call.sandbox);
  const writer = writerOf(call);
  if (writer === null) return ofCalls;
  const ofWrites = writes.read(writer, call.sandbox);
  return ofWrites.limit - ofWrites.used < ofCalls.limit - ofCalls.used ? ofWrites : ofCalls;
}

function sessionKey(call: Call): string | null {
  return method(call) === 'com.atproto.server.createSession' ? asText(call.body.fields.identifier) : null;
}

function writerOf(call: Call): string | null {
  return pointsOf(call) === 0 ? null : (bearerToken(call)?.accountId ?? null);
}

/** Creating a record costs three points, updating two, deleting one. */
function pointsOf(call: Call): number {
  switch (method(call)) {
    case 'com.atproto.repo.createRecord':
      return 3;
    case 'com.atproto.repo.putRecord':
      return 2;
    case 'com.atproto.repo.deleteRecord':
      return 1;
    default:
      return 0;
  }
}
