import { noObject } from '../../graph/errors.ts';
import type { Call } from '../../network.ts';
import type { Account } from '../../store/accounts.ts';
import type { Post } from '../../store/posts.ts';

export function isReply(post: Post): boolean {
  return post.inReplyTo !== null;
}

export function isRepost(post: Post): boolean {
  return post.data.mediaType === 'REPOST_FACADE';
}

/** The post with which the thread begins, as far as it is still there. */
export function rootOf(call: Call, post: Post): Post {
  const parent = post.inReplyTo === null ? undefined : call.sandbox.store.posts.find('threads', post.inReplyTo);
  return parent ? rootOf(call, parent) : post;
}

/** One's own, and what others have written under it. */
export function requireVisible(call: Call, account: Account): Post {
  const id = call.params.id ?? '';
  const post = call.sandbox.store.posts.find('threads', id);
  if (!post) return noObject(call, id);
  return post.accountId === account.id || rootOf(call, post).accountId === account.id ? post : noObject(call, id);
}

export function requireOwn(call: Call, account: Account): Post {
  const post = requireVisible(call, account);
  return post.accountId === account.id ? post : noObject(call, post.id);
}
