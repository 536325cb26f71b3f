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
import { isMovable } from '../../../lib/posts/post-summary.ts';
import { useDropAnimation } from '../../../lib/use-drop-animation.ts';
import { useCalendar } from '../calendar-context.ts';
import type { Dragged, DropTime } from './dragged.ts';
import { TileFace } from './post-tile.tsx';

const silent = { onDragStart: () => '', onDragOver: () => '', onDragEnd: () => '', onDragCancel: () => '' };

/** Prevents the click at the end of a drag from opening the post. */
const swallow = (event: MouseEvent) => event.preventDefault();

/** Moving posts with a mouse or a finger. For the keyboard see `use-moves.ts`. */
export function CalendarDrag({ children }: { children: ReactNode }) {
  const { moves } = useCalendar();
  const [dragged, setDragged] = useState<Dragged | null>(null);
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 6 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 250, tolerance: 6 } }),
  );
  const onDragStart = ({ active }: DragStartEvent) => {
    const found = active.data.current as Dragged;
    if (found.refusal) moves.refuse(found.post, found.refusal);
    else if (isMovable(found.post)) setDragged(found);
    else moves.refuse(found.post);
    window.addEventListener('click', swallow, { capture: true });
  };
  const end = () => {
    setDragged(null);
    // The click, if any, follows immediately. Any later click is intentional.
    setTimeout(() => window.removeEventListener('click', swallow, { capture: true }));
  };
  const onDragEnd = ({ over }: DragEndEvent) => {
    end();
    const to = dragged && (over?.data.current as { dropTime: DropTime } | undefined)?.dropTime(dragged.post);
    if (!dragged || !to) return;
    if (dragged.isDraft) moves.schedule(dragged.post, to);
    else moves.move(dragged.post, to);
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
        {dragged && <TileFace post={dragged.post} isLifted />}
      </DragOverlay>
    </DndContext>
  );
}
