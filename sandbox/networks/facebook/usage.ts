import type { Call } from '../../network.ts';
import { tokenOf } from './sign-in.ts';

/** How much of its budget a token has used, in percent: a Page's in one header, a person's and an app's in another. */
export function usageHeaders(call: Call, percent: number, minutesToWait = 0): Record<string, string> {
  const token = tokenOf(call);
  const usage = { call_count: percent, total_cputime: percent, total_time: percent };
  if (token?.data.type !== 'PAGE' || token.accountId === null) return { 'x-app-usage': JSON.stringify(usage) };
  const ofPage = [{ type: 'pages', ...usage, estimated_time_to_regain_access: minutesToWait }];
  return { 'x-business-use-case-usage': JSON.stringify({ [token.accountId]: ofPage }) };
}
