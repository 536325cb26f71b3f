import { type HttpResponse, html } from '../../http/http-response.ts';
import { avatarImage } from '../../pages/avatar.ts';
import { messagePage } from '../../pages/layout.ts';
import { accountPage, postPage } from '../../pages/post.ts';
import type { Call } from '../../platform.ts';
import type { Account } from '../../store/accounts.ts';
import { findByUsername } from './chats.ts';
import { errors } from './errors.ts';
import { findMessage } from './message-ids.ts';

export const pagesHost = 't.me';

/** Serves `t.me/news` and `t.me/c/1234567890`. */
export function channelPage(call: Call): HttpResponse {
  return atPagesHost(call, () => {
    const chat = findChannel(call);
    return chat ? html(accountPage(call.sandbox, call.platform, chat)) : notFoundPage();
  });
}

export function messagePageOf(call: Call): HttpResponse {
  return atPagesHost(call, () => {
    const chat = findChannel(call);
    const found = chat && findMessage(call, chat, call.params.id ?? '');
    return found ? html(postPage(call.sandbox, call.platform, found.post)) : notFoundPage();
  });
}

export function userpic(call: Call): HttpResponse {
  return atPagesHost(call, () => avatarImage(call.params.name ?? '?'));
}

/** The API host has no pages. */
function atPagesHost(call: Call, page: () => HttpResponse): HttpResponse {
  return call.host === pagesHost ? page() : errors.status(404, call);
}

function findChannel(call: Call): Account | undefined {
  const { username, number } = call.params;
  return number === undefined
    ? findByUsername(call, username ?? '')
    : call.sandbox.store.accounts.find('telegram', `-100${number}`);
}

function notFoundPage(): HttpResponse {
  return html(messagePage('Not found', 'This channel or message does not exist.'), 404);
}
