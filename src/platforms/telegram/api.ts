import { type output, type ZodType, z } from 'zod';
import type { Json } from '../../lib/json.ts';
import { redact } from '../../lib/redact.ts';
import { type FailureKind, type PlatformClient, PlatformError, secret } from '../kit/index.ts';
import { type FilePart, multipart } from './multipart.ts';

export const Credentials = z.object({ botToken: secret(), chatId: z.string().min(1) });
export type Credentials = output<typeof Credentials>;

// The network's answers, as far as we read them. Chat ids have up to 52 bits, so numbers hold them.
export const Bot = z.object({ id: z.int(), is_bot: z.boolean() });
export const Chat = z.object({
  id: z.int(),
  type: z.string(),
  title: z.string().optional(),
  username: z.string().min(1).optional(),
  permissions: z.object({ can_send_messages: z.boolean().optional() }).optional(),
});
/** With the rights it has: `can_post_messages` and others. */
export const Member = z.looseObject({ status: z.string() });
export const Message = z.object({
  message_id: z.int(),
  chat: z.object({ id: z.int(), username: z.string().optional() }),
});
export type Message = output<typeof Message>;

export interface Call {
  botToken: string;
  method: string;
  params: Readonly<Record<string, Json | FilePart>>;
}

export async function call<T extends ZodType>(answer: T, request: Call, ctx: PlatformClient): Promise<output<T>> {
  const { botToken, method, params } = request;
  if (!isBotToken(botToken)) throw new PlatformError('auth', 'Invalid bot token');
  const response = await ctx.fetch(`https://api.telegram.org/bot${botToken}/${method}`, {
    method: 'POST',
    ...bodyOf(params),
  });
  const text = await response.text();
  const refused = response.ok ? null : refusalIn(text);
  const movedTo = refused?.parameters?.migrate_to_chat_id;
  if (movedTo && params.chat_id !== movedTo) {
    return call(answer, { ...request, params: { ...params, chat_id: movedTo } }, ctx);
  }
  if (!response.ok) throw failure(response, refused, botToken);
  const parsed = answer.safeParse(Answer.safeParse(parseJson(text)).data?.result);
  if (parsed.success) return parsed.data;
  throw new PlatformError('unavailable', 'Telegram gave an answer that makes no sense.', {
    status: response.status,
    reason: redact(z.prettifyError(parsed.error), [botToken]),
  });
}

/** The token is part of every address: with anything else in its place we would ask for something else. */
export const isBotToken = (text: string) => /^\d+:[A-Za-z0-9_-]{30,}$/.test(text);

/** Files travel in a form, and whatever is no text beside them as JSON. */
function bodyOf(params: Call['params']): { body: string | Blob; headers?: Record<string, string> } {
  if (!Object.values(params).some(isFile)) {
    return { body: JSON.stringify(params), headers: { 'content-type': 'application/json' } };
  }
  const parts = Object.entries(params).map(([name, value]) => [
    name,
    isFile(value) || typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return { body: multipart(Object.fromEntries(parts)) };
}

const isFile = (value: Json | FilePart): value is FilePart =>
  typeof value === 'object' && value !== null && 'blob' in value && value.blob instanceof Blob;

const Answer = z.object({ ok: z.literal(true), result: z.unknown() });

const Refusal = z.object({
  description: z.string().min(1),
  parameters: z
    .object({ retry_after: z.number().nonnegative().optional(), migrate_to_chat_id: z.int().optional() })
    .optional(),
});
type Refusal = output<typeof Refusal>;

/** The words follow the status in lower case, except for codes of the network's inner protocol. First match wins. */
const meanings: readonly (readonly [status: number, words: RegExp, kind: FailureKind, message: string])[] = [
  [401, /^/, 'auth', 'Telegram does not accept the bot token. Get a new one from @BotFather and connect again.'],
  [404, /method not found/i, 'rejected', 'Telegram does not know this request.'],
  [404, /^/, 'auth', 'Telegram does not know this bot token. Get a new one from @BotFather and connect again.'],
  [403, /kicked|not a member/i, 'auth', 'The bot is not in the channel. Add it as an administrator and connect again.'],
  [
    400,
    /administrator rights|not enough rights|no rights|CHAT_WRITE_FORBIDDEN|CHAT_ADMIN_REQUIRED/i,
    'auth',
    'The bot may not post to the channel. Make it an administrator with the right to post messages.',
  ],
  [400, /chat not found|chat_id is empty/i, 'auth', 'Telegram does not find the channel. Connect it again.'],
  [400, /too big|too large/i, 'too_large', 'Too large for Telegram.'],
  [400, /too long/i, 'rejected', 'The text is too long for Telegram.'],
  [
    400,
    /PHOTO_INVALID_DIMENSIONS/i,
    'rejected',
    'Telegram takes pictures of at most 10000 pixels for width and height together, and no longer than 20 times as wide.',
  ],
  [400, /IMAGE_PROCESS_FAILED|VIDEO_FILE_INVALID|non-empty/i, 'rejected', 'Telegram cannot read a file of this post.'],
  [413, /^/, 'too_large', 'Too large for Telegram.'],
  [429, /^/, 'rate_limited', 'Telegram asks to slow down.'],
];

/** Where the network does not say it. */
const secondsToSlowDown = 60;

function failure({ status, statusText, headers }: Response, refused: Refusal | null, botToken: string) {
  const reason = redact(refused?.description ?? `${status} ${statusText}`.trim(), [botToken]);
  if (status >= 500) return new PlatformError('unavailable', 'Telegram is in trouble.', { status, reason });
  const meaning = meanings.find(([known, words]) => known === status && words.test(reason));
  const [, , kind, message] = meaning ?? [status, /^/, 'rejected', 'Telegram refused this.'];
  const wait = refused?.parameters?.retry_after ?? Number(headers.get('retry-after') ?? Number.NaN);
  const retryAfterSeconds = Number.isNaN(wait) ? secondsToSlowDown : Math.max(1, Math.ceil(wait));
  return new PlatformError(kind, message, { status, reason, ...(kind === 'rate_limited' && { retryAfterSeconds }) });
}

function refusalIn(text: string): Refusal | null {
  return Refusal.safeParse(parseJson(text)).data ?? null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
