import { type Answer, html, redirect } from '../../answer.ts';
import type { Call } from '../../network.ts';
import { avatarImage } from '../../pages/avatar.ts';
import { messagePage } from '../../pages/layout.ts';
import { accountPage, postPage } from '../../pages/post.ts';
import { accounts } from './accounts.ts';

export function homePage(): Answer {
  return redirect('/feed/mastodon');
}

export function profilePage(call: Call): Answer {
  const handle = accounts.normalize(`${call.params.user}@${call.host}`);
  const account = handle === null ? undefined : call.sandbox.store.accounts.findByHandle('mastodon', handle);
  return account ? html(accountPage(call.sandbox, call.network, account)) : missing();
}

/** Whatever its visibility: the person at the sandbox owns every account in it. */
export function statusPage(call: Call): Answer {
  const post = call.sandbox.store.posts.find('mastodon', call.params.id ?? '');
  return post ? html(postPage(call.sandbox, call.network, post)) : missing();
}

export function avatar(call: Call): Answer {
  const account = call.sandbox.store.accounts.find('mastodon', call.params.id ?? '');
  return avatarImage(account?.displayName ?? '?');
}

function missing(): Answer {
  return html(messagePage('Not found', 'There is no such page on this server.'), 404);
}
