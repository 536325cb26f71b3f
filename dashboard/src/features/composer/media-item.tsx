import type { Media, PlatformLimits } from '@crier/client';
import { useSortable } from '@dnd-kit/sortable';
import { ActionIcon, Group, Loader, Text, TextInput } from '@mantine/core';
import { IconCrop, IconFileText, IconGripVertical, IconTrash } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import classes from './composer.module.css';

const CropDialog = lazy(() => import('./crop-dialog.tsx'));

/** One file of the post, with its alt text. */
export function MediaItem({
  file,
  place,
  ratios,
  onRemove,
  onDescribe,
  onCropped,
}: {
  file: Media;
  place: string;
  ratios: readonly PlatformLimits[];
  onRemove: () => void;
  onDescribe: (altText: string) => void;
  onCropped: (file: File) => void;
}) {
  const [isCropping, setCropping] = useState(false);
  const { attributes, listeners, setNodeRef, transform, transition } = useSortable({ id: file.mediaId });
  const name = file.sourceFileName ?? 'file';
  const moved = transform ? `translate(${transform.x}px, ${transform.y}px)` : undefined;
  return (
    <li ref={setNodeRef} style={{ transform: moved, transition }}>
      <div className={classes.picture}>
        <Thumbnail file={file} />
      </div>
      <Group gap={2} mt={4} wrap="nowrap">
        <ActionIcon variant="subtle" color="gray" {...attributes} {...listeners} aria-label={`Move ${name}, ${place}`}>
          <IconGripVertical size={16} aria-hidden />
        </ActionIcon>
        {file.type === 'image' && file.url && (
          <ActionIcon variant="subtle" color="gray" aria-label={`Crop ${name}`} onClick={() => setCropping(true)}>
            <IconCrop size={16} aria-hidden />
          </ActionIcon>
        )}
        <ActionIcon variant="subtle" color="gray" aria-label={`Remove ${name}`} onClick={onRemove}>
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      </Group>
      {file.status === 'failed' && (
        <Text size="sm" c="red">
          {file.failureReason}
        </Text>
      )}
      {file.type === 'image' && <AltText key={file.mediaId} file={file} onDescribe={onDescribe} />}
      {isCropping && file.url && (
        <Suspense fallback={<Loader size="xs" />}>
          <CropDialog
            url={file.url}
            name={name}
            ratios={ratios}
            onClose={() => setCropping(false)}
            onCropped={onCropped}
          />
        </Suspense>
      )}
    </li>
  );
}

function Thumbnail({ file: { type, url, status } }: { file: Media }) {
  if (status === 'uploading' || !url) return <Loader size="sm" m="md" />;
  if (type === 'image') return <img src={url} alt="" loading="lazy" />;
  if (type === 'video') {
    // biome-ignore lint/a11y/useMediaCaption: the person's own file has no captions here.
    return <video src={url} preload="metadata" controls />;
  }
  return <IconFileText size={40} stroke={1.2} aria-hidden />;
}

function AltText({ file, onDescribe }: { file: Media; onDescribe: (altText: string) => void }) {
  const stored = (file as { altText?: string | null }).altText ?? '';
  const [text, setText] = useState(stored);
  return (
    <TextInput
      label="Alt text"
      size="sm"
      mt={4}
      attributes={{ input: { dir: 'auto' } }}
      value={text}
      description={text.trim() === '' ? 'Say what it shows, for people who cannot see it.' : undefined}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={() => text !== stored && onDescribe(text)}
    />
  );
}
