import { type HttpResponse, html, redirect } from '../../http/http-response.ts';
import { avatarImage } from '../../pages/avatar.ts';
import { messagePage } from '../../pages/layout.ts';
import { accountPage, postPage } from '../../pages/post.ts';
import type { Call } from '../../platform.ts';
import { accounts } from './accounts.ts';

export function homePage(): HttpResponse {
  return redirect('/feed/tiktok');
}

export function profilePage(call: Call): HttpResponse {
  const handle = accounts.normalize(call.params.handle ?? '');
  const account = handle === null ? undefined : call.sandbox.store.accounts.findByHandle('tiktok', handle);
  return account ? html(accountPage(call.sandbox, call.platform, account)) : notFoundPage();
}

/** Shows posts of any privacy, because the person at the sandbox owns every account. */
export function postPageOf(call: Call): HttpResponse {
  const post = call.sandbox.store.posts.find('tiktok', call.params.id ?? '');
  return post ? html(postPage(call.sandbox, call.platform, post)) : notFoundPage();
}

export function avatar(call: Call): HttpResponse {
  const account = call.sandbox.store.accounts.find('tiktok', call.params.id ?? '');
  return account ? avatarImage(account.handle) : notFoundPage();
}

function notFoundPage(): HttpResponse {
  return html(messagePage('Couldn’t find this page', 'This page does not exist on the sandbox’s TikTok.'), 404);
}
