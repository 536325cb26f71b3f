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
import { useDropAnimation } from '../lib/use-drop-animation.ts';

const silent = { onDragStart: () => '', onDragOver: () => '', onDragEnd: () => '', onDragCancel: () => '' };

/** Prevents the click at the end of a drag from opening the post. */
const swallow = (event: MouseEvent) => event.preventDefault();

interface Props<Item, Place> {
  /** Whether the item can be moved. If not, it says why. */
  onLift: (item: Item) => boolean;
  onDrop: (item: Item, place: Place) => void;
  /** What follows the pointer. */
  lifted: (item: Item) => ReactNode;
  children: ReactNode;
}

/** Moving posts with a mouse or a finger. `Item` and `Place` are the data of the draggables and droppables inside. */
export function PostDrag<Item, Place>({ onLift, onDrop, lifted, children }: Props<Item, Place>) {
  const [dragged, setDragged] = useState<Item | null>(null);
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 6 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 250, tolerance: 6 } }),
  );
  const onDragStart = ({ active }: DragStartEvent) => {
    const item = active.data.current as Item;
    if (onLift(item)) setDragged(item);
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
    if (dragged && place) onDrop(dragged, place);
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
      <DragOverlay dropAnimation={useDropAnimation()}>{dragged && lifted(dragged)}</DragOverlay>
    </DndContext>
  );
}
