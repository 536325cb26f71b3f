import { Button, Group, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ErrorState } from '../../../components/error-state.tsx';
import { notifyWithUndo } from '../../../components/notify.tsx';
import { useTimePreferences } from '../../../lib/time/preferences.ts';
import { zoneLabel } from '../profile/locales.ts';
import { Section } from '../section.tsx';
import { slotsQuery } from '../settings-queries.ts';
import { AddSlots } from './add-slots.tsx';
import { type Slot, withoutSlot, withSlots } from './posting-slots.ts';
import { useSetSlots } from './use-slots.ts';
import { SlotWeek } from './week.tsx';

/** The weekly times that "Next free slot" chooses from. */
export function SlotsSection() {
  const { zone } = useTimePreferences();
  const { data, error, refetch } = useQuery(slotsQuery);
  const { mutate: set } = useSetSlots();
  if (!data) {
    return (
      <Section title="Posting slots">
        {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Skeleton h={320} />}
      </Section>
    );
  }
  const { slots } = data;
  // Without slots the service has no time zone for them yet.
  const timeZone = slots.length > 0 ? data.timeZone : zone;
  const remove = (slot: Slot) => {
    set({ timeZone, slots: withoutSlot(slots, slot) });
    notifyWithUndo('Posting slot removed.', () => set({ timeZone, slots }));
  };
  return (
    <Section
      title="Posting slots"
      about="Weekly times for your posts. “Next free slot” in the composer picks the first one without a post."
    >
      <Group gap="sm">
        <Text size="sm">Times are in {zoneLabel(timeZone)}.</Text>
        {timeZone !== zone && (
          <Button size="compact-sm" variant="default" onClick={() => set({ timeZone: zone, slots })}>
            Use {zoneLabel(zone)}
          </Button>
        )}
      </Group>
      <SlotWeek slots={slots} onRemove={remove} />
      <AddSlots onAdd={(added) => set({ timeZone, slots: withSlots(slots, added) })} />
    </Section>
  );
}
