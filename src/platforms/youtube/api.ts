import { type output, type ZodType, z } from 'zod';
import { type ApiRequest, apiCalls, apiVersions, type PlatformClient, secret } from '../kit/index.ts';
import { failureIn, parseBody } from './failure.ts';

export const Credentials = z.object({
  accessToken: secret(),
  refreshToken: secret(),
  /** A sign-in is for one channel, chosen on Google's page. */
  channelId: z.string(),
});
export type Credentials = output<typeof Credentials>;

/** The id of a video, channel or playlist. */
export const Id = z.string().regex(/^[\w-]+$/);

const { version } = apiVersions.youtube;
export const api = `https://www.googleapis.com/youtube/${version}`;
/** The part of the API that accepts files. */
export const uploadApi = `https://www.googleapis.com/upload/youtube/${version}`;

const calls = apiCalls({ name: 'YouTube', failureIn, parseJson: parseBody });

export const call = <T extends ZodType>(answer: T, request: ApiRequest, ctx: PlatformClient): Promise<output<T>> =>
  calls.call(answer, withCharset(request), ctx);
export const send = (request: ApiRequest, ctx: PlatformClient): Promise<Response> =>
  calls.send(withCharset(request), ctx);
export const { read } = calls;

function withCharset(request: ApiRequest): ApiRequest {
  const { body, headers } = request;
  if (!body || body instanceof Blob || body instanceof URLSearchParams) return request;
  return { ...request, headers: { 'content-type': 'application/json; charset=UTF-8', ...headers } };
}
