import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { ErrorState } from '../../../components/error-state.tsx';
import { AnchorLink } from '../../../components/links.tsx';
import { useTimePreferences } from '../../../lib/time/preferences.ts';
import { withSlots } from '../../queue/slots/posting-slots.ts';
import { useSetSlots } from '../../queue/slots/use-slots.ts';
import { commonTimes } from '../../queue/suggestions/suggested-slots.ts';
import { SlotTimes } from '../../queue/suggestions/suggested-times.tsx';

/** Offers posting slots to someone who has none. */
export default function SetSlotsDialog({ onClose, onSet }: { onClose: () => void; onSet: () => void }) {
  const { zone: timeZone } = useTimePreferences();
  const set = useSetSlots();
  const slots = commonTimes.map((one) => ({ ...one, platformId: null })).reduce(withSlots, []);
  return (
    <Modal opened onClose={onClose} title="Set posting slots?">
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
