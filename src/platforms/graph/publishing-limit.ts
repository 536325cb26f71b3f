import { z } from 'zod';
import type { GraphCall } from './api.ts';
import type { ContainerContext } from './container.ts';
import { type ErrorRule, quotaRetrySeconds } from './error-codes.ts';
import { GraphError } from './failure.ts';

const Config = z.object({ quota_total: z.number() }).optional();
const PublishingLimit = z.object({
  data: z.array(
    z.object({
      quota_usage: z.number().default(0),
      config: Config,
      reply_quota_usage: z.number().default(0),
      reply_config: Config,
    }),
  ),
});

interface LimitApi {
  readonly call: GraphCall;
  readonly limitEdge: string;
  readonly quotaUsedUp: ErrorRule;
}

/** Fails unless the account may publish one more post, and this many replies to it, within its 24-hour limit. */
export async function assertWithinLimit(replies: number, api: LimitApi, ctx: ContainerContext): Promise<void> {
  const path = `/${ctx.credentials.userId}/${api.limitEdge}`;
  const fields = replies === 0 ? 'quota_usage,config' : 'quota_usage,config,reply_quota_usage,reply_config';
  const { data } = await api.call(PublishingLimit, { path, query: { fields } }, ctx);
  for (const { quota_usage, config, reply_quota_usage, reply_config } of data) {
    assertFits(quota_usage, 1, config?.quota_total, 'posts', api);
    assertFits(reply_quota_usage, replies, reply_config?.quota_total, 'replies', api);
  }
}

function assertFits(used: number, more: number, total: number | undefined, unit: string, api: LimitApi): void {
  if (total === undefined || used + more <= total) return;
  const reason = `${used} of ${total} ${unit}`;
  throw new GraphError(api.quotaUsedUp, { reason, retryAfterSeconds: quotaRetrySeconds });
}
