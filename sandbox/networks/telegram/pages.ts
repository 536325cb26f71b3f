import { type Answer, html } from '../../answer.ts';
import type { Call } from '../../network.ts';
import { avatarImage } from '../../pages/avatar.ts';
import { messagePage } from '../../pages/layout.ts';
import { accountPage, postPage } from '../../pages/post.ts';
import type { Account } from '../../store/accounts.ts';
import { findByUsername } from './chats.ts';
import { errors } from './errors.ts';
import { findMessage } from './message-ids.ts';

export const pagesHost = 't.me';

/** `t.me/news` and `t.me/c/1234567890`. */
export function channelPage(call: Call): Answer {
  return atPagesHost(call, () => {
    const chat = findChannel(call);
    return chat ? html(accountPage(call.sandbox, call.network, chat)) : missing();
  });
}

export function messagePageOf(call: Call): Answer {
  return atPagesHost(call, () => {
    const chat = findChannel(call);
    const found = chat && findMessage(call, chat, call.params.id ?? '');
    return found ? html(postPage(call.sandbox, call.network, found.post)) : missing();
  });
}

export function userpic(call: Call): Answer {
  return atPagesHost(call, () => avatarImage(call.params.name ?? '?'));
}

/** The API's host has no pages. */
function atPagesHost(call: Call, page: () => Answer): Answer {
  return call.host === pagesHost ? page() : errors.status(404, call);
}

function findChannel(call: Call): Account | undefined {
  const { username, number } = call.params;
  return number === undefined
    ? findByUsername(call, username ?? '')
    : call.sandbox.store.accounts.find('telegram', `-100${number}`);
}

function missing(): Answer {
  return html(messagePage('Not found', 'There is no such channel or message.'), 404);
}
