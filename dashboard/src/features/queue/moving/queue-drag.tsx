import type { ReactNode } from 'react';
import { PostDrag } from '../../../components/post-drag.tsx';
import { firstWords, isMovable, type PostSummary } from '../../../lib/posts/post-summary.ts';
import classes from '../queue.module.css';
import type { Place } from '../queue-days.ts';
import type { Reorder } from './use-reorder.ts';

/** Reordering with a mouse or a finger. For the keyboard see `use-reorder.ts`. */
export function QueueDrag({ reorder, children }: { reorder: Reorder; children: ReactNode }) {
  const onLift = (post: PostSummary) => {
    if (!isMovable(post)) reorder.refuse(post);
    return isMovable(post);
  };
  return (
    <PostDrag<PostSummary, Place>
      onLift={onLift}
      onDrop={reorder.put}
      lifted={({ content }) => <div className={classes.lifted}>{firstWords(content, 60)}</div>}
    >
      {children}
    </PostDrag>
  );
}
