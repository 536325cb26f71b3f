import { noObject } from '../../graph/errors.ts';
import type { Call } from '../../platform.ts';
import type { Account } from '../../store/accounts.ts';
import type { Post } from '../../store/posts.ts';

export function isReply(post: Post): boolean {
  return post.inReplyTo !== null;
}

/** The first post of the thread that still exists. */
export function rootOf(call: Call, post: Post): Post {
  const parent = post.inReplyTo === null ? undefined : call.sandbox.store.posts.find('threads', post.inReplyTo);
  return parent ? rootOf(call, parent) : post;
}

/** The caller sees its own posts and the replies below them. */
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
