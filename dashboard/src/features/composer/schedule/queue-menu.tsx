import { Button, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconPlaylistAdd } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { preload } from '../../../lib/preload.ts';
import { slotsQuery } from '../../../lib/queries.ts';

const loadSetSlots = () => import('./set-slots-dialog.tsx');
const SetSlotsDialog = lazy(loadSetSlots);

/** Beside "Schedule": "Add to queue" gives the post the next free slot. Without slots, it offers to set some first. */
export function QueueMenu({
  isReady,
  isPending,
  onQueue,
}: {
  isReady: boolean;
  isPending: boolean;
  onQueue: () => void;
}) {
  const [isAsking, asking] = useDisclosure();
  const { data } = useQuery(slotsQuery);
  const hasNoSlots = data?.slots.length === 0;
  const add = () => (hasNoSlots ? asking.open() : onQueue());
  return (
    <>
      <Menu
        position="top-end"
        withinPortal={false}
        withInitialFocusPlaceholder={false}
        onOpen={() => hasNoSlots && preload(loadSetSlots)}
      >
        <Menu.Target>
          <Button variant="default" px={8} loading={isPending} disabled={!isReady} aria-label="Queue options">
            <IconChevronDown size={18} aria-hidden />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPlaylistAdd size={18} aria-hidden />} onClick={add}>
            Add to queue
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Suspense>
        {isAsking && (
          <SetSlotsDialog
            onClose={asking.close}
            onSet={() => {
              asking.close();
              onQueue();
            }}
          />
        )}
      </Suspense>
    </>
  );
}
