import { createHmac } from 'node:crypto';
import { type output, type ZodType, z } from 'zod';
import { type ApiRequest, apiCalls, apiVersions, type Context, type PlatformClient, secret } from '../kit/index.ts';
import { failureIn, name } from './failure.ts';

/** Ids are text, because they are too large for numbers. */
export const Id = z.string().regex(/^\d+$/);

export const Credentials = z.object({
  /** The token of the Page, not of the person. */
  accessToken: secret(),
  pageId: Id,
});
export type Credentials = output<typeof Credentials>;

export const { version } = apiVersions.facebook;

export interface Call extends Omit<ApiRequest, 'url' | 'headers'> {
  /** Videos are uploaded to a separate host. */
  readonly host?: 'graph' | 'graph-video';
  readonly path: string;
}

const { call: send } = apiCalls({ name, failureIn });

export function call<T extends ZodType>(answer: T, request: Call, ctx: PlatformClient): Promise<output<T>> {
  const { host = 'graph', path, query, secrets = [], ...rest } = request;
  const application = ctx.application();
  const proof = rest.accessToken && { appsecret_proof: proofOf(rest.accessToken, application.secret) };
  const url = `https://${host}.facebook.com/${version}${path}`;
  return send(answer, { ...rest, url, query: { ...query, ...proof }, secrets: [...secrets, application.secret] }, ctx);
}

/** Calls the API with the token of the Page. */
export function callAsPage<T extends ZodType>(
  answer: T,
  request: Omit<Call, 'accessToken'>,
  ctx: Context<Credentials>,
): Promise<output<T>> {
  return call(answer, { ...request, accessToken: ctx.credentials.accessToken }, ctx);
}

/** Proves that the caller holds our secret, so a stolen token alone is useless. */
const proofOf = (accessToken: string, appSecret: string) =>
  createHmac('sha256', appSecret).update(accessToken).digest('hex');

const pageSize = 100;
const maxPages = 50;

/** All items of a paginated list. */
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
    after = nextCursor(list);
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

/** Null on the last page. `next` itself is not used, because that URL contains the token. */
export const nextCursor = ({ paging }: { paging?: output<typeof Paging> | undefined }): string | null =>
  (paging?.next && paging.cursors?.after) || null;
