import type { ReactNode } from 'react';
import { PostDrag } from '../../../components/post-drag.tsx';
import { isMovable } from '../../../lib/posts/post-summary.ts';
import { useCalendar } from '../calendar-context.ts';
import type { Dragged, DropTime } from './dragged.ts';
import { TileFace } from './post-tile.tsx';

/** Moving posts with a mouse or a finger. For the keyboard see `use-moves.ts`. */
export function CalendarDrag({ children }: { children: ReactNode }) {
  const { moves } = useCalendar();
  const onLift = ({ post, refusal }: Dragged) => {
    const canMove = !refusal && isMovable(post);
    if (!canMove) moves.refuse(post, refusal ?? undefined);
    return canMove;
  };
  const onDrop = ({ post, isDraft }: Dragged, { dropTime }: { dropTime: DropTime }) => {
    const to = dropTime(post);
    if (!to) return;
    if (isDraft) moves.schedule(post, to);
    else moves.move(post, to);
  };
  return (
    <PostDrag onLift={onLift} onDrop={onDrop} lifted={({ post }) => <TileFace post={post} isLifted />}>
      {children}
    </PostDrag>
  );
}
