import { type output, z } from 'zod';
import { graphCalls } from '../graph/api.ts';
import { PlatformError, secret } from '../kit/index.ts';
import { failureIn, name } from './failure.ts';

export const Credentials = z.object({ accessToken: secret(), userId: z.string().min(1) });
export type Credentials = output<typeof Credentials>;

const graph = 'https://graph.threads.net/v1.0';

// The network's answers, as far as we read them. Ids are text: they are too large for numbers.
const Id = z.string().regex(/^\w+$/);
export const Created = z.object({ id: Id });
export const ContainerStatus = z.object({ status: z.string(), error_message: z.string().nullish() });
export const Linked = z.object({ id: Id, permalink: z.string().nullish() });
export type Linked = output<typeof Linked>;
export const OwnPosts = z.object({
  data: z.array(
    Linked.extend({ text: z.string().default(''), timestamp: z.string(), username: z.string().optional() }),
  ),
});
const Config = z.object({ quota_total: z.number() }).optional();
export const Quota = z.object({
  data: z.array(
    z.object({
      quota_usage: z.number().default(0),
      config: Config,
      reply_quota_usage: z.number().default(0),
      reply_config: Config,
    }),
  ),
});
export const TokenFacts = z.object({
  data: z.object({ is_valid: z.boolean(), scopes: z.array(z.string()).default([]) }),
});

export const { call, request } = graphCalls({ name, graph, failureIn });

/** What was read, or null where that failed: for what we can do without. */
export async function ifReadable<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof PlatformError) return null;
    throw error;
  }
}
