import { type output, type ZodType, z } from 'zod';
import { apiCalls, type PlatformClient, PlatformError, type VendorApi } from '../kit/index.ts';

export interface GraphRequest {
  readonly method?: 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Makes the request a POST. */
  readonly form?: Readonly<Record<string, string>>;
}

export type SignedIn = Pick<PlatformClient, 'fetch' | 'now'> & { readonly credentials: { accessToken: string } };

/** Calls the API as the account. */
export type GraphCall = <T extends ZodType>(answer: T, request: GraphRequest, ctx: SignedIn) => Promise<output<T>>;

export interface GraphApi extends VendorApi {
  readonly baseUrl: string;
  /** Where the vendor documents the access token: in a header, or among the other parameters. */
  readonly tokenIn: 'header' | 'parameters';
}

/** `call` for the versioned API, `request` for everything else. */
export function graphCalls(api: GraphApi) {
  const { call: request } = apiCalls(api);
  const call: GraphCall = (answer, given, ctx) => {
    const { accessToken } = ctx.credentials;
    const { method, path, query = {}, form } = api.tokenIn === 'header' ? given : withToken(given, accessToken);
    const sent = api.tokenIn === 'header' ? { accessToken } : { secrets: [accessToken] };
    const body = form && { body: new URLSearchParams(form) };
    return request(answer, { url: api.baseUrl + path, query, ...sent, ...body, ...(method && { method }) }, ctx);
  };
  return { call, request };
}

function withToken(request: GraphRequest, access_token: string): GraphRequest {
  const { query, form } = request;
  if (form) return { ...request, form: { ...form, access_token } };
  return { ...request, query: { ...query, access_token } };
}

/** Ids are text, because they are too large for numbers. */
export const Id = z.string().regex(/^\w+$/);
export const Created = z.object({ id: Id });

const Wrapped = z.object({ data: z.tuple([z.unknown()], z.unknown()) });

/** Some responses sometimes arrive as the only item of a list. */
export const perhapsListed = <T extends ZodType>(answer: T) =>
  z.preprocess((body) => Wrapped.safeParse(body).data?.data[0] ?? body, answer);

/** For optional data: null if it cannot be read. */
export async function orNull<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof PlatformError) return null;
    throw error;
  }
}
