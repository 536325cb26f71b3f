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

/** The new time of a post dropped on a cell. Null: the cell doesn't accept posts. */
export type DropTime = (post: PostSummary) => Date | null;

const silent = { onDragStart: () => '', onDragOver: () => '', onDragEnd: () => '', onDragCancel: () => '' };

/** Prevents the click at the end of a drag from opening the post. */
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
    // The click, if any, follows immediately. Any later click is intentional.
    setTimeout(() => window.removeEventListener('click', swallow, { capture: true }));
  };
  const onDragEnd = ({ over }: DragEndEvent) => {
    end();
    const to = dragged && (over?.data.current as { dropTime: DropTime } | undefined)?.dropTime(dragged);
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
