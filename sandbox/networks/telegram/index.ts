import type { Answer } from '../../answer.ts';
import type { Call, Network, Operation } from '../../network.ts';
import { accounts } from './accounts.ts';
import { readArguments } from './arguments.ts';
import { getChat, getChatAdministrators, getChatMember, getChatMemberCount, getMe, getUpdates } from './chat-read.ts';
import { signIn } from './chats.ts';
import { errors, failure } from './errors.ts';
import { download, getFile, maxUploadBytes } from './files.ts';
import { deleteMessage, deleteMessages, editMessageCaption, editMessageText } from './message-change.ts';
import { sendFile, sendMediaGroup, sendMessage } from './message-send.ts';
import { channelPage, messagePageOf, pagesHost, userpic } from './pages.ts';
import { overBudget } from './rate-limits.ts';

interface Method {
  readonly operation: Operation;
  handle(call: Call): Answer | Promise<Answer>;
}

/** In small letters: Telegram does not mind the spelling. */
const methods: Record<string, Method> = {
  getme: { operation: 'account', handle: getMe },
  getchat: { operation: 'account', handle: getChat },
  getchatmember: { operation: 'account', handle: getChatMember },
  getchatadministrators: { operation: 'account', handle: getChatAdministrators },
  getchatmembercount: { operation: 'stats', handle: getChatMemberCount },
  getupdates: { operation: 'other', handle: getUpdates },
  sendmessage: { operation: 'publish', handle: sendMessage },
  sendphoto: { operation: 'publish', handle: sendFile('photo') },
  sendvideo: { operation: 'publish', handle: sendFile('video') },
  sendanimation: { operation: 'publish', handle: sendFile('animation') },
  senddocument: { operation: 'publish', handle: sendFile('document') },
  sendaudio: { operation: 'publish', handle: sendFile('audio') },
  sendmediagroup: { operation: 'publish', handle: sendMediaGroup },
  editmessagetext: { operation: 'other', handle: editMessageText },
  editmessagecaption: { operation: 'other', handle: editMessageCaption },
  deletemessage: { operation: 'other', handle: deleteMessage },
  deletemessages: { operation: 'other', handle: deleteMessages },
  getfile: { operation: 'other', handle: getFile },
};

const fieldBytes = 1024 * 1024;

/** The Bot API 10, as far as a bot that publishes to a channel can touch it, and the pages of t.me. */
export const telegram: Network = {
  id: 'telegram',
  name: 'Telegram',
  answersFor: (host) => host === 'api.telegram.org' || host === pagesHost,
  errors,
  accounts,
  // The whole request, files and all.
  maxBodyBytes: maxUploadBytes + fieldBytes,
  before: overBudget,
  routes: [
    { method: 'GET', path: '/file/bot:token/*', operation: 'other', handle: download },
    { method: 'POST', path: '/bot:token/:method', operation: operationOf, handle: answerMethod },
    { method: 'GET', path: '/bot:token/:method', operation: operationOf, handle: answerMethod },

    { method: 'GET', path: '/i/userpic/320/:name.jpg', operation: 'page', handle: userpic },
    { method: 'GET', path: '/c/:number', operation: 'page', handle: channelPage },
    { method: 'GET', path: '/c/:number/:id', operation: 'page', handle: messagePageOf },
    { method: 'GET', path: '/s/:username', operation: 'page', handle: channelPage },
    { method: 'GET', path: '/:username', operation: 'page', handle: channelPage },
    { method: 'GET', path: '/:username/:id', operation: 'page', handle: messagePageOf },
  ],
};

function answerMethod(call: Call): Answer | Promise<Answer> {
  // A channel whose name begins with "bot" looks like a bot's address.
  if (call.host === pagesHost) {
    return messagePageOf({ ...call, params: { username: `bot${call.params.token}`, id: call.params.method ?? '' } });
  }
  const method = methodOf(call);
  if (method) return method.handle(call);
  signIn(call);
  return failure(404, 'Not Found: method not found');
}

/** A reply is a message too, so a fault on `publish` hits it as well. */
function operationOf(call: Call): Operation | readonly Operation[] {
  if (call.host === pagesHost) return 'page';
  const operation = methodOf(call)?.operation ?? 'other';
  const { reply_parameters, reply_to_message_id } = readArguments(call);
  return operation === 'publish' && (reply_parameters || reply_to_message_id) ? ['comment', 'publish'] : operation;
}

function methodOf(call: Call): Method | undefined {
  const name = (call.params.method ?? '').toLowerCase();
  return Object.hasOwn(methods, name) ? methods[name] : undefined;
}
