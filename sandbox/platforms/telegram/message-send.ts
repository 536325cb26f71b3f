import { asText } from '../../coerce.ts';
import { type HttpResponse, json } from '../../http-response.ts';
import { isObject, type Json, type JsonObject } from '../../json.ts';
import type { Call } from '../../platform.ts';
import type { Account } from '../../store/accounts.ts';
import { authenticate } from './authenticate.ts';
import { findWritableChat } from './chats.ts';
import type { FormattedText } from './entities.ts';
import { badRequest } from './errors.ts';
import { type Incoming, type MediaKind, mediaKinds, readFile, saveFile } from './files.ts';
import { flagOf, listOf, objectOf, readInput } from './input.ts';
import { findMessage, nextMessageIds } from './message-ids.ts';
import { type Message, messagesOf, presentMessage } from './present.ts';
import { readCaption, readText } from './text.ts';

const maxAlbum = 10;
const noText: FormattedText = { text: '', entities: [] };

/** One message to send: a text, or a file with its caption. */
interface Part {
  readonly formatted: FormattedText;
  readonly file?: { readonly kind: MediaKind; readonly incoming: Incoming };
}

export function sendMessage(call: Call): HttpResponse {
  const bot = authenticate(call);
  const input = readInput(call);
  const formatted = readText(input);
  const linkPreview = readLinkPreview(input);
  const [message] = send(call, bot, input, [{ formatted }], { linkPreview });
  return json({ ok: true, result: message });
}

export function sendFile(kind: MediaKind) {
  return async (call: Call): Promise<HttpResponse> => {
    const bot = authenticate(call);
    const input = readInput(call);
    const formatted = readCaption(input);
    const incoming = await readFile(call, bot, kind, input[kind], kind);
    if (!incoming) badRequest(`There is no ${kind} in the request`);
    const [message] = send(call, bot, input, [{ formatted, file: { kind, incoming } }]);
    return json({ ok: true, result: message });
  };
}

export async function sendMediaGroup(call: Call): Promise<HttpResponse> {
  const bot = authenticate(call);
  const input = readInput(call);
  if (input.media === undefined || input.media === '') badRequest('Parameter "media" is required');
  const items = listOf(input.media, 'media') ?? badRequest('Expected an Array of InputMedia');
  const parts: Part[] = [];
  for (const item of items) parts.push(await readItem(call, bot, item));
  checkAlbum(parts);
  return json({ ok: true, result: send(call, bot, input, parts) });
}

/** The text of an album is the text of its captions. Usually there is one. */
export function joinTexts(messages: readonly Pick<Message, 'text'>[]): string {
  return messages
    .map(({ text }) => text)
    .filter((text) => text !== '')
    .join('\n');
}

/** Creates the post. The content is checked already; this checks the chat and the message it replies to. */
function send(call: Call, bot: Account, input: JsonObject, parts: readonly Part[], more: JsonObject = {}) {
  const { store } = call.sandbox;
  const chat = findWritableChat(call, bot, input.chat_id);
  const reply = readReply(call, chat, input);
  const media = parts.map(({ file }) => (file ? saveFile(call, bot, file.kind, file.incoming) : undefined));
  const ids = nextMessageIds(store, parts.length);
  const messages = parts.map(({ formatted }, index) => ({
    id: ids[index] ?? '',
    text: formatted.text,
    entities: formatted.entities.map((entity) => ({ ...entity })),
    mediaId: media[index]?.id ?? null,
  }));
  const [id = ''] = ids;
  const post = store.posts.add(call, {
    id,
    accountId: chat.id,
    text: joinTexts(messages),
    media: media.flatMap((one) => (one ? [one.id] : [])),
    inReplyTo: reply?.postId ?? null,
    url: `${chat.data.address}/${id}`,
    createdAt: call.sandbox.now(),
    data: {
      messages,
      albumId: parts.length > 1 ? store.ids.snowflake() : null,
      replyTo: reply?.messageId ?? null,
      isSilent: flagOf(input.disable_notification),
      isProtected: flagOf(input.protect_content),
      ...more,
    },
  });
  for (const other of ids.slice(1)) store.records.put('telegram', 'message', other, { postId: id }, chat.id);
  for (const one of media) if (one) store.media.change(one, { postId: id });
  return messagesOf(post).map((message) => presentMessage(call, post, message));
}

async function readItem(call: Call, bot: Account, item: Json): Promise<Part> {
  const complain = (what: string): never => badRequest(`Can't parse InputMedia: ${what}`);
  if (!isObject(item)) return complain('expected an Object');
  const formatted = asText(item.caption) === '' ? noText : readCaption(item);
  const kind = mediaKinds.find((name) => name === item.type);
  if (item.type === undefined) complain('Can\'t find field "type"');
  const incoming = await readFile(call, bot, kind ?? 'document', item.media);
  if (!incoming) return complain('media not found');
  if (kind === 'animation') complain('type "animation" can\'t be used in sendMediaGroup');
  return kind ? { formatted, file: { kind, incoming } } : complain(`type "${asText(item.type)}" is unsupported`);
}

/** Photos and videos may be mixed; documents and audio may not. */
function checkAlbum(parts: readonly Part[]): void {
  if (parts.length > maxAlbum) badRequest('Too many messages to send as an album');
  if (parts.length === 0) badRequest('There are no messages to send');
  const kinds = new Set(parts.flatMap(({ file }) => file?.kind ?? []));
  if (kinds.size === 1) return;
  if (kinds.has('document')) badRequest("Document can't be mixed with other media types");
  if (kinds.has('audio')) badRequest("Audio can't be mixed with other media types");
}

function readReply(call: Call, chat: Account, input: JsonObject): { postId: string; messageId: string } | undefined {
  const parameters = objectOf(input.reply_parameters, 'reply parameters') ?? {
    message_id: input.reply_to_message_id ?? null,
    allow_sending_without_reply: input.allow_sending_without_reply ?? null,
  };
  const messageId = asText(parameters.message_id ?? undefined);
  if (messageId === '' || messageId === '0') return undefined;
  const found = findMessage(call, chat, messageId);
  if (found) return { postId: found.post.id, messageId };
  if (flagOf(parameters.allow_sending_without_reply ?? undefined)) return undefined;
  badRequest('message to be replied not found');
}

function readLinkPreview(input: JsonObject): Json {
  const options = objectOf(input.link_preview_options, 'link preview options');
  if (options) return Object.keys(options).length > 0 ? options : null;
  return flagOf(input.disable_web_page_preview) ? { is_disabled: true } : null;
}
