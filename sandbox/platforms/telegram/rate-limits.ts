import { asText } from '../../http/coerce.ts';
import type { HttpResponse } from '../../http/http-response.ts';
import { createRateLimiter } from '../../http/rate-limiter.ts';
import type { Call } from '../../platform.ts';
import { errors } from './errors.ts';

// Telegram publishes no binding limits. These numbers are from its FAQ for bots.
const limiter = createRateLimiter<Call>([
  { limit: 30, windowSeconds: 1, keyOf: (call) => (isSending(call) ? `bot ${call.params.token}` : null) },
  { limit: 20, windowSeconds: 60, keyOf: (call) => (isSending(call) ? chatKey(call) : null) },
]);

/** Counts the call, and rejects it only if the sandbox enforces the vendor's limits. */
export function checkRateLimit(call: Call): HttpResponse | undefined {
  const { limit, used, resetAt } = limiter.count(call, call.sandbox);
  if (used <= limit || call.sandbox.options.rateLimits === 'off') return undefined;
  return errors.rateLimited(resetAt, call);
}

function isSending(call: Call): boolean {
  return /^send/i.test(call.params.method ?? '');
}

function chatKey(call: Call): string {
  return `chat ${call.params.token} ${asText(call.body.fields.chat_id)}`;
}
