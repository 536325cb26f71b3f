import { noObject } from '../../graph/errors.ts';
import { asText } from '../../http/coerce.ts';
import type { Call } from '../../platform.ts';
import type { Account } from '../../store/accounts.ts';
import type { Post } from '../../store/posts.ts';

const storyLifeMs = 24 * 60 * 60_000;

export function isComment(post: Post): boolean {
  return post.inReplyTo !== null;
}

export function isStory(post: Post): boolean {
  return post.data.productType === 'STORY';
}

export function isOver(call: Call, post: Post): boolean {
  return isStory(post) && post.createdAt + storyLifeMs <= call.sandbox.now();
}

/** The API shows an account only its own posts. */
export function findOwn(call: Call, account: Account, id: string): Post | undefined {
  const { posts } = call.sandbox.store;
  const post = posts.find('instagram', id);
  if (!post) return undefined;
  return ownerOf(call, post) === account.id ? post : undefined;
}

export function requireMedia(call: Call, account: Account): Post {
  const post = findOwn(call, account, call.params.id ?? '');
  return post && !isComment(post) ? post : noObject(call, call.params.id ?? '');
}

export function requireComment(call: Call, account: Account): Post {
  const post = findOwn(call, account, call.params.id ?? '');
  return post && isComment(post) ? post : noObject(call, call.params.id ?? '');
}

export function shortcodeOf(post: Post): string {
  return asText(post.data.shortcode);
}

/** A comment belongs to the owner of the post it is under. */
function ownerOf(call: Call, post: Post): string {
  const { posts } = call.sandbox.store;
  let root = post;
  while (root.inReplyTo !== null) {
    const parent = posts.find('instagram', root.inReplyTo);
    if (!parent) break;
    root = parent;
  }
  return root.accountId;
}
