import { type output, type ZodType, z } from 'zod';
import { PlatformError, type Reach, secret } from '../kit/index.ts';
import { failureIn, parseJson } from './failure.ts';

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

export interface Call {
  path: string;
  query?: Record<string, string>;
  /** Makes it a POST. */
  form?: Record<string, string>;
}

export type SignedIn = Pick<Reach, 'fetch'> & { credentials: Pick<Credentials, 'accessToken'> };

/** Calls the API as the account. */
export function call<T extends ZodType>(
  answer: T,
  { path, query = {}, form }: Call,
  ctx: SignedIn,
): Promise<output<T>> {
  const { accessToken } = ctx.credentials;
  const url = new URL(graph + path);
  url.search = new URLSearchParams(query).toString();
  const headers = { authorization: `Bearer ${accessToken}` };
  const init = form ? { method: 'POST', headers, body: new URLSearchParams(form) } : { headers };
  return request(answer, url, init, [accessToken], ctx);
}

/** `secrets` must not show, should the answer repeat what was sent. */
export async function request<T extends ZodType>(
  answer: T,
  url: URL,
  init: RequestInit,
  secrets: readonly string[],
  ctx: Pick<Reach, 'fetch'>,
): Promise<output<T>> {
  const response = await ctx.fetch(url, init);
  // A refusal stays one although its body broke off.
  const text = await response.text().catch((error) => (response.ok ? Promise.reject(error) : ''));
  const body = parseJson(text);
  const failure = failureIn(response, body, secrets);
  if (failure) throw failure;
  const parsed = answer.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new PlatformError('unavailable', 'Threads gave an answer that makes no sense.', {
    status: response.status,
    reason: z.prettifyError(parsed.error),
  });
}

/** What was read, or null where that failed: for what we can do without. */
export async function ifReadable<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof PlatformError) return null;
    throw error;
  }
}
