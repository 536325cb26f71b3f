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
import { isMovable, type PostSummary } from '../../lib/post-summary.ts';
import { useCalendar } from './calendar-context.ts';
import { TileFace } from './post-tile.tsx';

/** What a place on the calendar does with a post that is dropped there. Null: nothing can be there. */
export type TimeThere = (post: PostSummary) => Date | null;

const silent = { onDragStart: () => '', onDragOver: () => '', onDragEnd: () => '', onDragCancel: () => '' };

/** Moving posts with a mouse or a finger. The keyboard has its own way, see `use-moves.ts`. */
export function CalendarDrag({ children }: { children: ReactNode }) {
  const { moves } = useCalendar();
  const [dragged, setDragged] = useState<PostSummary | null>(null);
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 6 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 250, tolerance: 6 } }),
  );
  const onDragStart = ({ active }: DragStartEvent) => {
    const post = active.data.current as PostSummary;
    if (isMovable(post)) setDragged(post);
    else moves.refuse(post);
    // The click that ends the drag does not open the post.
    window.addEventListener('click', (event) => event.preventDefault(), { capture: true, once: true });
  };
  const onDragEnd = ({ over }: DragEndEvent) => {
    setDragged(null);
    const to = dragged && (over?.data.current as { timeThere: TimeThere } | undefined)?.timeThere(dragged);
    if (dragged && to) moves.move(dragged, to);
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={pointerWithin}
      accessibility={{ announcements: silent }}
      onDragStart={onDragStart}
      onDragEnd={onDragEnd}
      onDragCancel={() => setDragged(null)}
    >
      {children}
      <DragOverlay dropAnimation={null}>{dragged && <TileFace post={dragged} isLifted />}</DragOverlay>
    </DndContext>
  );
}
