import { Button, Chip, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { ChannelSelect } from '../../components/channel-select.tsx';
import { useTimePreferences } from '../../lib/time-preferences.ts';
import { weekdayName, weekdaysFrom } from './posting-slots.ts';
import classes from './settings.module.css';

export interface NewSlots {
  weekdays: number[];
  time: string;
  platformId: string | null;
}

/** Adds one time on several days, for one channel or for all. */
export function AddSlots({ onAdd }: { onAdd: (slots: NewSlots) => void }) {
  const { locale, weekStart } = useTimePreferences();
  const [days, setDays] = useState(['1', '2', '3', '4', '5']);
  const [time, setTime] = useState('09:00');
  const [platformId, setPlatformId] = useState<string | null>(null);
  const [isMissing, setMissing] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(days.length === 0);
    if (days.length > 0) onAdd({ weekdays: days.map(Number), time: time.slice(0, 5), platformId });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <fieldset className={classes.fieldset}>
          <legend className={classes.legend}>Days</legend>
          <Chip.Group multiple value={days} onChange={setDays}>
            <Group gap="xs">
              {weekdaysFrom(weekStart).map((weekday) => (
                <Chip key={weekday} value={String(weekday)} size="sm" variant="outline">
                  {weekdayName(weekday, locale, 'short')}
                </Chip>
              ))}
            </Group>
          </Chip.Group>
          {isMissing && (
            <Text size="sm" c="red" mt={4} role="alert">
              Choose at least one day.
            </Text>
          )}
        </fieldset>
        <Group align="flex-end">
          <TextInput
            label="Time of the slot"
            type="time"
            required
            withAsterisk={false}
            value={time}
            onChange={(event) => setTime(event.currentTarget.value)}
          />
          <ChannelSelect value={platformId} onChange={setPlatformId} />
          <Button type="submit">Add slots</Button>
        </Group>
      </Stack>
    </form>
  );
}
