import { type HttpResponse, html, redirect } from '../../http/http-response.ts';
import { avatarImage } from '../../pages/avatar.ts';
import { messagePage } from '../../pages/layout.ts';
import { accountPage, postPage } from '../../pages/post.ts';
import type { Call } from '../../platform.ts';
import { isPage } from './members.ts';
import { findEntity } from './posts/posts.ts';

export function homePage(): HttpResponse {
  return redirect('/feed/linkedin');
}

/** Shows posts of any visibility, because the person at the sandbox owns every account. */
export function updatePage(call: Call): HttpResponse {
  const post = findEntity(call, call.params.urn ?? '');
  return post ? html(postPage(call.sandbox, call.platform, post)) : notFoundPage();
}

export function profilePage(kind: 'member' | 'page') {
  return (call: Call): HttpResponse => {
    const account = call.sandbox.store.accounts.findByHandle('linkedin', call.params.name ?? '');
    const isThere = account && isPage(account) === (kind === 'page');
    return isThere ? html(accountPage(call.sandbox, call.platform, account)) : notFoundPage();
  };
}

export function avatar(call: Call): HttpResponse {
  const account = call.sandbox.store.accounts.find('linkedin', call.params.id ?? '');
  return avatarImage(account?.displayName ?? '?');
}

function notFoundPage(): HttpResponse {
  return html(messagePage('This page doesn’t exist', 'Please check the address, or go back to the feed.'), 404);
}
