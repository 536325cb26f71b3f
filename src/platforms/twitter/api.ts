import { type output, type ZodType, z } from 'zod';
import { type Context, type PlatformClient, PlatformError, secret } from '../kit/index.ts';
import { failure, parseJson, refusalIn } from './failure.ts';

export const Credentials = z.object({ accessToken: secret(), refreshToken: secret() });
export type Credentials = output<typeof Credentials>;

// The network's answers, as far as we read them. Ids are text: they are too large for numbers.
const Id = z.string().regex(/^\d+$/);
export const Token = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).optional(),
  expires_in: z.number().positive(),
  scope: z.string(),
});
export const Me = z.object({
  data: z.object({
    id: Id,
    name: z.string(),
    username: z.string().min(1),
    profile_image_url: z.string().nullish(),
    subscription_type: z.string().default('None'),
  }),
});
export const Created = z.object({ data: z.object({ id: Id }) });
const Processing = z.object({
  state: z.string(),
  check_after_secs: z.number().nonnegative().optional(),
  error: z.object({ name: z.string().optional(), message: z.string().optional() }).optional(),
});
export const Upload = z.object({ data: z.object({ id: Id, processing_info: Processing.nullish() }) });
const Entities = z.object({
  urls: z.array(z.object({ url: z.string(), expanded_url: z.string().optional() })).default([]),
});
export const Post = z.object({
  id: Id,
  text: z.string(),
  entities: Entities.optional(),
  /** The whole of a long post, of which `text` is only the beginning. */
  note_tweet: z.object({ text: z.string(), entities: Entities.optional() }).optional(),
  attachments: z.object({ media_keys: z.array(z.string()).default([]) }).optional(),
  referenced_tweets: z.array(z.object({ type: z.string(), id: Id })).default([]),
});
export type Post = output<typeof Post>;
export const Timeline = z.object({
  data: z.array(Post).default([]),
  meta: z.object({ next_token: z.string().optional() }).default({}),
});
/** Where the status says it all. */
export const Anything = z.unknown();

export interface Call {
  method?: 'GET' | 'POST';
  path: string;
  authorization: string;
  /** JSON, unless it is a form. */
  body?: FormData | URLSearchParams | Record<string, unknown>;
  /** What else the answer must not show, should it repeat what was sent. */
  secrets?: readonly string[];
}

export const signedIn = ({ credentials }: Pick<Context<Credentials>, 'credentials'>) => bearer(credentials.accessToken);
export const bearer = (accessToken: string) => ({ authorization: `Bearer ${accessToken}`, secrets: [accessToken] });

export async function call<T extends ZodType>(answer: T, request: Call, ctx: PlatformClient): Promise<output<T>> {
  const { method = 'GET', path, authorization, body, secrets = [] } = request;
  const isForm = body instanceof FormData || body instanceof URLSearchParams;
  const response = await ctx.fetch(`https://api.x.com/2${path}`, {
    method,
    headers: {
      accept: 'application/json',
      authorization,
      ...(body && !isForm && { 'content-type': 'application/json' }),
    },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  });
  if (!response.ok) throw await failure(response, secrets);
  const answered = parseJson(await response.text());
  const parsed = answer.safeParse(answered);
  if (parsed.success) return parsed.data;
  const details = { status: response.status, reason: z.prettifyError(parsed.error) };
  throw (
    refusalIn(answered, secrets) ?? new PlatformError('unavailable', 'X gave an answer that makes no sense.', details)
  );
}
