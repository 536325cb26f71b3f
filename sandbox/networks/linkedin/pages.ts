import { type Answer, html, redirect } from '../../answer.ts';
import type { Call } from '../../network.ts';
import { avatarImage } from '../../pages/avatar.ts';
import { messagePage } from '../../pages/layout.ts';
import { accountPage, postPage } from '../../pages/post.ts';
import { isPage } from './members.ts';
import { findEntity } from './posts.ts';

export function homePage(): Answer {
  return redirect('/feed/linkedin');
}

/** Whatever its visibility: the person at the sandbox owns every account in it. */
export function updatePage(call: Call): Answer {
  const post = findEntity(call, call.params.urn ?? '');
  return post ? html(postPage(call.sandbox, call.network, post)) : missing();
}

export function profilePage(kind: 'member' | 'page') {
  return (call: Call): Answer => {
    const account = call.sandbox.store.accounts.findByHandle('linkedin', call.params.name ?? '');
    const isThere = account && isPage(account) === (kind === 'page');
    return isThere ? html(accountPage(call.sandbox, call.network, account)) : missing();
  };
}

export function picture(call: Call): Answer {
  const account = call.sandbox.store.accounts.find('linkedin', call.params.id ?? '');
  return avatarImage(account?.displayName ?? '?');
}

function missing(): Answer {
  return html(messagePage('This page doesn’t exist', 'Please check the address, or go back to the feed.'), 404);
}
