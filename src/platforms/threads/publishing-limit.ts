import { dailySeconds, GraphError } from '../graph/failure.ts';
import type { Context } from '../kit/index.ts';
import { type Credentials, call, Quota } from './api.ts';
import { usedUp } from './failure.ts';

/** Whether the account may publish one more post, and this many replies to it, within the 24 hours that count. */
export async function assertRoom(replies: number, ctx: Context<Credentials>): Promise<void> {
  const path = `/${ctx.credentials.userId}/threads_publishing_limit`;
  const fields = replies === 0 ? 'quota_usage,config' : 'quota_usage,config,reply_quota_usage,reply_config';
  const { data } = await call(Quota, { path, query: { fields } }, ctx);
  for (const { quota_usage, config, reply_quota_usage, reply_config } of data) {
    assertFits(quota_usage, 1, config?.quota_total, 'posts');
    assertFits(reply_quota_usage, replies, reply_config?.quota_total, 'replies');
  }
}

function assertFits(used: number, more: number, total: number | undefined, what: string): void {
  if (total === undefined || used + more <= total) return;
  const reason = `${used} of ${total} ${what}`;
  throw new GraphError(usedUp, { reason, retryAfterSeconds: dailySeconds, mayHaveHappened: false });
}
