import type { Answer } from '../answer.ts';
import type { Call } from '../network.ts';
import { createBudgets } from '../rate-limit.ts';
import type { Sandbox } from '../sandbox.ts';
import { tokenOf } from './sign-in.ts';

/** 4800 for each time that an account was seen that day, and ten of those at the least. */
const callsPerDay = 48_000;
const daySeconds = 86_400;

/** Counts the call; refuses it only where the sandbox was started with the vendor's limits. */
export function overBudget(call: Call): Answer | undefined {
  const { limit, used, resetAt } = budgetsOf(call.sandbox).count(call, call.sandbox.now());
  if (used <= limit || call.sandbox.options.rateLimits === 'off') return undefined;
  return call.network.errors.rateLimited(resetAt, call);
}

export function budgetHeaders(call: Call, type: string): Record<string, string> {
  const { limit, used } = budgetsOf(call.sandbox).read(call, call.sandbox.now());
  return limit === 0 ? {} : usageHeaders(call, type, Math.min(100, Math.floor((used * 100) / limit)));
}

/** How much of its budget an account has used, in percent; what is not an account's counts for the app. */
export function usageHeaders(call: Call, type: string, percent: number, minutesToWait = 0): Record<string, string> {
  const usage = { call_count: percent, total_cputime: percent, total_time: percent };
  const account = tokenOf(call)?.accountId;
  if (!account) return { 'x-app-usage': JSON.stringify(usage) };
  const ofAccount = [{ type, ...usage, estimated_time_to_regain_access: minutesToWait }];
  return { 'x-business-use-case-usage': JSON.stringify({ [account]: ofAccount }) };
}

const bySandbox = new WeakMap<Sandbox, ReturnType<typeof startCounting>>();

function budgetsOf(sandbox: Sandbox) {
  const known = bySandbox.get(sandbox) ?? startCounting();
  bySandbox.set(sandbox, known);
  return known;
}

function startCounting() {
  const keyOf = (call: Call) => tokenOf(call)?.accountId ?? null;
  return createBudgets<Call>([{ limit: callsPerDay, windowSeconds: daySeconds, keyOf }]);
}
