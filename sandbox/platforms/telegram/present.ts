import { asText } from '../../http/coerce.ts';
import type { Json, JsonObject } from '../../http/json.ts';
import type { Call } from '../../platform.ts';
import type { Media } from '../../store/media.ts';
import type { Post } from '../../store/posts.ts';
import { presentChat } from './chats.ts';
import { presentFile } from './files.ts';

const thumbnailSide = 90;

/** One message of a stored post. An album is one post with several messages. */
export interface Message {
  readonly id: string;
  readonly text: string;
  readonly entities: Json;
  readonly mediaId: string | null;
}

export function messagesOf(post: Post): Message[] {
  const { messages } = post.data;
  return Array.isArray(messages) ? (messages as unknown as Message[]) : [];
}

export function presentMessage(call: Call, post: Post, message: Message): JsonObject {
  const { store } = call.sandbox;
  const account = store.accounts.find('telegram', post.accountId);
  const chat = account ? presentChat(account) : {};
  const media = message.mediaId === null ? undefined : store.media.find('telegram', message.mediaId);
  const hasEntities = Array.isArray(message.entities) && message.entities.length > 0;
  const [textName, entitiesName] = media ? ['caption', 'caption_entities'] : ['text', 'entities'];
  const { albumId, isProtected, linkPreview, replyTo } = post.data;
  const repliedTo = post.inReplyTo === null ? undefined : store.posts.find('telegram', post.inReplyTo);
  return {
    message_id: Number(message.id),
    sender_chat: chat,
    chat,
    date: Math.floor(post.createdAt / 1000),
    ...(post.editedAt !== null && { edit_date: Math.floor(post.editedAt / 1000) }),
    ...(albumId && { media_group_id: albumId }),
    ...(isProtected === true && { has_protected_content: true }),
    ...(repliedTo && {
      reply_to_message: {
        message_id: Number(replyTo),
        sender_chat: chat,
        chat,
        date: Math.floor(repliedTo.createdAt / 1000),
      },
    }),
    ...(media && presentMedia(media)),
    ...(message.text !== '' && { [textName]: message.text }),
    ...(hasEntities && { [entitiesName]: message.entities }),
    ...(linkPreview && { link_preview_options: linkPreview }),
  };
}

function presentMedia(media: Media): JsonObject {
  const file = presentFile(media);
  const { shownAs, name } = media.data;
  const [width, height] = [Number(media.data.width ?? 0), Number(media.data.height ?? 0)];
  const document = { ...file, file_name: asText(name), mime_type: media.type };
  const withDuration = { ...document, width, height, duration: 0 };
  switch (shownAs) {
    case 'photo':
      return {
        photo: [
          { ...file, ...thumbnailSize(width, height), file_size: 1200 },
          { ...file, width, height },
        ],
      };
    case 'video':
      return { video: withDuration };
    case 'animation':
      return { animation: withDuration, document };
    default:
      return { document };
  }
}

function thumbnailSize(width: number, height: number) {
  const scale = Math.min(1, thumbnailSide / Math.max(width, height, 1));
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}
