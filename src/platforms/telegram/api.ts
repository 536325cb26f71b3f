import { type output, type ZodType, z } from 'zod';
import type { Json } from '../../foundation/lib/json.ts';
import { apiCalls, type FilePart, multipart, type PlatformClient, PlatformError, secret } from '../kit/index.ts';
import { failureIn, newChatId } from './failure.ts';

export const Credentials = z
  .object({ botToken: secret(), chatId: z.string().min(1) })
  // contract.md#test-connection.telegram fixes the test's message for stored credentials that cannot be used.
  .meta({ unusable: 'Invalid bot connection' });
export type Credentials = output<typeof Credentials>;

// Telegram's responses, as far as the adapter reads them. Chat ids have up to 52 bits, so they fit into numbers.
export const Bot = z.object({ id: z.int(), is_bot: z.boolean() });
export const Chat = z.object({
  id: z.int(),
  type: z.string(),
  title: z.string().optional(),
  username: z.string().min(1).optional(),
  permissions: z.object({ can_send_messages: z.boolean().optional() }).optional(),
});
/** The other fields are the member's rights: `can_post_messages` and more. */
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

const calls = apiCalls({ name: 'Telegram', failureIn });
const Envelope = z.object({ ok: z.literal(true), result: z.unknown() }).transform(({ result }) => result);

export async function call<T extends ZodType>(answer: T, request: Call, ctx: PlatformClient): Promise<output<T>> {
  const { botToken, method, params } = request;
  if (!isBotToken(botToken)) throw new PlatformError('auth', 'Invalid bot token');
  const url = `https://api.telegram.org/bot${botToken}/${method}`;
  try {
    return await calls.call(Envelope.pipe(answer), { url, body: bodyOf(params), secrets: [botToken] }, ctx);
  } catch (error) {
    const chatId = newChatId(error);
    if (chatId === null || params.chat_id === chatId) throw error;
    return call(answer, { ...request, params: { ...params, chat_id: chatId } }, ctx);
  }
}

/** The token is part of every URL, so anything else in its place would change what is called. */
export const isBotToken = (text: string) => /^\d+:[A-Za-z0-9_-]{30,}$/.test(text);

/** Files need a form. In a form, every other non-text value is sent as JSON. */
function bodyOf(params: Call['params']): Blob | Call['params'] {
  if (!Object.values(params).some(isFile)) return params;
  const parts = Object.entries(params).map(([name, value]) => [
    name,
    isFile(value) || typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return multipart(Object.fromEntries(parts));
}

const isFile = (value: Json | FilePart): value is FilePart =>
  typeof value === 'object' && value !== null && 'blob' in value && value.blob instanceof Blob;
