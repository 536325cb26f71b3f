import type { Media, PlatformLimits } from '@crier/client';
import { useSortable } from '@dnd-kit/sortable';
import { ActionIcon, Group, Loader, Text, Textarea, Tooltip } from '@mantine/core';
import { IconCrop, IconFileText, IconGripVertical, IconLink, IconPhotoVideo, IconTrash } from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { Picture } from '../../../components/picture.tsx';
import { pathOf } from '../../../lib/files/media-path.ts';
import type { Fields } from '../use-composer.ts';
import type { Cover } from './covers.ts';
import classes from './media.module.css';
import type { MediaActions } from './use-media.ts';

const CropDialog = lazy(() => import('./crop/dialog.tsx'));
const CoverDialog = lazy(() => import('./cover-dialog.tsx'));

/** A file of the post with its alt text. */
export function MediaItem({
  file,
  place,
  ratios,
  covers,
  actions,
  fields: { draft, change },
  postGroupId,
}: {
  file: Media;
  place: string;
  ratios: readonly PlatformLimits[];
  covers: readonly Cover[];
  actions: MediaActions;
  fields: Fields;
  postGroupId: string | null;
}) {
  const [dialog, setDialog] = useState<'crop' | 'cover' | null>(null);
  const { attributes, listeners, setNodeRef, transform, transition } = useSortable({ id: file.mediaId });
  const name = file.sourceFileName ?? 'file';
  const moved = transform ? `translate(${transform.x}px, ${transform.y}px)` : undefined;
  const close = () => setDialog(null);
  const [cover] = covers.flatMap(({ platform, setting, urlIn }) => urlIn(draft.settings[platform]?.[setting]) ?? []);
  return (
    <li ref={setNodeRef} style={{ transform: moved, transition }}>
      <div className={classes.picture}>
        <Thumbnail file={file} cover={cover} />
      </div>
      <Group gap={2} mt={4} wrap="nowrap">
        <ActionIcon variant="subtle" color="gray" {...attributes} {...listeners} aria-label={`Move ${name}, ${place}`}>
          <IconGripVertical size={16} aria-hidden />
        </ActionIcon>
        {file.type === 'image' && file.url && (
          <Tool label={`Crop ${name}`} icon={<IconCrop size={16} aria-hidden />} onClick={() => setDialog('crop')} />
        )}
        {file.type === 'video' && file.url && covers.length > 0 && postGroupId && (
          <Tool
            label={`Choose cover for ${name}`}
            icon={<IconPhotoVideo size={16} aria-hidden />}
            onClick={() => setDialog('cover')}
          />
        )}
        <Tool
          label={`Remove ${name}`}
          icon={<IconTrash size={16} aria-hidden />}
          onClick={() => void actions.remove(file.mediaId)}
        />
      </Group>
      {file.status === 'failed' && (
        <Text size="sm" c="red">
          {file.failureReason}
        </Text>
      )}
      {file.type !== 'document' && file.type !== null && <AltText file={file} onDescribe={actions.describe} />}
      <Suspense fallback={<Loader size="xs" />}>
        {dialog === 'crop' && (
          <CropDialog
            url={pathOf(file.url!)}
            name={name}
            ratios={ratios}
            onClose={close}
            onCropped={(cropped) => void actions.replace(file.mediaId, cropped)}
          />
        )}
        {dialog === 'cover' && postGroupId && (
          <CoverDialog
            file={file}
            covers={covers}
            postGroupId={postGroupId}
            onClose={close}
            onChosen={({ platform, setting }, value) => change({ type: 'setting', platform, name: setting, value })}
          />
        )}
      </Suspense>
    </li>
  );
}

const Tool = ({ label, icon, onClick }: { label: string; icon: ReactNode; onClick: () => void }) => (
  <Tooltip label={label}>
    <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={onClick}>
      {icon}
    </ActionIcon>
  </Tooltip>
);

function Thumbnail({ file: { type, url, status }, cover }: { file: Media; cover: string | undefined }) {
  if (status === 'uploading') return <Loader size="sm" m="md" />;
  // The service reads it when the post is saved.
  if (!url) return <IconLink size={32} stroke={1.2} aria-hidden />;
  if (type === 'image') return <Picture src={pathOf(url)} alt="" loading="lazy" />;
  if (type === 'video') {
    // biome-ignore lint/a11y/useMediaCaption: the user's file has no captions here.
    return <video src={pathOf(url)} poster={cover && pathOf(cover)} preload="metadata" controls />;
  }
  return <IconFileText size={40} stroke={1.2} aria-hidden />;
}

function AltText({
  file: { mediaId, type, altText },
  onDescribe,
}: {
  file: Media;
  onDescribe: MediaActions['describe'];
}) {
  const stored = altText ?? '';
  const [text, setText] = useState(stored);
  const reminder = type === 'image' && text.trim() === '' ? 'Describe the image for people who can’t see it.' : null;
  return (
    <Textarea
      label="Alt text"
      size="sm"
      mt={4}
      autosize
      minRows={1}
      maxRows={4}
      attributes={{ input: { dir: 'auto' } }}
      value={text}
      description={reminder}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={() => text !== stored && onDescribe(mediaId, text)}
    />
  );
}
