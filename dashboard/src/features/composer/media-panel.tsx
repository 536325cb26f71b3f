import type { Connection, Media, PlatformLimits } from '@crier/client';
import { Button, FileButton, Group, Popover, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { IconLink, IconPhotoPlus } from '@tabler/icons-react';
import { lazy, memo, Suspense, useState } from 'react';
import classes from './composer.module.css';
import { DropArea } from './drop-area.tsx';
import { UploadItem } from './upload-item.tsx';
import type { Fields } from './use-composer.ts';
import type { MediaActions } from './use-media.ts';
import type { Uploads } from './use-uploads.ts';

const MediaList = lazy(() => import('./media-list.tsx'));

const accepted = 'image/*,video/*,application/pdf';

/** "Add media": choose, drop anywhere, paste, or by address. */
export const MediaPanel = memo(function MediaPanel({
  media,
  uploads,
  actions,
  fields,
  postGroupId,
  chosen,
  limits,
}: {
  media: readonly Media[];
  uploads: Uploads;
  actions: MediaActions;
  fields: Fields;
  postGroupId: string | null;
  chosen: readonly Connection[];
  limits: Readonly<Record<string, PlatformLimits>>;
}) {
  const isWaiting = postGroupId === null && uploads.list.length > 0;
  return (
    <Stack gap="sm">
      <Group gap="xs">
        <FileButton multiple accept={accepted} onChange={(files) => uploads.add(files)}>
          {(props) => (
            <Button {...props} variant="default" leftSection={<IconPhotoPlus size={18} aria-hidden />}>
              Add media
            </Button>
          )}
        </FileButton>
        <ByAddress onAdd={(url) => uploads.add([url])} />
        <Text size="sm" c="dimmed" visibleFrom="sm">
          or drop or paste it anywhere
        </Text>
      </Group>
      {isWaiting && (
        <Text size="sm" role="status">
          The upload starts once a channel is chosen and something is written.
        </Text>
      )}
      {postGroupId && media.length > 0 && (
        <Suspense fallback={<Skeleton h={220} />}>
          <MediaList
            media={media}
            actions={actions}
            fields={fields}
            postGroupId={postGroupId}
            chosen={chosen}
            limits={limits}
          />
        </Suspense>
      )}
      {uploads.list.length > 0 && (
        <ul className={classes.media} aria-label="Uploads">
          {uploads.list.map((upload) => (
            <UploadItem key={upload.id} upload={upload} uploads={uploads} />
          ))}
        </ul>
      )}
      <DropArea onFiles={uploads.add} />
    </Stack>
  );
});

function ByAddress({ onAdd }: { onAdd: (url: string) => void }) {
  const [isOpen, setOpen] = useState(false);
  const [url, setUrl] = useState('');
  const isAddress = /^https:\/\/\S+\.\S+/.test(url.trim());
  return (
    <Popover opened={isOpen} onChange={setOpen} trapFocus width={300} position="bottom-start">
      <Popover.Target>
        <Button variant="subtle" leftSection={<IconLink size={18} aria-hidden />} onClick={() => setOpen(!isOpen)}>
          By address
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (!isAddress) return;
            onAdd(url.trim());
            setUrl('');
            setOpen(false);
          }}
        >
          <TextInput
            label="Address of a picture or video"
            placeholder="https://"
            type="url"
            value={url}
            onChange={({ currentTarget }) => setUrl(currentTarget.value)}
          />
          <Button type="submit" size="sm" mt="xs" disabled={!isAddress}>
            Add
          </Button>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
