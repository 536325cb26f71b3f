import { ActionIcon, Button, CloseButton, Group, Menu, Paper, Text } from '@mantine/core';
import {
  type Icon,
  IconCalendarTime,
  IconCopy,
  IconDots,
  IconPlugConnected,
  IconSend,
  IconTag,
  IconTagOff,
  IconTrash,
} from '@tabler/icons-react';
import type { BulkAction, OnBulk } from '../bulk/bulk-action.ts';
import classes from './bulk-bar.module.css';
import type { PostRow } from './rows.ts';

const actions: readonly { action: BulkAction; name: string; icon: Icon }[] = [
  { action: 'publish', name: 'Publish', icon: IconSend },
  { action: 'channel', name: 'Add channel', icon: IconPlugConnected },
  { action: 'duplicate', name: 'Duplicate', icon: IconCopy },
  { action: 'label', name: 'Add label', icon: IconTag },
  { action: 'unlabel', name: 'Remove label', icon: IconTagOff },
];

/** Actions for the selected posts, sticky while scrolling. On a phone, most of them are in a menu. */
export function BulkBar({
  posts,
  onBulk,
  onClear,
}: {
  posts: readonly PostRow[];
  onBulk: OnBulk;
  onClear: () => void;
}) {
  const start = (action: BulkAction | 'delete') => () => onBulk(action, posts, onClear);
  return (
    <Paper className={classes.bar} component="section" aria-label="Selected posts" shadow="md" withBorder radius="lg">
      <Group gap="xs" wrap="nowrap">
        <CloseButton aria-label="Clear selection" onClick={onClear} />
        <Text fw={600} size="sm" role="status" className={classes.count}>
          {posts.length.toLocaleString('en')} selected
        </Text>
      </Group>
      <Group gap="xs" wrap="nowrap">
        {actions.map(({ action, name, icon: Sign }) => (
          <Button
            key={action}
            size="sm"
            px="sm"
            variant="default"
            className={classes.wide}
            leftSection={<Sign size={16} aria-hidden />}
            onClick={start(action)}
          >
            {name}
          </Button>
        ))}
        <Button
          size="sm"
          px="sm"
          variant="default"
          leftSection={<IconCalendarTime size={16} aria-hidden />}
          onClick={start('reschedule')}
        >
          Reschedule
        </Button>
        <Button
          size="sm"
          px="sm"
          color="red"
          variant="light"
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={start('delete')}
        >
          Delete
        </Button>
        <Menu position="top-end">
          <Menu.Target>
            <ActionIcon variant="default" size={34} aria-label="More actions" className={classes.narrow}>
              <IconDots size={18} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {actions.map(({ action, name, icon: Sign }) => (
              <Menu.Item key={action} leftSection={<Sign size={16} aria-hidden />} onClick={start(action)}>
                {name}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </Group>
    </Paper>
  );
}
