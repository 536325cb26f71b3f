import { type output, type ZodType, z } from 'zod';
import {
  type ApiRequest,
  apiCalls,
  apiVersions,
  OptionalSeconds,
  type PlatformClient,
  secret,
  Token,
} from '../kit/index.ts';
import { failureIn } from './failure.ts';

export const Credentials = z.object({ accessToken: secret(), refreshToken: secret(), openId: z.string().min(1) });
export type Credentials = output<typeof Credentials>;

/** Paths end in a slash. Without it, they lead elsewhere. */
export const api = `https://open.tiktokapis.com/${apiVersions.tiktok.version}`;

// TikTok's responses, as far as the adapter reads them.
export const TikTokToken = Token.extend({ refresh_expires_in: OptionalSeconds });
export type TikTokToken = output<typeof TikTokToken>;
export const User = z.object({
  user: z.object({
    open_id: z.string().regex(/^[^\s/?#]+$/),
    username: z.string().min(1),
    display_name: z.string().default(''),
    avatar_url: z.string().nullish(),
  }),
});
export const CreatorInfo = z.object({
  privacy_level_options: z.array(z.string()).min(1),
  comment_disabled: z.boolean().default(false),
  duet_disabled: z.boolean().default(false),
  stitch_disabled: z.boolean().default(false),
  max_video_post_duration_sec: z.number().positive().optional(),
});
export type CreatorInfo = output<typeof CreatorInfo>;
export const PhotoInit = z.object({ publish_id: z.string().min(1) });
export const VideoInit = PhotoInit.extend({ upload_url: z.url({ protocol: /^https$/ }) });
export const Status = z.object({
  status: z.string(),
  fail_reason: z.string().nullish(),
  uploaded_bytes: z.coerce.number().nonnegative().default(0),
  /** Misspelled by TikTok. Only public posts have one, and only after moderation. */
  publicaly_available_post_id: z.array(z.union([z.string().min(1), z.number()]).transform(String)).default([]),
});

const calls = apiCalls({ name: 'TikTok', failureIn, parseJson: parseKeepingIds });

/** All responses except tokens come in this envelope. */
const Envelope = z
  .object({ data: z.unknown(), error: z.object({ code: z.literal('ok') }) })
  .transform(({ data }) => data);

export function call<T extends ZodType>(answer: T, request: ApiRequest, ctx: PlatformClient): Promise<output<T>> {
  const headers = request.body && { 'content-type': 'application/json; charset=UTF-8' };
  return calls.call(Envelope.pipe(answer), { ...request, ...(headers && { headers }) }, ctx);
}

export const requestToken = (request: ApiRequest, ctx: PlatformClient): Promise<TikTokToken> =>
  calls.call(TikTokToken, request, ctx);

function parseKeepingIds(text: string): unknown {
  try {
    return JSON.parse(text, keepLargeNumbers);
  } catch {
    return null;
  }
}

/** Post ids are numbers too large for JavaScript, so keep their digits as text. */
function keepLargeNumbers(_key: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' && !Number.isSafeInteger(value) ? (context?.source ?? value) : value;
}
