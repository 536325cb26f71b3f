import type { ListedMedia } from '@crier/client';
import { ActionIcon, Badge, Card, Group, Menu, Stack, Text } from '@mantine/core';
import { IconDots, IconPencil, IconPencilPlus, IconTrash } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { AltTextField } from './alt-text-field.tsx';
import classes from './media-card.module.css';
import { factsOf } from './media-facts.ts';
import { MediaPicture } from './media-picture.tsx';
import { UsedIn } from './used-in.tsx';

const DeleteDialog = lazy(() => import('./delete-dialog.tsx'));
const EditDialog = lazy(() => import('./edit-dialog.tsx'));

/** One file: thumbnail, facts, labels, alt text and the posts that use it. */
export function MediaCard({ media, onLabel }: { media: ListedMedia; onLabel: (label: string) => void }) {
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null);
  const close = () => setDialog(null);
  return (
    <Card component="li" withBorder padding="sm" className={classes.card}>
      <Card.Section>
        <MediaPicture media={media} />
      </Card.Section>
      <Stack gap={6} mt="sm">
        <Group gap={4} wrap="nowrap" justify="space-between">
          <Text fw={600} size="sm" truncate title={media.fileName} dir="auto">
            {media.fileName}
          </Text>
          <Actions media={media} onEdit={() => setDialog('edit')} onDelete={() => setDialog('delete')} />
        </Group>
        <Text size="xs" c="dimmed">
          {factsOf(media)}
        </Text>
        <State status={media.status} />
        {media.labels.length > 0 && (
          <Group gap={4}>
            {media.labels.map((label) => (
              <Badge
                key={label}
                component="button"
                type="button"
                size="lg"
                variant="light"
                tt="none"
                className={classes.label}
                onClick={() => onLabel(label)}
              >
                {label}
              </Badge>
            ))}
          </Group>
        )}
        {media.type !== 'document' && <AltTextField media={media} />}
        <UsedIn media={media} />
      </Stack>
      <Suspense>
        {dialog === 'edit' && <EditDialog media={media} onClose={close} />}
        {dialog === 'delete' && <DeleteDialog media={media} onClose={close} />}
      </Suspense>
    </Card>
  );
}

const Actions = ({ media, onEdit, onDelete }: { media: ListedMedia; onEdit: () => void; onDelete: () => void }) => (
  <Menu position="bottom-end">
    <Menu.Target>
      <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${media.fileName}`}>
        <IconDots size={18} aria-hidden />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>
      {media.status === 'ready' && <NewPostItem file={media} />}
      <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={onEdit}>
        Rename and label
      </Menu.Item>
      <Menu.Item leftSection={<IconTrash size={16} aria-hidden />} onClick={onDelete}>
        Delete
      </Menu.Item>
    </Menu.Dropdown>
  </Menu>
);

/** Begins a post with the file. */
function NewPostItem({ file }: { file: ListedMedia }) {
  const navigate = useNavigate();
  return (
    <Menu.Item
      leftSection={<IconPencilPlus size={16} aria-hidden />}
      onClick={() => void navigate({ to: '/compose', state: { file } })}
    >
      New post
    </Menu.Item>
  );
}

const states = {
  uploading: { word: 'Processing', color: 'blue' },
  failed: { word: 'Failed', color: 'red' },
  deleting: { word: 'Deleting', color: 'gray' },
};

function State({ status }: { status: ListedMedia['status'] }) {
  if (status === 'ready') return null;
  const { word, color } = states[status];
  return (
    <Badge color={color} variant="light" tt="none" w="fit-content">
      {word}
    </Badge>
  );
}
