import type { Answer } from '../../answer.ts';
import { bearerToken } from '../../bearer.ts';
import { asText } from '../../fields.ts';
import { isObject } from '../../json.ts';
import type { Call } from '../../network.ts';
import { type Budget, type BudgetState, createBudgets } from '../../rate-limit.ts';
import type { Sandbox } from '../../sandbox.ts';
import { errors } from './errors.ts';
import { placeOf } from './hosts.ts';

const method = (call: Call) => call.path.replace('/xrpc/', '');

// No two limits are alike: the policy header finds its window by the limit.
const callBudgets: Budget<Call>[] = [
  { limit: 3000, windowSeconds: 300, keyOf: () => 'address' },
  { limit: 30, windowSeconds: 300, keyOf: whoSignsIn },
  { limit: 300, windowSeconds: 86_400, keyOf: whoSignsIn },
  {
    limit: 1000,
    windowSeconds: 86_400,
    keyOf: (call) => (method(call) === 'com.atproto.repo.uploadBlob' ? 'address' : null),
  },
];

/** Counted in points, by DID. */
const writeBudgets: Budget<string>[] = [
  { limit: 5000, windowSeconds: 3600, keyOf: (did) => did },
  { limit: 35_000, windowSeconds: 86_400, keyOf: (did) => did },
];

type Budgets<C> = ReturnType<typeof createBudgets<C>>;
const budgetsOf = new WeakMap<Sandbox, { calls: Budgets<Call>; writes: Budgets<string> }>();

/** Counts the call; refuses it only where the sandbox was started with the vendor's limits. */
export function overBudget(call: Call): Answer | undefined {
  if (placeOf(call.host) !== 'pds') return undefined;
  const { calls, writes } = budgetsFor(call.sandbox);
  const now = call.sandbox.now();
  calls.count(call, now);
  const [writer, points] = [whoWrites(call), pointsOf(call)];
  if (writer !== null) for (let point = 0; point < points; point += 1) writes.count(writer, now);
  const { limit, used, resetAt } = nearest(call);
  return used <= limit || call.sandbox.options.rateLimits === 'off' ? undefined : errors.rateLimited(resetAt, call);
}

/** The budget nearest to its end, as the vendor does. */
export function budgetHeaders(call: Call): Record<string, string> {
  if (placeOf(call.host) !== 'pds') return {};
  const { limit, used, resetAt } = nearest(call);
  const window = [...callBudgets, ...writeBudgets].find((budget) => budget.limit === limit)?.windowSeconds;
  return {
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(Math.max(0, limit - used)),
    'ratelimit-reset': String(Math.ceil(resetAt / 1000)),
    'ratelimit-policy': `${limit};w=${window}`,
  };
}

function nearest(call: Call): BudgetState {
  const { calls, writes } = budgetsFor(call.sandbox);
  const now = call.sandbox.now();
  const ofCalls = calls.read(call, now);
  const writer = whoWrites(call);
  if (writer === null) return ofCalls;
  const ofWrites = writes.read(writer, now);
  return ofWrites.limit - ofWrites.used < ofCalls.limit - ofCalls.used ? ofWrites : ofCalls;
}

function budgetsFor(sandbox: Sandbox) {
  const known = budgetsOf.get(sandbox);
  if (known) return known;
  const made = { calls: createBudgets(callBudgets), writes: createBudgets(writeBudgets) };
  budgetsOf.set(sandbox, made);
  return made;
}

function whoSignsIn(call: Call): string | null {
  return method(call) === 'com.atproto.server.createSession' ? asText(call.body.fields.identifier) : null;
}

function whoWrites(call: Call): string | null {
  return pointsOf(call) === 0 ? null : (bearerToken(call)?.accountId ?? null);
}

/** Creating costs three, changing two, deleting one. */
function pointsOf(call: Call): number {
  switch (method(call)) {
    case 'com.atproto.repo.createRecord':
      return 3;
    case 'com.atproto.repo.putRecord':
      return 2;
    case 'com.atproto.repo.deleteRecord':
      return 1;
    case 'com.atproto.repo.applyWrites':
      return pointsOfWrites(call);
    default:
      return 0;
  }
}

function pointsOfWrites({ body }: Call): number {
  const points: Record<string, number> = { create: 3, update: 2, delete: 1 };
  const writes = Array.isArray(body.fields.writes) ? body.fields.writes.filter(isObject) : [];
  return writes.reduce((sum, { $type }) => sum + (points[asText($type).split('#')[1] ?? ''] ?? 0), 0);
}
