import type { Answer } from '../../answer.ts';
import type { Call } from '../../network.ts';
import { createBudgets } from '../../rate-limit.ts';
import { errors, resetHeader } from './errors.ts';

// The windows of rack_attack and of the status rate limiter, as a stock server has them.
const budgets = createBudgets<Call>([
  { limit: 300, windowSeconds: 300, keyOf: (call) => `token ${call.headers.authorization ?? 'none'}` },
  { limit: 30, windowSeconds: 1800, keyOf: (call) => whenPosting(call, 'media', /^\/api\/v[12]\/media$/) },
  { limit: 300, windowSeconds: 10_800, keyOf: (call) => whenPosting(call, 'statuses', /^\/api\/v1\/statuses$/) },
  { limit: 30, windowSeconds: 1800, keyOf: (call) => whenDeleting(call) },
  { limit: 5, windowSeconds: 600, keyOf: (call) => whenPosting(call, 'apps', /^\/api\/v1\/apps$/) },
]);

/** Counts the call; refuses it only where the sandbox was started with the vendor's limits. */
export function overBudget(call: Call): Answer | undefined {
  const { limit, used, resetAt } = budgets.count(call, call.sandbox.now());
  if (used <= limit || call.sandbox.options.rateLimits === 'off') return undefined;
  return errors.rateLimited(resetAt, call);
}

/** The budget nearest to its end, as the vendor does. */
export function budgetHeaders(call: Call): Record<string, string> {
  const { limit, used, resetAt } = budgets.read(call, call.sandbox.now());
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
  const deletes = call.method === 'DELETE' || call.path.endsWith('/unreblog');
  return deletes ? `delete ${call.headers.authorization ?? ''}` : null;
}
