import { type output, type ZodType, z } from 'zod';
import {
  type ApiRequest,
  apiCalls,
  type Context,
  maxAnswerBytes,
  maxTokenLength,
  OptionalCount,
  type PlatformClient,
  secret,
  webAddress,
} from '../kit/index.ts';
import { failureIn } from './failure.ts';

export const Credentials = z.object({ instance: z.string().max(255).min(1), accessToken: secret() });
export type Credentials = output<typeof Credentials>;

// Mastodon's responses, as far as the adapter reads them. Ids are text: numbers on Mastodon, UUIDs and others on its
// forks.
export const Application = z.object({
  client_id: z.string().max(maxTokenLength).min(1),
  client_secret: z.string().max(maxTokenLength).min(1),
});
/** Servers before 4.3 and most forks do not return the registered scopes. */
export const Registered = Application.extend({ scopes: z.array(z.string().max(200)).optional().catch(undefined) });
// Anyone can run a server, so anything that becomes part of a handle or an id is checked, and every text has a maximum.
const maxIdLength = 200;
const maxTextLength = 10_000;
const Id = z
  .string()
  .max(maxIdLength)
  .regex(/^[^\s/?#@\p{C}]+$/u);
/** Like one of an unknown scheme, one that is too long is not shown. */
const Address = z.string().max(maxTextLength).nullish().catch(null);
export const OwnAccount = z.object({
  id: Id,
  username: z
    .string()
    .max(maxIdLength)
    .regex(/^[\p{L}\p{N}_.-]+$/u),
  display_name: z.string().max(maxTextLength),
  avatar: Address,
  url: Address,
});
const count = z.int().nonnegative().optional().catch(undefined);
export const Instance = z.object({
  domain: z.string().max(255).min(1).optional(),
  configuration: z
    .object({
      statuses: z
        .object({ max_characters: count, characters_reserved_per_url: count, max_media_attachments: count })
        .default({}),
      media_attachments: z
        .object({ image_size_limit: count, video_size_limit: count, description_limit: count })
        .default({}),
    })
    .default({ statuses: {}, media_attachments: {} }),
});
export const Status = z.object({
  id: Id,
  url: Address.transform(webAddress),
  created_at: z.string().max(100),
  content: z.string().max(maxAnswerBytes).optional().catch(undefined),
  in_reply_to_id: z.string().max(maxIdLength).nullish(),
  application: z.object({ name: z.string().max(maxTextLength) }).nullish(),
  media_attachments: z
    .array(z.object({ id: z.string().max(maxIdLength), url: z.string().max(maxTextLength).nullish() }))
    .default([]),
});
export type Status = output<typeof Status>;
export const StatusCounts = z.object({
  id: z.string().max(maxIdLength).min(1),
  favourites_count: OptionalCount,
  replies_count: OptionalCount,
  reblogs_count: OptionalCount,
  /** Mastodon 4.5 and later count quotes. */
  quotes_count: OptionalCount,
});
export type StatusCounts = output<typeof StatusCounts>;
export const AccountCounts = z.object({
  followers_count: OptionalCount,
  following_count: OptionalCount,
  statuses_count: OptionalCount,
});
export const StatusSource = z.object({ text: z.string().max(maxAnswerBytes) });
export const Attachment = z.object({ id: z.string().max(maxIdLength).min(1) });

/** Also shown to people under a status. */
export const clientName = 'Crier';
const clientHeaders = {
  // The server writes its error messages in this language.
  'accept-language': 'en',
  // Some servers block clients that do not identify themselves.
  'user-agent': `${clientName} (social publishing service)`,
};

const api = apiCalls({ name: 'Mastodon', failureIn, maxAnswerBytes });

/** Bodies are JSON except for files, because all forks understand it. Hollo, for example, ignores arrays in forms. */
export interface Call extends Omit<ApiRequest, 'url'> {
  readonly instance: string;
  readonly path: string;
}

export const call = <T extends ZodType>(answer: T, request: Call, ctx: PlatformClient): Promise<output<T>> =>
  api.call(answer, toInstance(request), ctx);
export const send = (request: Call, ctx: PlatformClient): Promise<Response> => api.send(toInstance(request), ctx);
export const { read } = api;

export const signedIn = ({ credentials: { instance, accessToken } }: Context<Credentials>) => ({
  instance,
  accessToken,
});

const toInstance = ({ instance, path, headers, ...request }: Call): ApiRequest => ({
  ...request,
  url: `https://${instance}${path}`,
  headers: { ...clientHeaders, ...headers },
});
