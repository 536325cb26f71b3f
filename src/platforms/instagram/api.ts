import { type output, type ZodType, z } from 'zod';
import { PlatformError, type Reach, secret } from '../kit/index.ts';
import { failureIn, parseJson } from './failure.ts';

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
  throw new PlatformError('unavailable', 'Instagram gave an answer that makes no sense.', {
    status: response.status,
    reason: z.prettifyError(parsed.error),
  });
}
