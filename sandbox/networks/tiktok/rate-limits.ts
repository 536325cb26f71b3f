import type { Answer } from '../../answer.ts';
import { bearerToken } from '../../bearer.ts';
import type { Call } from '../../network.ts';
import { createBudgets } from '../../rate-limit.ts';
import type { Sandbox } from '../../sandbox.ts';
import { errors } from './errors.ts';

/** Per minute and user. */
const limits: Record<string, number> = {
  '/v2/post/publish/creator_info/query/': 20,
  '/v2/post/publish/video/init/': 6,
  '/v2/post/publish/inbox/video/init/': 6,
  '/v2/post/publish/content/init/': 6,
  '/v2/post/publish/status/fetch/': 30,
  '/v2/user/info/': 600,
  '/v2/video/list/': 600,
  '/v2/video/query/': 600,
};

/** Counts the call; refuses it only where the sandbox was started with the vendor's limits. */
export function overBudget(call: Call): Answer | undefined {
  const { limit, used, resetAt } = budgetsOf(call.sandbox).count(call, call.sandbox.now());
  if (used <= limit || call.sandbox.options.rateLimits === 'off') return undefined;
  return errors.rateLimited(resetAt, call);
}

const bySandbox = new WeakMap<Sandbox, ReturnType<typeof startCounting>>();

function budgetsOf(sandbox: Sandbox) {
  const known = bySandbox.get(sandbox) ?? startCounting();
  bySandbox.set(sandbox, known);
  return known;
}

function startCounting() {
  return createBudgets<Call>(
    Object.entries(limits).map(([path, limit]) => ({
      limit,
      windowSeconds: 60,
      keyOf: (call) => (call.path === path ? (bearerToken(call)?.accountId ?? null) : null),
    })),
  );
}
