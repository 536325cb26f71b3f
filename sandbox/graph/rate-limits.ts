import type { HttpResponse } from '../http/http-response.ts';
import { createRateLimiter } from '../http/rate-limiter.ts';
import type { Call } from '../platform.ts';
import { tokenOf } from './authenticate.ts';

/** Meta allows 4800 calls per impression of the account and day, and counts at least ten impressions. */
const callsPerDay = 48_000;
const daySeconds = 86_400;

const limiter = createRateLimiter<Call>([
  { limit: callsPerDay, windowSeconds: daySeconds, keyOf: (call) => tokenOf(call)?.accountId ?? null },
]);

/** Counts the call, and rejects it only if the sandbox enforces the vendor's limits. */
export function checkRateLimit(call: Call): HttpResponse | undefined {
  const { limit, used, resetAt } = limiter.count(call, call.sandbox);
  if (used <= limit || call.sandbox.options.rateLimits === 'off') return undefined;
  return call.platform.errors.rateLimited(resetAt, call);
}

export function rateLimitHeaders(call: Call, type: string): Record<string, string> {
  const { limit, used } = limiter.read(call, call.sandbox);
  return limit === 0 ? {} : usageHeaders(call, type, Math.min(100, Math.floor((used * 100) / limit)));
}

/** Reports the used share of the limit in percent. Calls without an account count for the app. */
export function usageHeaders(call: Call, type: string, percent: number, minutesToWait = 0): Record<string, string> {
  const usage = { call_count: percent, total_cputime: percent, total_time: percent };
  const account = tokenOf(call)?.accountId;
  if (!account) return { 'x-app-usage': JSON.stringify(usage) };
  const ofAccount = [{ type, ...usage, estimated_time_to_regain_access: minutesToWait }];
  return { 'x-business-use-case-usage': JSON.stringify({ [account]: ofAccount }) };
}
