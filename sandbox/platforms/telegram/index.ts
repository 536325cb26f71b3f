import type { Operation } from '../../faults.ts';
import type { HttpResponse } from '../../http/http-response.ts';
import type { Call, SandboxPlatform } from '../../platform.ts';
import { accounts } from './accounts.ts';
import { authenticate } from './authenticate.ts';
import { getChat, getChatMember, getMe } from './chat-read.ts';
import { errors, failure } from './errors.ts';
import { maxUploadBytes } from './files.ts';
import { deleteMessage } from './message-delete.ts';
import { sendFile, sendMediaGroup, sendMessage } from './message-send.ts';
import { channelPage, messagePageOf, pagesHost, userpic } from './pages.ts';
import { checkRateLimit } from './rate-limits.ts';

interface Method {
  readonly operation: Operation;
  handle(call: Call): HttpResponse;
}

/** The names are lower-case, because Telegram ignores the case of method names. */
const methods: Record<string, Method> = {
  getme: { operation: 'account', handle: getMe },
  getchat: { operation: 'account', handle: getChat },
  getchatmember: { operation: 'account', handle: getChatMember },
  sendmessage: { operation: 'publish', handle: sendMessage },
  sendphoto: { operation: 'publish', handle: sendFile('photo') },
  sendvideo: { operation: 'publish', handle: sendFile('video') },
  sendanimation: { operation: 'publish', handle: sendFile('animation') },
  sendmediagroup: { operation: 'publish', handle: sendMediaGroup },
  deletemessage: { operation: 'other', handle: deleteMessage },
};

const fieldBytes = 1024 * 1024;

/** The Bot API 10, limited to the calls of a bot that publishes to a channel, and the website t.me. */
export const telegram: SandboxPlatform = {
  id: 'telegram',
  name: 'Telegram',
  servesHost: (host) => host === 'api.telegram.org' || host === pagesHost,
  errors,
  accounts,
  redactPath: (path) => path.replace(/\/bot\d+:[\w-]+/g, '/bot[redacted]'),
  // The limit applies to the whole request, including files.
  maxBodyBytes: maxUploadBytes + fieldBytes,
  before: checkRateLimit,
  routes: [
    { method: 'POST', path: '/bot:token/:method', operation: operationOf, handle: callMethod },

    { method: 'GET', path: '/i/userpic/320/:name.jpg', operation: 'page', handle: userpic },
    { method: 'GET', path: '/c/:number', operation: 'page', handle: channelPage },
    { method: 'GET', path: '/c/:number/:id', operation: 'page', handle: messagePageOf },
    { method: 'GET', path: '/s/:username', operation: 'page', handle: channelPage },
    { method: 'GET', path: '/:username', operation: 'page', handle: channelPage },
    { method: 'GET', path: '/:username/:id', operation: 'page', handle: messagePageOf },
  ],
};

function callMethod(call: Call): HttpResponse {
  if (call.host === pagesHost) return errors.status(404, call);
  const method = methodOf(call);
  if (method) return method.handle(call);
  authenticate(call);
  return failure(404, 'Not Found: method not found');
}

/** A reply is also a message, so a fault on `publish` applies to it. */
function operationOf(call: Call): Operation | readonly Operation[] {
  const operation = methodOf(call)?.operation ?? 'other';
  return operation === 'publish' && call.body.fields.reply_parameters ? ['comment', 'publish'] : operation;
}

function methodOf(call: Call): Method | undefined {
  const name = (call.params.method ?? '').toLowerCase();
  return Object.hasOwn(methods, name) ? methods[name] : undefined;
}
