import { createHmac } from 'node:crypto';
import { type output, type ZodType, z } from 'zod';
import { type Context, type PlatformClient, secret } from '../kit/index.ts';
import { failure, parseAnswer } from './failure.ts';

/** Ids are text: they are too large for numbers. */
export const Id = z.string().regex(/^\d+$/);

export const Credentials = z.object({
  /** Of the Page, not of the person. */
  accessToken: secret(),
  pageId: Id,
});
export type Credentials = output<typeof Credentials>;

/** Of July 2026. Facebook retires each version about two years after the next one. */
export const version = 'v26.0';

export interface Call {
  method?: 'GET' | 'POST';
  /** Bytes of videos have a host of their own. */
  host?: 'graph' | 'graph-video';
  path: string;
  query?: Record<string, string>;
  /** Null where there is none yet. */
  accessToken: string | null;
  /** JSON, unless it is a form. */
  body?: FormData | Record<string, unknown>;
  /** What else the answer must not show, should it repeat what was sent. */
  secrets?: readonly string[];
}

export async function call<T extends ZodType>(answer: T, request: Call, ctx: PlatformClient): Promise<output<T>> {
  const { method = 'GET', host = 'graph', path, query, accessToken, body, secrets = [] } = request;
  const application = ctx.application();
  const proof = accessToken && { appsecret_proof: proofOf(accessToken, application.secret) };
  const url = new URL(`https://${host}.facebook.com/${version}${path}`);
  url.search = new URLSearchParams({ ...query, ...proof }).toString();
  const isForm = body instanceof FormData;
  const response = await ctx.fetch(url, {
    method,
    headers: {
      accept: 'application/json',
      ...(accessToken && { authorization: `Bearer ${accessToken}` }),
      ...(body && !isForm && { 'content-type': 'application/json' }),
    },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  });
  if (response.ok) return parseAnswer(answer, response);
  throw await failure(response, [...secrets, application.secret, ...(accessToken ? [accessToken] : [])]);
}

/** As the Page. */
export function callAsPage<T extends ZodType>(
  answer: T,
  request: Omit<Call, 'accessToken'>,
  ctx: Context<Credentials>,
): Promise<output<T>> {
  return call(answer, { ...request, accessToken: ctx.credentials.accessToken }, ctx);
}

/** Shows that whoever holds the token also holds our secret: a stolen token alone is of no use. */
const proofOf = (accessToken: string, appSecret: string) =>
  createHmac('sha256', appSecret).update(accessToken).digest('hex');

const pageSize = 100;
const maxPages = 50;

/** All of a list that comes in pages. */
export async function callForList<T extends ZodType>(
  item: T,
  path: string,
  fields: string,
  accessToken: string,
  ctx: PlatformClient,
): Promise<output<T>[]> {
  const items: output<T>[] = [];
  let after: string | null = null;
  for (let page = 0; page < maxPages; page += 1) {
    const query: Record<string, string> = { fields, limit: String(pageSize), ...(after && { after }) };
    const list: List<output<T>> = await call(listOf(item), { path, query, accessToken }, ctx);
    items.push(...list.data);
    after = nextOf(list);
    if (!after) break;
  }
  return items;
}

const Paging = z.object({
  cursors: z.object({ after: z.string().optional() }).optional(),
  next: z.string().optional(),
});
export const listOf = <T extends ZodType>(item: T) => z.object({ data: z.array(item), paging: Paging.optional() });
interface List<T> {
  data: T[];
  paging?: output<typeof Paging> | undefined;
}

/** Where the next page begins. Its ready-made address is left alone: it has the token in it. */
export const nextOf = ({ paging }: { paging?: output<typeof Paging> | undefined }): string | null =>
  (paging?.next && paging.cursors?.after) || null;
