import { Button, CloseButton, Group, Paper, Text } from '@mantine/core';
import { IconCalendarTime, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { DeleteDialog } from '../delete-dialog.tsx';
import classes from './bulk-bar.module.css';
import type { PostRow } from './queries.ts';
import { RescheduleDialog } from './reschedule-dialog.tsx';

/** Actions for the selected posts, sticky while scrolling. */
export function BulkBar({ posts, onDone }: { posts: readonly PostRow[]; onDone: () => void }) {
  const [open, setOpen] = useState<'delete' | 'reschedule' | null>(null);
  const close = () => setOpen(null);
  return (
    <Paper className={classes.bar} component="section" aria-label="Selected posts" shadow="md" withBorder radius="lg">
      <Group gap="xs" wrap="nowrap">
        <CloseButton aria-label="Clear selection" onClick={onDone} />
        <Text fw={600} size="sm" role="status">
          {posts.length.toLocaleString('en')} selected
        </Text>
      </Group>
      <Group gap="xs" wrap="nowrap">
        <Button
          size="sm"
          variant="default"
          leftSection={<IconCalendarTime size={16} aria-hidden />}
          onClick={() => setOpen('reschedule')}
        >
          Reschedule
        </Button>
        <Button
          size="sm"
          color="red"
          variant="light"
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={() => setOpen('delete')}
        >
          Delete
        </Button>
      </Group>
      <DeleteDialog posts={posts} opened={open === 'delete'} onClose={close} onDeleted={onDone} />
      <RescheduleDialog posts={posts} opened={open === 'reschedule'} onClose={close} onMoved={onDone} />
    </Paper>
  );
}
