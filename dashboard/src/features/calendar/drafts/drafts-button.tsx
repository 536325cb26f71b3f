import { ActionIcon } from '@mantine/core';
import { IconLayoutSidebarRight, IconLayoutSidebarRightFilled } from '@tabler/icons-react';
import { useDraftsTray } from './use-drafts-tray.ts';

/** Opens and closes the tray of drafts beside the calendar, on screens that have room for both. */
export function DraftsButton() {
  const [isOpen, setOpen] = useDraftsTray();
  const Icon = isOpen ? IconLayoutSidebarRightFilled : IconLayoutSidebarRight;
  return (
    <ActionIcon
      variant="default"
      size={34}
      visibleFrom="sm"
      aria-label="Drafts"
      title="Drafts"
      aria-expanded={isOpen}
      onClick={() => setOpen(!isOpen)}
    >
      <Icon size={18} aria-hidden />
    </ActionIcon>
  );
}
