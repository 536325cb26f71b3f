import { Button, List, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { platformName, platformOf } from '../../../lib/platform-name.ts';
import { useTimePreferences } from '../../../lib/time/preferences.ts';
import { formatTime } from '../../../lib/time/time.ts';
import type { NewSlots } from '../slots/add-slots.tsx';
import { weekdayName } from '../slots/posting-slots.ts';
import { suggestionQuery } from './suggestion-query.ts';

/** Proposes slots and says where they come from. */
export function SuggestedTimes({
  channel,
  timeZone,
  onAdd,
}: {
  channel: string | null;
  timeZone: string;
  onAdd: (slots: NewSlots[]) => void;
}) {
  const [isWanted, setWanted] = useState(false);
  const { data, isFetching } = useQuery({ ...suggestionQuery(channel, timeZone), enabled: isWanted });
  if (!data) {
    return (
      <div>
        <Button variant="default" loading={isFetching} onClick={() => setWanted(true)}>
          Suggest times
        </Button>
      </div>
    );
  }
  return (
    <Stack gap="xs" component="section" aria-label="Suggested times">
      <Text fw={600} size="sm">
        Suggested times{channel && ` for ${platformName(platformOf(channel))}`}
      </Text>
      <SlotTimes times={data.times} />
      <Text size="sm" c="dimmed">
        {data.basis}
      </Text>
      <div>
        <Button
          onClick={() => {
            onAdd(data.times.map((one) => ({ ...one, platformId: channel })));
            setWanted(false);
          }}
        >
          Add these slots
        </Button>
      </div>
    </Stack>
  );
}

/** "Monday to Friday, 09:00". */
export function SlotTimes({ times }: { times: readonly Omit<NewSlots, 'platformId'>[] }) {
  const preferences = useTimePreferences();
  const day = (weekday: number) => weekdayName(weekday, preferences.locale);
  return (
    <List size="sm">
      {times.map(({ weekdays, time }) => (
        <List.Item key={time}>
          {day(weekdays[0]!)} to {day(weekdays.at(-1)!)},{' '}
          {formatTime(`2027-01-04T${time}:00Z`, { ...preferences, zone: 'UTC' })}
        </List.Item>
      ))}
    </List>
  );
}
