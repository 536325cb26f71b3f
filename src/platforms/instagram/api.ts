import { type output, z } from 'zod';
import { graphCalls } from '../graph/api.ts';
import { secret } from '../kit/index.ts';
import { failureIn, name } from './failure.ts';

export const Credentials = z.object({
  accessToken: secret(),
  /** Of the professional account, as paths want it: not the id that only our application knows. */
  userId: z.string().min(1),
});
export type Credentials = output<typeof Credentials>;

/** Meta retires each version about two years after its successor: this one on 2028-07-29. */
const graph = 'https://graph.instagram.com/v25.0';

// The network's answers, as far as we read them. Ids are text: they are too large for numbers.
const Id = z.string().regex(/^\w+$/);
export const Created = z.object({ id: Id });
export const ContainerStatus = z.object({ status_code: z.string(), status: z.string().default('') });
export const Medium = z.object({ id: Id, caption: z.string().default(''), permalink: z.string().nullish() });
export type Medium = output<typeof Medium>;
export const OwnMedia = z.object({ data: z.array(Medium.extend({ timestamp: z.string() })) });
export const Quota = z.object({
  data: z.array(z.object({ quota_usage: z.number(), config: z.object({ quota_total: z.number() }).optional() })),
});

export const { call, request } = graphCalls({ name, graph, failureIn });
