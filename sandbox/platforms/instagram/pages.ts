import { findByShortcode } from '../../graph/shortcode.ts';
import { file, type HttpResponse, html, redirect } from '../../http/http-response.ts';
import { avatarImage } from '../../pages/avatar.ts';
import { messagePage } from '../../pages/layout.ts';
import { accountPage, postPage } from '../../pages/post.ts';
import type { Call } from '../../platform.ts';
import { accounts } from './accounts.ts';
import { isStory } from './posts.ts';

export function homePage(): HttpResponse {
  return redirect('/feed/instagram');
}

/** Also the page of a comment, which shows the post above it. */
export function mediaPage(call: Call): HttpResponse {
  const post = findByShortcode(call.sandbox.store, 'instagram', call.params.shortcode ?? '');
  return post ? html(postPage(call.sandbox, call.platform, post)) : notFoundPage();
}

/** Shows expired stories too, so that people can inspect everything. */
export function storyPage(call: Call): HttpResponse {
  const post = call.sandbox.store.posts.find('instagram', call.params.id ?? '');
  return post && isStory(post) ? html(postPage(call.sandbox, call.platform, post)) : notFoundPage();
}

export function profilePage(call: Call): HttpResponse {
  const handle = accounts.normalize(call.params.user ?? '');
  const account = handle === null ? undefined : call.sandbox.store.accounts.findByHandle('instagram', handle);
  return account ? html(accountPage(call.sandbox, call.platform, account)) : notFoundPage();
}

export function avatar(call: Call): HttpResponse {
  const account = call.sandbox.store.accounts.find('instagram', call.params.id ?? '');
  return account ? avatarImage(account.handle) : notFoundPage();
}

export function mediaFile(call: Call): HttpResponse {
  const media = call.sandbox.store.media.find('instagram', call.params.id ?? '');
  return media ? file(call.sandbox.store.files.path(media.sha256), media.type) : notFoundPage();
}

function notFoundPage(): HttpResponse {
  return html(messagePage('Sorry, this page isn’t available.', 'The link may be broken, or the page removed.'), 404);
}
