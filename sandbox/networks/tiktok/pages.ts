import { type Answer, html, redirect } from '../../answer.ts';
import type { Call } from '../../network.ts';
import { avatarImage } from '../../pages/avatar.ts';
import { messagePage } from '../../pages/layout.ts';
import { accountPage, postPage } from '../../pages/post.ts';
import { accounts } from './accounts.ts';

export function homePage(): Answer {
  return redirect('/feed/tiktok');
}

export function profilePage(call: Call): Answer {
  const handle = accounts.normalize(call.params.handle ?? '');
  const account = handle === null ? undefined : call.sandbox.store.accounts.findByHandle('tiktok', handle);
  return account ? html(accountPage(call.sandbox, call.network, account)) : missing();
}

/** Whatever its privacy: the person at the sandbox owns every account in it. */
export function showPost(call: Call): Answer {
  const post = call.sandbox.store.posts.find('tiktok', call.params.id ?? '');
  return post ? html(postPage(call.sandbox, call.network, post)) : missing();
}

export function avatar(call: Call): Answer {
  const account = call.sandbox.store.accounts.find('tiktok', call.params.id ?? '');
  return account ? avatarImage(account.handle) : missing();
}

export function cover(call: Call): Answer {
  const post = call.sandbox.store.posts.find('tiktok', call.params.id ?? '');
  return post ? avatarImage(post.text || '?') : missing();
}

function missing(): Answer {
  return html(messagePage('Couldn’t find this page', 'TikTok has no such page here.'), 404);
}
