import type { Answer } from '../../answer.ts';
import { bearerToken } from '../../bearer.ts';
import type { Call } from '../../network.ts';
import { createBudgets } from '../../rate-limit.ts';
import { errors } from './errors.ts';

const day = 86_400;

/** Per resource and day, for one member and for the application as a whole; anew at midnight UTC. */
const budgets = createBudgets<Call>([
  { limit: 150, windowSeconds: day, keyOf: (call) => keyOf(call, bearerToken(call)?.accountId) },
  { limit: 100_000, windowSeconds: day, keyOf: (call) => keyOf(call, bearerToken(call)?.clientId) },
]);

/** Counts the call; refuses it only where the sandbox was started with the vendor's limits. */
export function overBudget(call: Call): Answer | undefined {
  const { limit, used, resetAt } = budgets.count(call, call.sandbox.now());
  if (used <= limit || call.sandbox.options.rateLimits === 'off') return undefined;
  return errors.rateLimited(resetAt, call);
}

function keyOf(call: Call, who: string | null | undefined): string | null {
  const [, root, resource] = call.path.split('/');
  return root === 'rest' && who ? `${who} ${resource}` : null;
}
