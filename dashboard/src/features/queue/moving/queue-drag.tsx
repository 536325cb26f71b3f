import {
  DndContext,
  type DragEndEvent,
  DragOverlay,
  type DragStartEvent,
  MouseSensor,
  pointerWithin,
  TouchSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { type ReactNode, useState } from 'react';
import { firstWords, isMovable, type PostSummary } from '../../../lib/posts/post-summary.ts';
import { useDropAnimation } from '../../../lib/use-drop-animation.ts';
import classes from '../queue.module.css';
import type { Place } from '../queue-days.ts';
import type { Reorder } from './use-reorder.ts';

const silent = { onDragStart: () => '', onDragOver: () => '', onDragEnd: () => '', onDragCancel: () => '' };

/** Prevents the click at the end of a drag from opening the post. */
const swallow = (event: MouseEvent) => event.preventDefault();

/** Reordering with a mouse or a finger. For the keyboard see `use-reorder.ts`. */
export function QueueDrag({ reorder, children }: { reorder: Reorder; children: ReactNode }) {
  const [dragged, setDragged] = useState<PostSummary | null>(null);
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 6 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 250, tolerance: 6 } }),
  );
  const onDragStart = ({ active }: DragStartEvent) => {
    const post = active.data.current as PostSummary;
    if (isMovable(post)) setDragged(post);
    else reorder.refuse(post);
    window.addEventListener('click', swallow, { capture: true });
  };
  const end = () => {
    setDragged(null);
    // The click, if any, follows immediately. Any later click is intentional.
    setTimeout(() => window.removeEventListener('click', swallow, { capture: true }));
  };
  const onDragEnd = ({ over }: DragEndEvent) => {
    end();
    const place = over?.data.current as Place | undefined;
    if (dragged && place) reorder.put(dragged, place);
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={pointerWithin}
      accessibility={{ announcements: silent, screenReaderInstructions: { draggable: '' } }}
      onDragStart={onDragStart}
      onDragEnd={onDragEnd}
      onDragCancel={end}
    >
      {children}
      <DragOverlay dropAnimation={useDropAnimation()}>
        {dragged && <div className={classes.lifted}>{firstWords(dragged.content, 60)}</div>}
      </DragOverlay>
    </DndContext>
  );
}
