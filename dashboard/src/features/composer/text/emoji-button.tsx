import { ActionIcon, Loader, Popover, Tooltip } from '@mantine/core';
import { IconMoodSmile } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';

const EmojiList = lazy(() => import('./emoji-list.tsx'));

export function EmojiButton({ onPick }: { onPick: (emoji: string) => void }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" trapFocus withinPortal>
      <Popover.Target>
        <Tooltip label="Emoji">
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Emoji" onClick={() => setOpen(!isOpen)}>
            <IconMoodSmile size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown p="xs">
        <Suspense fallback={<Loader size="sm" m="md" />}>
          <EmojiList
            onPick={(emoji) => {
              setOpen(false);
              onPick(emoji);
            }}
          />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}
