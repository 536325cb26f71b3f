import { file, type HttpResponse, html, redirect } from '../../http/http-response.ts';
import { avatarImage } from '../../pages/avatar.ts';
import { messagePage } from '../../pages/layout.ts';
import { accountPage, postPage } from '../../pages/post.ts';
import type { Call } from '../../platform.ts';
import { accounts } from './accounts.ts';
import { errors } from './errors.ts';
import { isApi } from './hosts.ts';

export function homePage(call: Call): HttpResponse {
  return isApi(call.host) ? errors.status(404, call) : redirect('/feed/twitter');
}

export function profilePage(call: Call): HttpResponse {
  if (isApi(call.host)) return errors.status(404, call);
  const handle = accounts.normalize(call.params.user ?? '');
  const account = handle === null ? undefined : call.sandbox.store.accounts.findByHandle('twitter', handle);
  return account ? html(accountPage(call.sandbox, call.platform, account)) : notFoundPage();
}

/** Only the id counts; the handle in the address is ignored. */
export function statusPage(call: Call): HttpResponse {
  const post = call.sandbox.store.posts.find('twitter', call.params.id ?? '');
  return post ? html(postPage(call.sandbox, call.platform, post)) : notFoundPage();
}

export function avatar(call: Call): HttpResponse {
  const account = call.sandbox.store.accounts.find('twitter', call.params.id ?? '');
  return account ? avatarImage(account.handle) : notFoundPage();
}

export function mediaFile(call: Call): HttpResponse {
  const [id = ''] = (call.params.name ?? '').split('.');
  const media = call.sandbox.store.media.find('twitter', id);
  return media ? file(call.sandbox.store.files.path(media.sha256), media.type) : notFoundPage();
}

function notFoundPage(): HttpResponse {
  return html(messagePage('Page not found', 'This page does not exist on the sandbox’s X.'), 404);
}
