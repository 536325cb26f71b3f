import type { Call } from '../../../platform.ts';
import type { Post } from '../../../store/posts.ts';
import { denied } from '../errors.ts';
import { activityOf, findPost } from '../posts/posts.ts';
import { activityUrn } from '../rest-li/urn.ts';
import { type Caller, mayActFor } from '../sign-in/authenticate.ts';
import { engaging, publishing, readingEngagement } from '../sign-in/scopes.ts';

export const reactionTypes = ['LIKE', 'PRAISE', 'EMPATHY', 'INTEREST', 'APPRECIATION', 'ENTERTAINMENT'];

// The sandbox has no readers, so reach is made up from engagement.
const impressionsPerEngagement = 12;
const membersPerEngagement = 9;

export interface Engagement {
  readonly reactions: number;
  /** Includes replies to comments. */
  readonly comments: number;
  readonly reshares: number;
}

/** The versioned API requires its own permission. The older API accepts the permission for publishing. */
export function engagementAction(call: Call, resource: string) {
  if (call.path.startsWith('/rest/')) return { gate: engaging, resource: `partnerApi${resource}` };
  return { gate: publishing, resource: resource.charAt(0).toLowerCase() + resource.slice(1) };
}

export function requireReading(call: Call, caller: Caller, entity: Post, resource: string): void {
  const has = (scopes: readonly string[]) => scopes.some((scope) => caller.scopes.includes(scope));
  if (has(readingEngagement.member)) return;
  const post = findPost(call, activityUrn(activityOf(entity)));
  const isOwnPage =
    post !== undefined && post.accountId !== caller.member.id && mayActFor(call, caller, post.accountId);
  if (!isOwnPage || !has(readingEngagement.page)) denied(call, `partnerApi${resource}`);
}

export function engagementOf(call: Call, post: Post): Engagement {
  const counts = reactionCounts(call, post);
  return {
    reactions: Object.values(counts).reduce((sum, count) => sum + count, 0),
    comments: commentCount(call, post),
    reshares: call.sandbox.store.reactions.counts(post).RESHARE ?? 0,
  };
}

export function reachOf({ reactions, comments, reshares }: Engagement): { impressions: number; members: number } {
  const sum = reactions + comments + reshares;
  return { impressions: sum * impressionsPerEngagement, members: sum * membersPerEngagement };
}

/** Contains only the types that occur. */
function reactionCounts(call: Call, post: Post): Record<string, number> {
  const counts = Object.entries(call.sandbox.store.reactions.counts(post));
  return Object.fromEntries(counts.filter(([type]) => reactionTypes.includes(type)));
}

function commentCount(call: Call, post: Post): number {
  const replies = call.sandbox.store.posts.replies(post);
  return replies.reduce((sum, reply) => sum + commentCount(call, reply), replies.length);
}
