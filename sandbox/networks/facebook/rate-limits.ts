import type { Answer } from '../../answer.ts';
import type { Call } from '../../network.ts';
import { createBudgets } from '../../rate-limit.ts';
import { errors } from './network-errors.ts';
import { tokenOf } from './sign-in.ts';
import { usageHeaders } from './usage.ts';

// 4800 a day for each person who engages with a Page, 200 an hour for each person of an app: one of each here.
const budgets = createBudgets<Call>([
  { limit: 4800, windowSeconds: 86_400, keyOf: (call) => pageKey(call) },
  { limit: 200, windowSeconds: 3600, keyOf: (call) => (pageKey(call) === null ? 'app' : null) },
]);

/** Counts the call; refuses it only where the sandbox was started with the vendor's limits. */
export function overBudget(call: Call): Answer | undefined {
  const { limit, used, resetAt } = budgets.count(call, call.sandbox.now());
  if (used <= limit || call.sandbox.options.rateLimits === 'off') return undefined;
  return errors.rateLimited(resetAt, call);
}

export function budgetHeaders(call: Call): Record<string, string> {
  const { limit, used } = budgets.read(call, call.sandbox.now());
  return usageHeaders(call, Math.min(100, Math.floor((used * 100) / limit)));
}

function pageKey(call: Call): string | null {
  const token = tokenOf(call);
  return token?.data.type === 'PAGE' ? token.accountId : null;
}
