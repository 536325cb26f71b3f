import { type output, type ZodType, z } from 'zod';
import { type PlatformClient, PlatformError, secret } from '../kit/index.ts';
import { failure, refusalIn } from './failure.ts';

export const Credentials = z.object({ accessToken: secret(), refreshToken: secret(), openId: z.string().min(1) });
export type Credentials = output<typeof Credentials>;

// The network's answers, as far as we read them.
export const Token = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).optional(),
  expires_in: z.number().positive(),
  refresh_expires_in: z.number().positive().optional(),
  open_id: z.string().min(1),
  scope: z.string().default(''),
});
export const User = z.object({
  user: z.object({
    open_id: z.string().regex(/^[^\s/?#]+$/),
    username: z.string().min(1),
    display_name: z.string().default(''),
    avatar_url: z.string().nullish(),
  }),
});
export const Creator = z.object({
  privacy_level_options: z.array(z.string()).min(1),
  comment_disabled: z.boolean().default(false),
  duet_disabled: z.boolean().default(false),
  stitch_disabled: z.boolean().default(false),
  max_video_post_duration_sec: z.number().positive().optional(),
});
export type Creator = output<typeof Creator>;
export const Begun = z.object({ publish_id: z.string().min(1) });
export const BegunUpload = Begun.extend({ upload_url: z.url({ protocol: /^https$/ }) });
export const Status = z.object({
  status: z.string(),
  fail_reason: z.string().nullish(),
  uploaded_bytes: z.coerce.number().nonnegative().default(0),
  /** So misspelled by TikTok. Only public posts have one, and only once they were looked at. */
  publicaly_available_post_id: z.array(z.union([z.string().min(1), z.number()]).transform(String)).default([]),
});

interface Call {
  /** With a slash at the end: without, it leads elsewhere. */
  path: string;
  accessToken: string;
  /** JSON to post; without it, something is read. */
  body?: Record<string, unknown>;
}

const Succeeded = z
  .object({ data: z.unknown(), error: z.object({ code: z.literal('ok') }) })
  .transform(({ data }) => data);

export async function call<T extends ZodType>(
  answer: T,
  { path, accessToken, body }: Call,
  ctx: PlatformClient,
): Promise<output<T>> {
  const headers = { accept: 'application/json', authorization: `Bearer ${accessToken}` };
  const json = { ...headers, 'content-type': 'application/json; charset=UTF-8' };
  const response = await ctx.fetch(
    `https://open.tiktokapis.com/v2${path}`,
    body ? { method: 'POST', headers: json, body: JSON.stringify(body) } : { headers },
  );
  return readAnswer(Succeeded.pipe(answer), response, [accessToken]);
}

/** Tokens are asked for by form, and come without the envelope of all other answers. */
export async function requestToken(fields: Record<string, string>, ctx: PlatformClient): Promise<output<typeof Token>> {
  const { id, secret } = ctx.application();
  const response = await ctx.fetch('https://open.tiktokapis.com/v2/oauth/token/', {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams({ client_key: id, client_secret: secret, ...fields }),
  });
  const { code = '', refresh_token = '' } = fields;
  return readAnswer(Token, response, [secret, code, refresh_token]);
}

async function readAnswer<T extends ZodType>(
  answer: T,
  response: Response,
  secrets: readonly string[],
): Promise<output<T>> {
  const { ok, status } = response;
  // Of a failure the status has arrived: a body that breaks off changes nothing.
  const body = parseJson(await (ok ? response.text() : response.text().catch(() => '')));
  const refusal = refusalIn(body);
  if (!ok || refusal) throw failure(response, refusal, secrets);
  const parsed = answer.safeParse(body);
  if (parsed.success) return parsed.data;
  const details = { status, reason: z.prettifyError(parsed.error) };
  throw new PlatformError('unavailable', 'TikTok gave an answer that makes no sense.', details);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text, keepLargeNumbers);
  } catch {
    return null;
  }
}

/** Ids of posts are numbers too large for JavaScript's: those become text, digit by digit. */
function keepLargeNumbers(_key: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' && !Number.isSafeInteger(value) ? (context?.source ?? value) : value;
}
