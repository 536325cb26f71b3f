import { type output, type ZodType, z } from 'zod';
import { type Context, type FailureKind, type PlatformClient, PlatformError, secret } from '../kit/index.ts';

export const Credentials = z.object({ instance: z.string().min(1), accessToken: secret() });
export type Credentials = output<typeof Credentials>;

// The network's answers, as far as we read them. Ids are text: numbers on Mastodon, UUIDs and others on its forks.
export const Application = z.object({ client_id: z.string().min(1), client_secret: z.string().min(1) });
export const Token = z.object({ access_token: z.string().min(1), scope: z.string() });
export const OwnAccount = z.object({
  id: z.string().min(1),
  username: z.string().min(1),
  display_name: z.string(),
  avatar: z.string().nullish(),
  url: z.string().nullish(),
});
const count = z.int().nonnegative().optional();
export const Instance = z.object({
  domain: z.string().min(1).optional(),
  configuration: z
    .object({
      statuses: z
        .object({ max_characters: count, characters_reserved_per_url: count, max_media_attachments: count })
        .default({}),
      media_attachments: z.object({ image_size_limit: count, video_size_limit: count }).default({}),
    })
    .default({ statuses: {}, media_attachments: {} }),
});
export const Status = z.object({
  id: z.string().min(1),
  url: z.string().nullish(),
  created_at: z.string(),
  in_reply_to_id: z.string().nullish(),
  application: z.object({ name: z.string() }).nullish(),
  media_attachments: z.array(z.unknown()).default([]),
});
export type Status = output<typeof Status>;
const counted = z
  .int()
  .nonnegative()
  .nullish()
  .catch(null)
  .transform((number) => number ?? null);
export const StatusCounts = z.object({
  id: z.string().min(1),
  favourites_count: counted,
  replies_count: counted,
  reblogs_count: counted,
  /** Since 4.5. */
  quotes_count: counted,
});
export type StatusCounts = output<typeof StatusCounts>;
export const AccountCounts = z.object({ followers_count: counted, following_count: counted, statuses_count: counted });
export const StatusSource = z.object({ text: z.string() });
export const Attachment = z.object({ id: z.string().min(1) });

export const clientName = 'Crier';

export interface Call {
  instance: string;
  method?: 'GET' | 'POST';
  path: string;
  accessToken?: string;
  headers?: Record<string, string>;
  body?: Record<string, unknown> | FormData;
}

export const signedIn = ({ credentials: { instance, accessToken } }: Context<Credentials>) => ({
  instance,
  accessToken,
});

export async function call<T extends ZodType>(answer: T, request: Call, ctx: PlatformClient): Promise<output<T>> {
  return read(answer, await send(request, ctx));
}

/** JSON, except for files: the form that all forks understand (Hollo ignores arrays in forms). */
export async function send(request: Call, ctx: PlatformClient): Promise<Response> {
  const { instance, method = 'GET', path, accessToken, headers, body } = request;
  const json = body instanceof FormData ? undefined : body;
  const response = await ctx.fetch(`https://${instance}${path}`, {
    method,
    headers: {
      accept: 'application/json',
      // The server words its refusals in this language.
      'accept-language': 'en',
      // Some servers block clients that do not say who they are.
      'user-agent': `${clientName} (social publishing service)`,
      ...(accessToken && { authorization: `Bearer ${accessToken}` }),
      ...(json && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: body instanceof FormData ? body : JSON.stringify(body) }),
  });
  if (!response.ok) throw await failure(response);
  return response;
}

export async function read<T extends ZodType>(answer: T, response: Response): Promise<output<T>> {
  const parsed = answer.safeParse(parseJson(await response.text()));
  if (parsed.success) return parsed.data;
  throw new PlatformError('unavailable', 'Mastodon gave an answer that makes no sense.', {
    status: response.status,
    reason: z.prettifyError(parsed.error),
  });
}

const unreadableFile = 'Mastodon cannot read a file of this post.';

/** The vendor has no error codes: the status says most, the words the rest (docs and source read 2026-11). First match wins. */
const meanings: readonly (readonly [status: number, words: RegExp, kind: FailureKind, message: string])[] = [
  [400, /invalid_grant/, 'auth', 'Mastodon does not accept the sign-in. Connect again.'],
  [401, /invalid_client/, 'auth', 'The server no longer knows this application. Connect again.'],
  [401, /^/, 'auth', 'Mastodon does not accept the access token.'],
  [403, /outside the authorized scopes/, 'auth', 'The permission to do this was not granted.'],
  [403, /login|e-?mail|pending/i, 'auth', 'The Mastodon account may not act at present.'],
  [413, /^/, 'too_large', 'Too large for this Mastodon server.'],
  [422, /requires an authenticated user/, 'auth', 'Mastodon does not accept the access token.'],
  [422, /size must be less|too large/i, 'too_large', 'Too large for this Mastodon server.'],
  [422, /processing thumbnail/, 'rejected', unreadableFile],
  [422, /not finished processing/, 'unavailable', 'Mastodon is still busy with the files.'],
  [422, /not found or already attached/, 'rejected', 'Mastodon no longer has the files of this post. Post it anew.'],
  [429, /^/, 'rate_limited', 'Mastodon asks to slow down.'],
  [500, /processing thumbnail/, 'rejected', unreadableFile],
];

export async function failure(response: Response): Promise<PlatformError> {
  const { status, statusText } = response;
  // The status has arrived: a body that breaks off changes nothing.
  const said = ErrorBody.safeParse(parseJson(await response.text().catch(() => '')));
  const reason = said.success ? said.data : `${status} ${statusText}`.trim();
  const meaning = meanings.find(([known, words]) => known === status && words.test(reason));
  if (status >= 500 && !meaning) return new PlatformError('unavailable', 'Mastodon is in trouble.', { status, reason });
  // The API answers in JSON. A page is from what stands in front of it (Cloudflare), which passed nothing on.
  if (status === 403 && !said.success) {
    return new PlatformError('unavailable', 'The Mastodon server is shielded.', {
      status,
      reason,
      mayHaveHappened: false,
    });
  }
  const [, , kind, message] = meaning ?? [status, /^/, 'rejected', 'Mastodon refused this.'];
  const retryAfterSeconds = kind === 'rate_limited' ? secondsToReset(response.headers) : undefined;
  return new PlatformError(kind, message, { status, reason, retryAfterSeconds, mayHaveHappened: false });
}

/** The API says what is wrong in `error`; OAuth puts a code there, and the words beside it. */
const ErrorBody = z
  .object({ error: z.string(), error_description: z.string().optional() })
  .transform(({ error, error_description }) => (error_description ? `${error}: ${error_description}` : error));

/** Both times are the server's own, so that our clocks need not agree. Forks send neither: then the length of a window. */
function secondsToReset(headers: Headers): number {
  const [reset, now] = ['x-ratelimit-reset', 'date'].map((name) => Date.parse(headers.get(name) ?? ''));
  const seconds = Math.ceil((Number(reset) - Number(now)) / 1000);
  return Number.isNaN(seconds) ? 300 : Math.max(1, seconds);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
