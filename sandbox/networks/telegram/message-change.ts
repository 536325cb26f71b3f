import { type Answer, json } from '../../answer.ts';
import { asText, asTexts } from '../../fields.ts';
import type { JsonObject } from '../../json.ts';
import type { Call } from '../../network.ts';
import type { Account } from '../../store/accounts.ts';
import { listOf, readArguments } from './arguments.ts';
import { findWritableChat, signIn } from './chats.ts';
import type { FormattedText } from './entities.ts';
import { badRequest } from './errors.ts';
import { findMessage } from './message-ids.ts';
import { joined } from './message-send.ts';
import { messagesOf, presentMessage } from './present.ts';
import { readCaption, readText } from './text.ts';

const maxDeleted = 100;

export const editMessageText = editWith(readText, (mediaId) => mediaId === null);
export const editMessageCaption = editWith(readCaption, (mediaId) => mediaId !== null);

export function deleteMessage(call: Call): Answer {
  const input = readArguments(call);
  const chat = findWritableChat(call, signIn(call), input.chat_id);
  if (!remove(call, chat, asText(input.message_id))) badRequest('message to delete not found');
  return json({ ok: true, result: true });
}

/** Those that are not there are passed over. */
export function deleteMessages(call: Call): Answer {
  const input = readArguments(call);
  const chat = findWritableChat(call, signIn(call), input.chat_id);
  const ids = asTexts(listOf(input.message_ids, 'message_ids') ?? []);
  if (ids.length === 0) badRequest('Message identifiers are not specified');
  if (ids.length > maxDeleted) badRequest('Too many message identifiers specified');
  for (const id of ids) remove(call, chat, id);
  return json({ ok: true, result: true });
}

/** A message out of an album leaves the others where they are. */
function remove(call: Call, chat: Account, id: string): boolean {
  const found = findMessage(call, chat, id);
  if (!found) return false;
  const { posts, records } = call.sandbox.store;
  const left = messagesOf(found.post).filter((message) => message.id !== id);
  records.remove('telegram', 'message', id);
  if (left.length === 0) posts.remove(found.post);
  else {
    posts.change(found.post, {
      text: joined(left),
      media: left.flatMap(({ mediaId }) => mediaId ?? []),
      data: { ...found.post.data, messages: left.map((message) => ({ ...message })) },
    });
  }
  return true;
}

function editWith(read: (input: JsonObject) => FormattedText, fits: (mediaId: string | null) => boolean) {
  return (call: Call): Answer => {
    const input = readArguments(call);
    const bot = signIn(call);
    const { text, entities } = read(input);
    const found = findMessage(call, findWritableChat(call, bot, input.chat_id), asText(input.message_id));
    if (!found) badRequest('message to edit not found');
    const { post, message } = found;
    if (!fits(message.mediaId)) badRequest('there is no text in the message to edit');
    const changed = { ...message, text, entities: entities.map((entity) => ({ ...entity })) };
    if (JSON.stringify(changed) === JSON.stringify(message)) {
      badRequest(
        'message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message',
      );
    }
    const messages = messagesOf(post).map((one) => (one.id === changed.id ? changed : { ...one }));
    const edited = call.sandbox.store.posts.change(post, { text: joined(messages), data: { ...post.data, messages } });
    return json({ ok: true, result: presentMessage(call, edited, changed) });
  };
}
