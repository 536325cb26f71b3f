import type { Call } from '../../platform.ts';
import { tokenOf } from './sign-in/authenticate.ts';

/** Reports the used share of the limit in percent. Pages have one header; persons and apps have another. */
export function usageHeaders(call: Call, percent: number, minutesToWait = 0): Record<string, string> {
  const token = tokenOf(call);
  const usage = { call_count: percent, total_cputime: percent, total_time: percent };
  if (token?.data.type !== 'PAGE' || token.accountId === null) return { 'x-app-usage': JSON.stringify(usage) };
  const ofPage = [{ type: 'pages', ...usage, estimated_time_to_regain_access: minutesToWait }];
  return { 'x-business-use-case-usage': JSON.stringify({ [token.accountId]: ofPage }) };
}
