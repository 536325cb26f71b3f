import type { Call } from '../../../platform.ts';
import type { Account } from '../../../store/accounts.ts';
import type { Post } from '../../../store/posts.ts';
import { invalidPath, notFound } from '../errors.ts';
import { activityUrn, commentUrn, idIn, readCommentUrn } from '../rest-li/urn.ts';

const postKinds = ['share', 'ugcPost'];

/** Finds a post or comment by any of its URNs. A post also has an activity URN with a different number. */
export function findEntity(call: Call, urn: string): Post | undefined {
  const { posts } = call.sandbox.store;
  const comment = readCommentUrn(urn);
  if (comment) {
    const thread = findPost(call, comment.thread);
    return thread && posts.find('linkedin', commentUrn(activityOf(thread), comment.commentId));
  }
  return findPost(call, urn);
}

export function findPost(call: Call, urn: string): Post | undefined {
  const { posts, records } = call.sandbox.store;
  const activityId = idIn(urn, 'activity');
  if (activityId === undefined) return isPostUrn(urn) ? posts.find('linkedin', urn) : undefined;
  const post = records.find('linkedin', 'activity', activityId)?.data.post;
  return typeof post === 'string' ? posts.find('linkedin', post) : undefined;
}

/** For social actions. The error is the vendor's for an entity that does not exist or is not ready. */
export function requireEntity(call: Call, urn: string): Post {
  if (!isEntityUrn(urn)) invalidPath();
  return findEntity(call, urn) ?? notFound(`Unable to obtain activity for urn: ${urn}`);
}

export function isPostUrn(urn: string): boolean {
  return postKinds.some((kind) => /^\d+$/.test(idIn(urn, kind) ?? ''));
}

export function isEntityUrn(urn: string): boolean {
  return isPostUrn(urn) || /^\d+$/.test(idIn(urn, 'activity') ?? '') || readCommentUrn(urn) !== undefined;
}

/** The number of the thread. A comment has the number of its post. */
export function activityOf(post: Post): string {
  return String(post.data.activityId);
}

/** The URN in social actions: the activity of a post, or the URN of a comment. */
export function threadUrn(post: Post): string {
  return post.inReplyTo === null ? activityUrn(activityOf(post)) : post.id;
}

export function authorOf(call: Call, post: Post): Account {
  const account = call.sandbox.store.accounts.find('linkedin', post.accountId);
  if (!account) throw new Error(`${post.id} has no author.`);
  return account;
}
