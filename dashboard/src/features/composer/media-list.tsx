import type { Connection, Media, PlatformLimits } from '@crier/client';
import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { arrayMove, rectSortingStrategy, SortableContext, sortableKeyboardCoordinates } from '@dnd-kit/sortable';
import classes from './composer.module.css';
import { MediaItem } from './media-item.tsx';
import { useMediaChanges } from './use-media-changes.ts';
import type { Uploads } from './use-uploads.ts';

/** The files of the post in their order, which can be changed by dragging or with the keyboard. */
export default function MediaList({
  media,
  postGroupId,
  chosen,
  limits,
  uploads,
}: {
  media: readonly Media[];
  postGroupId: string;
  chosen: readonly Connection[];
  limits: Readonly<Record<string, PlatformLimits>>;
  uploads: Uploads;
}) {
  const { reorder, remove, describeFile } = useMediaChanges(postGroupId);
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 6 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const ids = media.map(({ mediaId }) => mediaId);
  const onDragEnd = ({ active, over }: DragEndEvent) => {
    if (!over || active.id === over.id) return;
    reorder.mutate(arrayMove(ids, ids.indexOf(String(active.id)), ids.indexOf(String(over.id))));
  };
  return (
    <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={onDragEnd}>
      <SortableContext items={ids} strategy={rectSortingStrategy}>
        <ul className={classes.media} aria-label="Media">
          {media.map((file, index) => (
            <MediaItem
              key={file.mediaId}
              file={file}
              place={`${index + 1} of ${media.length}`}
              ratios={chosen.flatMap(({ platformId }) => limits[platformId.slice(0, platformId.indexOf('-'))] ?? [])}
              onRemove={() => remove.mutate(file.mediaId)}
              onDescribe={(altText) => describeFile.mutate({ mediaId: file.mediaId, altText })}
              onCropped={(cropped) => {
                uploads.add([cropped]);
                remove.mutate(file.mediaId);
              }}
            />
          ))}
        </ul>
      </SortableContext>
    </DndContext>
  );
}
