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
import { isMovable, type PostSummary } from '../../../lib/post-summary.ts';
import { useCalendar } from '../calendar-context.ts';
import { TileFace } from './post-tile.tsx';

/** What a place on the calendar does with a post that is dropped there. Null: nothing can be there. */
export type TimeThere = (post: PostSummary) => Date | null;

const silent = { onDragStart: () => '', onDragOver: () => '', onDragEnd: () => '', onDragCancel: () => '' };

/** The click that ends a drag does not open the post. */
const swallow = (event: MouseEvent) => event.preventDefault();

/** Moving posts with a mouse or a finger. For the keyboard see `use-moves.ts`. */
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
    window.addEventListener('click', swallow, { capture: true });
  };
  const end = () => {
    setDragged(null);
    // A click follows immediately or not at all: the tile may be drawn elsewhere by now. The next click is meant.
    setTimeout(() => window.removeEventListener('click', swallow, { capture: true }));
  };
  const onDragEnd = ({ over }: DragEndEvent) => {
    end();
    const to = dragged && (over?.data.current as { timeThere: TimeThere } | undefined)?.timeThere(dragged);
    if (dragged && to) moves.move(dragged, to);
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
      <DragOverlay dropAnimation={null}>{dragged && <TileFace post={dragged} isLifted />}</DragOverlay>
    </DndContext>
  );
}
