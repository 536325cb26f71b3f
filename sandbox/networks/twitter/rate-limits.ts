import type { Answer } from '../../answer.ts';
import { bearerToken } from '../../bearer.ts';
import type { Call } from '../../network.ts';
import { type BudgetState, createBudgets } from '../../rate-limit.ts';
import type { Sandbox } from '../../sandbox.ts';
import { errors, resetHeader } from './errors.ts';
import { isApi } from './hosts.ts';

const windowSeconds = 15 * 60;
const daySeconds = 24 * 60 * 60;
const postsPerDay = 10_000;

/** Per person, in windows of a quarter of an hour. */
const limits: [method: string, path: RegExp, limit: number][] = [
  ['POST', /^\/2\/tweets$/, 100],
  ['DELETE', /^\/2\/tweets\/\d+$/, 50],
  ['GET', /^\/2\/tweets$/, 5000],
  ['GET', /^\/2\/tweets\/analytics$/, 300],
  ['GET', /^\/2\/tweets\/\d+$/, 900],
  ['GET', /^\/2\/users\/me$/, 75],
  ['GET', /^\/2\/users\/\d+\/tweets$/, 900],
  ['GET', /^\/2\/users\/(by\/username\/)?(?!me$)[^/]+$/, 900],
  ['POST', /^\/2\/users\/\d+\/(retweets|likes)$/, 50],
  ['DELETE', /^\/2\/users\/\d+\/retweets\/\d+$/, 50],
  ['POST', /^\/2\/media\/upload$/, 500],
  ['GET', /^\/2\/media\/upload$/, 1000],
  ['POST', /^\/2\/media\/upload\/.+$/, 1875],
  ['POST', /^\/2\/media\/metadata$/, 500],
];

/** Counts the call; refuses it only where the sandbox was started with the vendor's limits. */
export function beforeCall(call: Call): Answer | undefined {
  if (!isApi(call.host)) return errors.status(404, call);
  const { routes, day } = budgetsOf(call.sandbox);
  const [route, app] = [routes.count(call, call.sandbox.now()), day.count(call, call.sandbox.now())];
  if (call.sandbox.options.rateLimits === 'off') return undefined;
  if (isOver(route)) return errors.rateLimited(route.resetAt, call);
  // The answer then has `x-rate-limit-remaining` above zero: only the day's budget is used up.
  return isOver(app) ? errors.status(429, call) : undefined;
}

export function budgetHeaders(call: Call): Record<string, string> {
  const { routes, day } = budgetsOf(call.sandbox);
  return {
    'api-version': '2.167',
    ...headersOf('x-rate-limit', routes.read(call, call.sandbox.now())),
    ...headersOf('x-app-limit-24hour', day.read(call, call.sandbox.now())),
  };
}

const bySandbox = new WeakMap<Sandbox, ReturnType<typeof startCounting>>();

function budgetsOf(sandbox: Sandbox) {
  const known = bySandbox.get(sandbox) ?? startCounting();
  bySandbox.set(sandbox, known);
  return known;
}

function startCounting() {
  const routes = limits.map(([method, path, limit]) => ({
    limit,
    windowSeconds,
    keyOf: (call: Call) => (call.method === method && path.test(call.path) ? personOf(call) : null),
  }));
  const keyOf = (call: Call) => (call.method === 'POST' && call.path === '/2/tweets' ? 'app' : null);
  return {
    routes: createBudgets<Call>(routes),
    day: createBudgets<Call>([{ limit: postsPerDay, windowSeconds: daySeconds, keyOf }]),
  };
}

function personOf(call: Call): string | null {
  return bearerToken(call)?.accountId ?? null;
}

function isOver({ limit, used }: BudgetState): boolean {
  return used > limit;
}

function headersOf(prefix: string, { limit, used, resetAt }: BudgetState): Record<string, string> {
  if (limit === 0) return {};
  return {
    [`${prefix}-limit`]: String(limit),
    [`${prefix}-remaining`]: String(Math.max(0, limit - used)),
    [`${prefix}-reset`]: resetHeader(resetAt),
  };
}
