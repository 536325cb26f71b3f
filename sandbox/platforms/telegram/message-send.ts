import { asText } from '../../http/coerce.ts';
import { type HttpResponse, json } from '../../http/http-response.ts';
import { isObject, type Json, type JsonObject } from '../../http/json.ts';
import type { Call } from '../../platform.ts';
import type { Account } from '../../store/accounts.ts';
import { authenticate } from './authenticate.ts';
import { findWritableChat } from './chats.ts';
import type { FormattedText } from './entities.ts';
import { badRequest } from './errors.ts';
import { type Incoming, type MediaKind, readFile, saveFile } from './files.ts';
import { flagOf, listOf, objectOf } from './input.ts';
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
  const input = call.body.fields;
  const formatted = readText(input);
  const linkPreview = readLinkPreview(input);
  const [message] = send(call, bot, input, [{ formatted }], { linkPreview });
  return json({ ok: true, result: message });
}

export function sendFile(kind: MediaKind) {
  return (call: Call): HttpResponse => {
    const bot = authenticate(call);
    const input = call.body.fields;
    const formatted = readCaption(input);
    const incoming = readFile(call, kind, input[kind], kind);
    if (!incoming) badRequest(`There is no ${kind} in the request`);
    const [message] = send(call, bot, input, [{ formatted, file: { kind, incoming } }]);
    return json({ ok: true, result: message });
  };
}

export function sendMediaGroup(call: Call): HttpResponse {
  const bot = authenticate(call);
  const input = call.body.fields;
  if (input.media === undefined || input.media === '') badRequest('Parameter "media" is required');
  const items = listOf(input.media, 'media') ?? badRequest('Expected an Array of InputMedia');
  const parts = items.map((item) => readItem(call, item));
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

function readItem(call: Call, item: Json): Part {
  const complain = (what: string): never => badRequest(`Can't parse InputMedia: ${what}`);
  if (!isObject(item)) return complain('expected an Object');
  const formatted = asText(item.caption) === '' ? noText : readCaption(item);
  if (item.type === undefined) complain('Can\'t find field "type"');
  if (item.type === 'animation') complain('type "animation" can\'t be used in sendMediaGroup');
  const kind = item.type;
  if (kind !== 'photo' && kind !== 'video') return complain(`type "${asText(kind)}" is unsupported`);
  const incoming = readFile(call, kind, item.media);
  return incoming ? { formatted, file: { kind, incoming } } : complain('media not found');
}

function checkAlbum(parts: readonly Part[]): void {
  if (parts.length > maxAlbum) badRequest('Too many messages to send as an album');
  if (parts.length === 0) badRequest('There are no messages to send');
}

function readReply(call: Call, chat: Account, input: JsonObject): { postId: string; messageId: string } | undefined {
  const parameters = objectOf(input.reply_parameters, 'reply parameters') ?? {};
  const messageId = asText(parameters.message_id ?? undefined);
  if (messageId === '' || messageId === '0') return undefined;
  const found = findMessage(call, chat, messageId);
  if (found) return { postId: found.post.id, messageId };
  if (flagOf(parameters.allow_sending_without_reply ?? undefined)) return undefined;
  badRequest('message to be replied not found');
}

function readLinkPreview(input: JsonObject): Json {
  const options = objectOf(input.link_preview_options, 'link preview options') ?? {};
  return Object.keys(options).length > 0 ? options : null;
}
