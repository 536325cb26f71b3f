import { type HttpResponse, html, redirect } from '../../http/http-response.ts';
import { avatarImage } from '../../pages/avatar.ts';
import { messagePage } from '../../pages/layout.ts';
import { accountPage, postPage } from '../../pages/post.ts';
import type { Call } from '../../platform.ts';
import { accounts } from './accounts.ts';

export function homePage(): HttpResponse {
  return redirect('/feed/mastodon');
}

export function profilePage(call: Call): HttpResponse {
  const handle = accounts.normalize(`${call.params.user}@${call.host}`);
  const account = handle === null ? undefined : call.sandbox.store.accounts.findByHandle('mastodon', handle);
  return account ? html(accountPage(call.sandbox, call.platform, account)) : notFoundPage();
}

/** Shows statuses of any visibility, because the person at the sandbox owns every account. */
export function statusPage(call: Call): HttpResponse {
  const post = call.sandbox.store.posts.find('mastodon', call.params.id ?? '');
  return post ? html(postPage(call.sandbox, call.platform, post)) : notFoundPage();
}

export function avatar(call: Call): HttpResponse {
  const account = call.sandbox.store.accounts.find('mastodon', call.params.id ?? '');
  return avatarImage(account?.displayName ?? '?');
}

function notFoundPage(): HttpResponse {
  return html(messagePage('Not found', 'This page does not exist on this server.'), 404);
}
