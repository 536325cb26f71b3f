import { Button, Chip, Group, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { ChannelSelect } from '../../../components/channels/select.tsx';
import { useTimePreferences } from '../../../lib/time/preferences.ts';
import { weekdayName, weekdaysFrom } from './posting-slots.ts';
import classes from './slots.module.css';
import { SlotTimeField } from './time-field.tsx';

export interface NewSlots {
  weekdays: number[];
  time: string;
  platformId: string | null;
}

/** Adds a time on several days, for one channel or all. */
export function AddSlots({ onAdd }: { onAdd: (slots: NewSlots) => void }) {
  const { locale, weekStart } = useTimePreferences();
  const [days, setDays] = useState(['1', '2', '3', '4', '5']);
  const [time, setTime] = useState<string | null>('09:00');
  const [platformId, setPlatformId] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (days.length === 0) return setProblem('Choose at least one day.');
    if (time === null) return setProblem('Enter a time, such as 14:30 or 2:30 pm.');
    setProblem(null);
    onAdd({ weekdays: days.map(Number), time, platformId });
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
        </fieldset>
        <Group align="flex-end">
          <SlotTimeField value={time} onChange={setTime} />
          <ChannelSelect value={platformId} onChange={setPlatformId} />
          <Button type="submit">Add slots</Button>
        </Group>
        {problem && (
          <Text size="sm" c="red" role="alert">
            {problem}
          </Text>
        )}
      </Stack>
    </form>
  );
}
