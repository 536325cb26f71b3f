import type { Connection, Media } from '@crier/client';
import { Box, Button, Group, Text } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { memo, useCallback, useMemo } from 'react';
import shared from '../../composer.module.css';
import { MediaButtons } from '../buttons.tsx';
import { type FilesContext, MediaPanel } from '../panel.tsx';
import type { MediaActions } from '../use-media.ts';
import type { Upload, Uploads } from '../use-uploads.ts';
import type { OwnEdits } from './use-own-media.ts';

/** "Files for Instagram": what this channel gets instead of the shared files. */
export default memo(function OwnPanel({
  channel,
  label,
  media,
  uploading,
  uploads,
  edits,
  onPreview,
  ...context
}: FilesContext & {
  channel: Connection;
  label: string;
  media: readonly Media[];
  uploading: readonly Upload[];
  uploads: Uploads;
  edits: OwnEdits;
  onPreview: (platformId: string) => void;
}) {
  const { platformId } = channel;
  const chosen = useMemo(() => [channel], [channel]);
  const add = useCallback<Uploads['add']>(
    (sources, about) => uploads.add(sources, { ...about, channel: platformId }),
    [uploads.add, platformId],
  );
  const actions = useMemo<MediaActions>(
    () => ({
      describe: (mediaId, altText) => edits.describe(platformId, mediaId, altText),
      reorder: (mediaIds) => edits.reorder(platformId, mediaIds),
      remove: async (mediaId) => edits.remove(platformId, mediaId),
      async replace(replaces, file) {
        add([file], { replaces, altText: media.find(({ mediaId }) => mediaId === replaces)?.altText ?? '' });
      },
    }),
    [edits, platformId, add, media],
  );
  const share = () => {
    for (const { id } of uploading) uploads.cancel(id);
    edits.share(platformId);
  };
  return (
    <Box
      component="section"
      className={shared.card}
      aria-label={`Files for ${label}`}
      onFocus={() => onPreview(platformId)}
    >
      <Text size="sm" fw={600} mb={6}>
        Files for {label}
      </Text>
      {media.length === 0 && uploading.length === 0 && (
        <Text size="sm" c="dimmed">
          No files. Other channels get the shared ones.
        </Text>
      )}
      <MediaPanel
        suffix={` for ${label}`}
        media={media}
        uploading={uploading}
        uploads={uploads}
        actions={actions}
        chosen={chosen}
        {...context}
      />
      <Group gap={4} mt="xs">
        <MediaButtons onAdd={add} suffix={` for ${label}`} />
      </Group>
      <Button
        mt="xs"
        size="compact-sm"
        variant="subtle"
        leftSection={<IconArrowBackUp size={16} aria-hidden />}
        onClick={share}
      >
        Back to shared files
      </Button>
    </Box>
  );
});
