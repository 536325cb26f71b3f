import { asText } from '../../http/coerce.ts';
import { type HttpResponse, json } from '../../http/http-response.ts';
import type { Call } from '../../platform.ts';
import type { Account } from '../../store/accounts.ts';
import { authenticate } from './authenticate.ts';
import { findWritableChat } from './chats.ts';
import { badRequest } from './errors.ts';
import { findMessage } from './message-ids.ts';
import { joinTexts } from './message-send.ts';
import { messagesOf } from './present.ts';

/** A bot cannot delete an older message, not even as an administrator (https://core.telegram.org/bots/api#deletemessage). */
const maxAgeMs = 48 * 3_600_000;

export function deleteMessage(call: Call): HttpResponse {
  const input = call.body.fields;
  const chat = findWritableChat(call, authenticate(call), input.chat_id);
  if (!remove(call, chat, asText(input.message_id))) badRequest('message to delete not found');
  return json({ ok: true, result: true });
}

/** Deleting one message of an album leaves the others. */
function remove(call: Call, chat: Account, id: string): boolean {
  const found = findMessage(call, chat, id);
  if (!found) return false;
  if (call.sandbox.now() - found.post.createdAt >= maxAgeMs) badRequest("message can't be deleted");
  const { posts, records } = call.sandbox.store;
  const left = messagesOf(found.post).filter((message) => message.id !== id);
  records.remove('telegram', 'message', id);
  if (left.length === 0) posts.remove(found.post);
  else {
    posts.change(found.post, {
      text: joinTexts(left),
      media: left.flatMap(({ mediaId }) => mediaId ?? []),
      data: { ...found.post.data, messages: left.map((message) => ({ ...message })) },
    });
  }
  return true;
}
