import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTimePreferences } from '../../../lib/time/preferences.ts';
import { readTime, timeText } from '../../../lib/time/read-time.ts';
import { type Clock, formatTime } from '../../../lib/time/time.ts';

/** A time of day in the user's format. Accepts 24 and 12 hours. */
export function SlotTimeField({ value, onChange }: { value: Clock | null; onChange: (time: Clock | null) => void }) {
  const preferences = useTimePreferences();
  const [typed, setTyped] = useState<string | null>(null);
  const shown = value === null ? '' : formatTime(`2027-01-04T${value}:00Z`, { ...preferences, zone: 'UTC' });
  const change = (text: string) => {
    setTyped(text);
    const time = readTime(text);
    onChange(time && timeText(time));
  };
  return (
    <TextInput
      label="Slot time"
      w={150}
      value={typed ?? shown}
      onChange={(event) => change(event.currentTarget.value)}
      // Reformat valid input. Anything else stays for the user to correct.
      onBlur={() => value !== null && setTyped(null)}
    />
  );
}
