import { type PostSummary, shownStatus } from '../../../lib/posts/post-summary.ts';

/** What a deletion needs to know about a post or a draft of the composer. */
export type Deletable = Pick<PostSummary, 'postGroupId' | 'status' | 'scheduledTime'> & {
  platforms: readonly { status: string }[];
  /** Set if it isn't a post yet. */
  draftId?: string;
};

/** A post due sooner is deleted immediately, because it could not be scheduled again in time. */
const soonMs = 2 * 60_000;
/** Each scheduled post takes a request before its deletion, and another one to undo it. */
const maxUndoable = 100;

export const isTooMany = (posts: readonly Deletable[]): boolean => posts.length > maxUndoable;

export const isDueSoon = (post: Deletable, now: Date): boolean =>
  shownStatus(post) === 'scheduled' && Date.parse(post.scheduledTime ?? '') - now.getTime() < soonMs;

/** Whether the deletion of these posts can wait. Those on a network stay there, and those being sent may get there. */
export const areUndoable = (posts: readonly Deletable[], now: Date): boolean =>
  !isTooMany(posts) && posts.every((post) => isUndoable(post, now));

function isUndoable(post: Deletable, now: Date): boolean {
  const status = shownStatus(post);
  if (status === 'scheduled') return post.scheduledTime !== null && !isDueSoon(post, now);
  return status === 'draft' || status === 'failed';
}
