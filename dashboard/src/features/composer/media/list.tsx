import type { Connection, Media, PlatformLimits } from '@crier/client';
import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { arrayMove, rectSortingStrategy, SortableContext, sortableKeyboardCoordinates } from '@dnd-kit/sortable';
import { platformOf } from '../../../lib/platform-name.ts';
import type { Fields } from '../use-composer.ts';
import { coversOf } from './covers.ts';
import { MediaItem } from './item.tsx';
import classes from './media.module.css';
import type { MediaActions } from './use-media.ts';

/** The post's files, reorderable by drag or keyboard. */
export default function MediaList({
  label,
  media,
  actions,
  fields,
  postGroupId,
  chosen,
  keyOf,
  limits,
}: {
  label: string;
  media: readonly Media[];
  actions: MediaActions;
  fields: Fields;
  postGroupId: string | null;
  chosen: readonly Connection[];
  keyOf: (mediaId: string) => string;
  limits: Readonly<Record<string, PlatformLimits>>;
}) {
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 6 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const ids = media.map(({ mediaId }) => mediaId);
  const onDragEnd = ({ active, over }: DragEndEvent) => {
    if (!over || active.id === over.id) return;
    actions.reorder(arrayMove(ids, ids.indexOf(String(active.id)), ids.indexOf(String(over.id))));
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={onDragEnd}
      accessibility={{ announcements: announcementsFor(media) }}
    >
      <SortableContext items={ids} strategy={rectSortingStrategy}>
        <ul className={classes.media} aria-label={label}>
          {media.map((file, index) => (
            <MediaItem
              key={keyOf(file.mediaId)}
              file={file}
              place={`${index + 1} of ${media.length}`}
              ratios={chosen.flatMap(({ platformId }) => limits[platformOf(platformId)] ?? [])}
              actions={actions}
              fields={fields}
              covers={coversOf(
                chosen.map(({ platformId }) => platformOf(platformId)),
                fields.draft,
              )}
              postGroupId={postGroupId}
            />
          ))}
        </ul>
      </SortableContext>
    </DndContext>
  );
}

/** Screen reader announcements while a file is moved. */
function announcementsFor(media: readonly Media[]): Announcements {
  const nameOf = (id: string | number) => media.find(({ mediaId }) => mediaId === id)?.sourceFileName ?? 'The file';
  const placeOf = (id: string | number) => `${media.findIndex(({ mediaId }) => mediaId === id) + 1} of ${media.length}`;
  return {
    onDragStart: ({ active }) => `Picked up ${nameOf(active.id)}, ${placeOf(active.id)}.`,
    onDragOver: ({ active, over }) => (over ? `${nameOf(active.id)} moved to ${placeOf(over.id)}.` : undefined),
    onDragEnd: ({ active, over }) => `Dropped ${nameOf(active.id)}${over ? ` at ${placeOf(over.id)}` : ''}.`,
    onDragCancel: ({ active }) => `Cancelled. ${nameOf(active.id)} is back in its original position.`,
  };
}
