import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ErrorState } from '../../../components/error-state.tsx';
import { notifyWithUndo } from '../../../components/notify.tsx';
import { slotsQuery } from '../../../lib/queries.ts';
import { useTimePreferences } from '../../../lib/time/preferences.ts';
import { zoneLabel } from '../../settings/profile/locales.ts';
import { SuggestedTimes } from '../suggestions/suggested-times.tsx';
import { AddSlots } from './add-slots.tsx';
import { type Slot, withoutSlot, withSlots } from './posting-slots.ts';
import { useSetSlots } from './use-slots.ts';
import { SlotWeek } from './week.tsx';

/** The weekly slots of all channels. */
export function SlotsEditor({ channel }: { channel: string | null }) {
  const { zone } = useTimePreferences();
  const { data, error, refetch } = useQuery(slotsQuery);
  const { mutate: set } = useSetSlots();
  if (!data) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Skeleton h={320} />;
  const { slots } = data;
  // Without slots the service has no time zone for them yet.
  const timeZone = slots.length > 0 ? data.timeZone : zone;
  const change = (message: string, next: Slot[]) => {
    set({ timeZone, slots: next });
    notifyWithUndo(message, () => set({ timeZone, slots }));
  };
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        Weekly times for your posts. “Add to queue” in the composer takes the first one without a post. Scheduled posts
        keep their times when you change slots.
      </Text>
      <Group gap="sm">
        <Text size="sm">Times are in {zoneLabel(timeZone)}.</Text>
        {timeZone !== zone && (
          <Button size="compact-sm" variant="default" onClick={() => set({ timeZone: zone, slots })}>
            Use {zoneLabel(zone)}
          </Button>
        )}
      </Group>
      <SlotWeek slots={slots} onRemove={(slot) => change('Posting slot removed.', withoutSlot(slots, slot))} />
      <AddSlots onAdd={(added) => set({ timeZone, slots: withSlots(slots, added) })} />
      <SuggestedTimes
        channel={channel}
        timeZone={timeZone}
        onAdd={(added) => change('Posting slots added.', added.reduce<Slot[]>(withSlots, [...slots]))}
      />
    </Stack>
  );
}
