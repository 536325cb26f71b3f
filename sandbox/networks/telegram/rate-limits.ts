import type { Answer } from '../../answer.ts';
import { asText } from '../../fields.ts';
import type { Call } from '../../network.ts';
import { createBudgets } from '../../rate-limit.ts';
import { readArguments } from './arguments.ts';
import { errors } from './errors.ts';

// Telegram gives no numbers that bind it; these are the ones that its FAQ for bots names.
const budgets = createBudgets<Call>([
  { limit: 30, windowSeconds: 1, keyOf: (call) => (isSending(call) ? `bot ${call.params.token}` : null) },
  { limit: 20, windowSeconds: 60, keyOf: (call) => (isSending(call) ? chatKey(call) : null) },
]);

/** Counts the call; refuses it only where the sandbox was started with the vendor's limits. */
export function overBudget(call: Call): Answer | undefined {
  const { limit, used, resetAt } = budgets.count(call, call.sandbox.now());
  if (used <= limit || call.sandbox.options.rateLimits === 'off') return undefined;
  return errors.rateLimited(resetAt, call);
}

function isSending(call: Call): boolean {
  return /^send/i.test(call.params.method ?? '');
}

function chatKey(call: Call): string {
  return `chat ${call.params.token} ${asText(readArguments(call).chat_id)}`;
}
