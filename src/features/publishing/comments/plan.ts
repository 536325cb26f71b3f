import type { Platform } from '../../../platforms/kit/index.ts';
import type { FirstComment } from '../../posts/first-comment-schema.ts';

/** The state of one first comment (contract.md#first-comments.result-status). */
export interface CommentResult {
  status: 'pending' | 'posted' | 'failed' | 'skipped';
  dueAt: string | null;
  commentId: string | null;
  skipReason: string | null;
  attemptedAt: string | null;
  postedAt: string | null;
  error: CommentError | null;
}
export interface CommentError {
  code: string;
  message: string;
  platformStatusCode: number | null;
  outcomeUnknown: boolean;
}
export interface CommentPlan {
  results: CommentResult[];
  /** When the next comment is due. Null if none is left. */
  runAt: Date | null;
}

/** The group's comments for this platform, in order. */
export const commentsFor = (comments: readonly FirstComment[], platform: string) =>
  comments.filter(({ platforms = [] }) => platforms.length === 0 || platforms.includes(platform));

/**
 * For a post that was just published: the first comment is due after its delay, and each later one after the previous
 * comment.
 */
export function planComments(comments: readonly FirstComment[], platform: Platform, now: Date): CommentPlan {
  const items = commentsFor(comments, platform.id);
  if (!platform.comment || !platform.limits.firstComment) {
    return {
      results: items.map(() => ({ ...blank, status: 'skipped', skipReason: 'unsupported_platform' })),
      runAt: null,
    };
  }
  return withNext(
    items.map(() => blank),
    items,
    now,
  );
}

const blank: CommentResult = {
  status: 'pending',
  dueAt: null,
  commentId: null,
  skipReason: null,
  attemptedAt: null,
  postedAt: null,
  error: null,
};

/** Sets the due time of the first pending comment. */
export function withNext(results: readonly CommentResult[], items: readonly FirstComment[], now: Date): CommentPlan {
  const index = results.findIndex(({ status }) => status === 'pending');
  if (index === -1) return { results: [...results], runAt: null };
  const runAt = new Date(now.getTime() + (items[index]?.delaySeconds ?? 0) * 1000);
  return { results: results.with(index, { ...results[index]!, dueAt: runAt.toISOString() }), runAt };
}

/** A failure also ends the comments that follow. */
export function afterFailure(
  results: readonly CommentResult[],
  index: number,
  error: CommentError,
  now: Date,
): CommentPlan {
  const failed = { ...results[index]!, status: 'failed' as const, attemptedAt: now.toISOString(), error };
  const ended = results.map((result, place) => {
    if (place === index) return failed;
    return place > index && result.status === 'pending'
      ? { ...result, status: 'failed' as const, error: notAttempted }
      : result;
  });
  return { results: ended, runAt: null };
}

const notAttempted: CommentError = {
  code: 'FIRST_COMMENT_NOT_ATTEMPTED',
  message: 'Not attempted because an earlier comment failed.',
  platformStatusCode: null,
  outcomeUnknown: false,
};
