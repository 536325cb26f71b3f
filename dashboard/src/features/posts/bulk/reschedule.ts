import type { Move } from '../../../lib/posts/move-posts.ts';
import { isMovable } from '../../../lib/posts/post-summary.ts';
import { moveDays, moveHours } from '../../../lib/time/time.ts';
import type { PostRow } from '../list/rows.ts';

export type OffsetUnit = 'minutes' | 'hours' | 'days' | 'weeks';

export interface Offset {
  /** Negative: earlier. */
  amount: number;
  unit: OffsetUnit;
}

/** Days and weeks keep the time of day, even across clock changes. */
export function moveBy(at: string, { amount, unit }: Offset, zone: string): string {
  if (unit === 'days') return moveDays(at, amount, zone).toISOString();
  if (unit === 'weeks') return moveDays(at, amount * 7, zone).toISOString();
  return moveHours(at, unit === 'hours' ? amount : amount / 60).toISOString();
}

export interface Plan {
  moves: Move[];
  /** Published, failed or without a time. */
  fixed: number;
  /** Would be in the past. */
  past: number;
}

export function planMoves(posts: readonly PostRow[], offset: Offset, zone: string, now: Date): Plan {
  const movable = posts.filter(canMove);
  const moves = movable.map(({ postGroupId, scheduledTime }) => ({
    postGroupId,
    from: scheduledTime!,
    to: moveBy(scheduledTime!, offset, zone),
  }));
  const possible = moves.filter(({ to }) => new Date(to) > now);
  return { moves: possible, fixed: posts.length - movable.length, past: moves.length - possible.length };
}

/** The plan for one post with a new time. Null: none has been entered. */
export function planMove(post: PostRow, to: Date | null): Plan {
  if (!canMove(post)) return { moves: [], fixed: 1, past: 0 };
  const from = post.scheduledTime!;
  if (to === null || to.getTime() === Date.parse(from)) return { moves: [], fixed: 0, past: 0 };
  return { moves: [{ postGroupId: post.postGroupId, from, to: to.toISOString() }], fixed: 0, past: 0 };
}

const canMove = (post: PostRow) => isMovable(post) && post.scheduledTime !== null && !post.draftId;
