import { type Answer, html } from '../../answer.ts';
import type { Call } from '../../network.ts';
import { avatarImage } from '../../pages/avatar.ts';
import { messagePage } from '../../pages/layout.ts';
import { accountPage, postPage } from '../../pages/post.ts';
import type { Post } from '../../store/posts.ts';
import { findVideo } from './videos.ts';

/** A Page by its name or number, or a post by its whole id. */
export function profilePage(call: Call): Answer {
  const name = call.params.name ?? '';
  const { accounts, posts } = call.sandbox.store;
  const account = accounts.find('facebook', name) ?? accounts.findByHandle('facebook', name.toLowerCase());
  if (account) return html(accountPage(call.sandbox, call.network, account));
  return shown(call, posts.find('facebook', name));
}

export function postPageOf(call: Call): Answer {
  const { page, id } = call.params;
  return shown(call, call.sandbox.store.posts.find('facebook', `${page}_${id}`));
}

export function videoPage(call: Call): Answer {
  const video = findVideo(call, call.params.id ?? '');
  return shown(call, call.sandbox.store.posts.find('facebook', video?.postId ?? ''));
}

export function storyPage(call: Call): Answer {
  const media = call.sandbox.store.media.find('facebook', call.params.id ?? '');
  return shown(call, call.sandbox.store.posts.find('facebook', media?.postId ?? ''));
}

export function picture(call: Call): Answer {
  const account = call.sandbox.store.accounts.find('facebook', call.params.id ?? '');
  return avatarImage(account?.displayName ?? '?');
}

function shown(call: Call, post: Post | undefined): Answer {
  return post
    ? html(postPage(call.sandbox, call.network, post))
    : html(messagePage('This content isn’t available right now', 'There is no such page here.'), 404);
}
