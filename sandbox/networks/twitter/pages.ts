import { type Answer, file, html, redirect } from '../../answer.ts';
import type { Call } from '../../network.ts';
import { avatarImage } from '../../pages/avatar.ts';
import { messagePage } from '../../pages/layout.ts';
import { accountPage, postPage } from '../../pages/post.ts';
import { accounts } from './accounts.ts';
import { errors } from './errors.ts';
import { isApi } from './hosts.ts';

export function homePage(call: Call): Answer {
  return isApi(call.host) ? errors.status(404, call) : redirect('/feed/twitter');
}

export function profilePage(call: Call): Answer {
  if (isApi(call.host)) return errors.status(404, call);
  const handle = accounts.normalize(call.params.user ?? '');
  const account = handle === null ? undefined : call.sandbox.store.accounts.findByHandle('twitter', handle);
  return account ? html(accountPage(call.sandbox, call.network, account)) : missing();
}

/** The id alone decides, whichever handle the address names. */
export function statusPage(call: Call): Answer {
  const post = call.sandbox.store.posts.find('twitter', call.params.id ?? '');
  return post ? html(postPage(call.sandbox, call.network, post)) : missing();
}

export function avatar(call: Call): Answer {
  const account = call.sandbox.store.accounts.find('twitter', call.params.id ?? '');
  return account ? avatarImage(account.handle) : missing();
}

export function mediaFile(call: Call): Answer {
  const [id = ''] = (call.params.name ?? '').split('.');
  const media = call.sandbox.store.media.find('twitter', id);
  return media ? file(call.sandbox.store.files.path(media.sha256), media.type) : missing();
}

function missing(): Answer {
  return html(messagePage('Page not found', 'X has no such page here.'), 404);
}
