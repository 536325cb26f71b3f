import { type HttpResponse, html } from '../../http/http-response.ts';
import { avatarImage } from '../../pages/avatar.ts';
import { messagePage } from '../../pages/layout.ts';
import { accountPage, postPage } from '../../pages/post.ts';
import type { Call } from '../../platform.ts';
import type { Post } from '../../store/posts.ts';
import { findVideo } from './videos/videos.ts';

/** `name` is a Page's name or id, or the full id of a post. */
export function profilePage(call: Call): HttpResponse {
  const name = call.params.name ?? '';
  const { accounts, posts } = call.sandbox.store;
  const account = accounts.find('facebook', name) ?? accounts.findByHandle('facebook', name.toLowerCase());
  if (account) return html(accountPage(call.sandbox, call.platform, account));
  return postOrNotFound(call, posts.find('facebook', name));
}

export function postPageOf(call: Call): HttpResponse {
  const { page, id } = call.params;
  return postOrNotFound(call, call.sandbox.store.posts.find('facebook', `${page}_${id}`));
}

export function videoPage(call: Call): HttpResponse {
  const video = findVideo(call, call.params.id ?? '');
  return postOrNotFound(call, call.sandbox.store.posts.find('facebook', video?.postId ?? ''));
}

export function avatar(call: Call): HttpResponse {
  const account = call.sandbox.store.accounts.find('facebook', call.params.id ?? '');
  return avatarImage(account?.displayName ?? '?');
}

function postOrNotFound(call: Call, post: Post | undefined): HttpResponse {
  return post
    ? html(postPage(call.sandbox, call.platform, post))
    : html(
        messagePage('This content isn’t available right now', 'This page does not exist on the sandbox’s Facebook.'),
        404,
      );
}
