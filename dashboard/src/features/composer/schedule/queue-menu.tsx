import { Button, Group, Menu, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconPlaylistAdd } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { ErrorState } from '../../../components/error-state.tsx';
import { AnchorLink } from '../../../components/links.tsx';
import { slotsQuery } from '../../../lib/queries.ts';
import { useTimePreferences } from '../../../lib/time/preferences.ts';
import { withSlots } from '../../queue/slots/posting-slots.ts';
import { useSetSlots } from '../../queue/slots/use-slots.ts';
import { commonTimes } from '../../queue/suggestions/suggested-slots.ts';
import { SlotTimes } from '../../queue/suggestions/suggested-times.tsx';

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
  const add = () => (data?.slots.length === 0 ? asking.open() : onQueue());
  return (
    <>
      <Menu position="top-end" withinPortal={false} withInitialFocusPlaceholder={false}>
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
      <SetSlotsDialog
        opened={isAsking}
        onClose={asking.close}
        onSet={() => {
          asking.close();
          onQueue();
        }}
      />
    </>
  );
}

function SetSlotsDialog({ opened, onClose, onSet }: { opened: boolean; onClose: () => void; onSet: () => void }) {
  const { zone: timeZone } = useTimePreferences();
  const set = useSetSlots();
  const slots = commonTimes.map((one) => ({ ...one, platformId: null })).reduce(withSlots, []);
  return (
    <Modal opened={opened} onClose={onClose} title="Set posting slots?">
      <Stack>
        <Text size="sm">
          The queue needs weekly times, and you have none yet. These are common times on working days. They don’t come
          from your statistics.
        </Text>
        <SlotTimes times={commonTimes} />
        <Text size="sm" c="dimmed">
          Change them at any time under{' '}
          <AnchorLink to="/queue" search={{ slots: 'edit' }} inherit>
            Queue
          </AnchorLink>
          .
        </Text>
        {set.error && <ErrorState error={set.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={set.isPending} onClick={() => set.mutate({ timeZone, slots }, { onSuccess: onSet })}>
            Set slots and add to queue
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
