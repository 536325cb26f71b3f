import { type output, type ZodType, z } from 'zod';
import { type FailureKind, type PlatformClient, PlatformError, secret } from '../kit/index.ts';
import { failure, parseAnswer } from './failure.ts';

export const Credentials = z.object({
  accessToken: secret(),
  refreshToken: secret(),
  /** A sign-in is for one channel, chosen on Google's page. */
  channelId: z.string(),
});
export type Credentials = output<typeof Credentials>;

/** Of videos, channels and playlists. */
export const Id = z.string().regex(/^[\w-]+$/);

interface Call {
  method?: 'GET' | 'POST';
  /** Below the API; with `upload`, below the part of it that takes files. */
  path: string;
  upload?: boolean;
  query: Record<string, string>;
  accessToken: string;
  headers?: Record<string, string>;
  /** JSON, unless it is a file. */
  body?: Blob | Record<string, unknown>;
}

export async function call<T extends ZodType>(answer: T, request: Call, ctx: PlatformClient): Promise<output<T>> {
  return parseAnswer(answer, await send(request, ctx));
}

/** For what answers in headers. */
export function send(request: Call, ctx: PlatformClient): Promise<Response> {
  const { method = 'GET', path, upload, query, accessToken, headers, body } = request;
  const address = `https://www.googleapis.com${upload ? '/upload' : ''}/youtube/v3${path}?${new URLSearchParams(query)}`;
  const isFile = body instanceof Blob;
  const init = {
    method,
    headers: { accept: 'application/json', ...(body && !isFile && { 'content-type': jsonType }), ...headers },
    ...(body && { body: isFile ? body : JSON.stringify(body) }),
  };
  return signedFetch(address, accessToken, init, ctx);
}

const jsonType = 'application/json; charset=UTF-8';

/** Any answer that the caller does not know better is a failure. */
export async function signedFetch(
  address: string,
  accessToken: string,
  init: RequestInit & { headers: Record<string, string> },
  ctx: PlatformClient,
  expected: readonly number[] = [],
): Promise<Response> {
  const headers = { ...init.headers, authorization: `Bearer ${accessToken}` };
  const response = await ctx.fetch(address, { ...init, headers });
  if (response.ok || expected.includes(response.status)) return response;
  throw await failure(response, { now: ctx.now(), secrets: [accessToken] });
}

const passing: ReadonlySet<FailureKind> = new Set(['unavailable', 'network', 'timeout']);

/** Trouble that may be over when we try again. */
export const isPassing = (error: unknown) => error instanceof PlatformError && passing.has(error.kind);
