import { type output, z } from 'zod';
import {
  type FilePart,
  type Media,
  PlatformError,
  type PostContent,
  type PublishContext,
  type RemotePost,
  type ShownPost,
} from '../kit/index.ts';
import { type Call, type Credentials, call, Message } from './api.ts';
import { limits } from './limits.ts';
import { toEntities } from './markup.ts';
import type { settings } from './settings.ts';

type Ctx = PublishContext<Credentials>;
type Post = PostContent<output<typeof settings>>;
type Text = ReturnType<typeof toEntities>;
type Params = Call['params'];
const noText: Text = { text: '', entities: [] };

/**
 * A bot cannot read a channel's messages, and Telegram has no idempotency keys. So no step here can be looked up or
 * repeated: without a response, its outcome is unknown.
 */
export async function publish(post: Post, ctx: Ctx): Promise<RemotePost> {
  const text = toEntities(post.text);
  if (post.media.length === 0) return ctx.step('message', () => sendText(text, {}, post, ctx));
  const fits = text.text.length <= limits.text.captionMax;
  // Open files before the step, so that a file that cannot be opened leaves nothing in doubt.
  const files = await Promise.all(post.media.map(fileOf));
  const { isPartial: _, ...sent } = await ctx.step<ShownPost>('media', async () => {
    const remote = await sendMedia(files, fits ? text : noText, post, ctx);
    return fits ? remote : { ...remote, isPartial: true };
  });
  if (!fits) {
    const send = () => sendText(text, replyTo(sent), post, ctx);
    await ctx.step('text', send).catch((error: unknown) => explainMissingText(error, sent));
  }
  return sent;
}

/** The files stay published, and a new post would repeat them. */
function explainMissingText(error: unknown, files: RemotePost): never {
  if (!(error instanceof PlatformError) || error.kind === 'unknown_outcome') throw error;
  const message = `The files of this post were published on Telegram, but the text was not: ${error.message}`;
  throw error.with({ message, visible: files, cause: error });
}

function sendText({ text, entities }: Text, reply: Params, { settings }: Post, ctx: Ctx): Promise<RemotePost> {
  const params = {
    text,
    ...(entities.length > 0 && { entities }),
    ...(settings.disableWebPagePreview && { link_preview_options: { is_disabled: true } }),
    ...reply,
    ...flags(settings),
  };
  return send(Message, 'sendMessage', params, ctx);
}

function replyTo({ id }: RemotePost): Params {
  return id === unknownId ? {} : { reply_parameters: { message_id: Number(id), allow_sending_without_reply: true } };
}

function sendMedia(files: FilePart[], caption: Text, { media, settings }: Post, ctx: Ctx): Promise<RemotePost> {
  const [first, file] = [media[0], files[0]];
  if (first && file && files.length === 1) {
    return sendOne(first, file, { ...captioned(caption), ...flags(settings) }, ctx);
  }
  const album = media.map(({ kind }, index) => ({
    type: kind === 'video' ? 'video' : 'photo',
    media: `attach://f${index}`,
    // Telegram shows the caption of the first file as the caption of the album.
    ...(index === 0 && captioned(caption)),
  }));
  const parts = Object.fromEntries(files.map((file, index) => [`f${index}`, file]));
  return send(Album, 'sendMediaGroup', { media: album, ...parts, ...flags(settings) }, ctx);
}

function sendOne({ kind, width, height, seconds }: Media, file: FilePart, params: Params, ctx: Ctx) {
  if (file.type === 'image/gif') return send(Message, 'sendAnimation', { animation: file, ...params }, ctx);
  if (kind === 'image') return send(Message, 'sendPhoto', { photo: file, ...params }, ctx);
  const metadata = { width, height, ...(seconds && { duration: Math.round(seconds) }), supports_streaming: true };
  return send(Message, 'sendVideo', { video: file, ...metadata, ...params }, ctx);
}

const Album = z.tuple([Message], Message).transform(([first]) => first);

async function send(answer: typeof Message | typeof Album, method: string, params: Params, ctx: Ctx) {
  const { botToken, chatId } = ctx.credentials;
  return remotePost(await call(answer, { botToken, method, params: { chat_id: chatId, ...params } }, ctx));
}

const captioned = ({ text, entities }: Text) => ({
  ...(text !== '' && { caption: text }),
  ...(entities.length > 0 && { caption_entities: entities }),
});

const flags = ({ disableNotification, protectContent }: Post['settings']) => ({
  ...(disableNotification && { disable_notification: true }),
  ...(protectContent && { protect_content: true }),
});

async function fileOf(media: Media): Promise<FilePart> {
  return { blob: await media.blob(), fileName: `file.${extensionOf(media.type)}`, type: media.type };
}

const extensions: Readonly<Record<string, string>> = {
  'video/quicktime': 'mov',
  'video/x-msvideo': 'avi',
  'video/x-matroska': 'mkv',
};
const extensionOf = (type: string) => extensions[type] ?? type.slice(type.indexOf('/') + 1);

/** In a large channel, Telegram accepts a large video immediately and assigns its id later. */
export const unknownId = '0';

/** Uses the channel's current name, or the members-only URL if it has none. */
function remotePost({ message_id, chat }: Message): RemotePost {
  const id = String(message_id);
  const place = chat.username ?? `c/${String(chat.id).replace(/^-100/, '')}`;
  return { id, url: id === unknownId ? null : `https://t.me/${place}/${id}` };
}
