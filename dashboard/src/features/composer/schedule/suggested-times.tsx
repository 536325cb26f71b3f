import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { postsApi } from '../../../lib/posts/posts-api.ts';
import { useTimePreferences } from '../../../lib/time/preferences.ts';
import { formatDateKey, formatTime, instantOf } from '../../../lib/time/time.ts';
import { NextSlotButton } from './next-slot-button.tsx';
import { type SuggestedTime, suggestTimes } from './usual-times.ts';

/** Times to choose with one click, tomorrow, the next free slot, and when posts usually go out. */
export function SuggestedTimes({
  channels,
  timeZone,
  onTime,
}: {
  channels: readonly string[];
  timeZone: string;
  onTime: (time: { date: string; time: string }) => void;
}) {
  const preferences = useTimePreferences();
  const { data } = useQuery(latestQuery);
  const times = useMemo(() => suggestTimes(data ?? [], new Date(), timeZone), [data, timeZone]);
  const nameOf = ({ date, time }: SuggestedTime) =>
    `${dayName(date, times[0]!.date, preferences.locale)} ${formatTime(instantOf(date, time, timeZone), preferences)}`;
  return (
    <Group gap={6} role="group" aria-label="Suggestions">
      {times.map((one) => (
        <Button
          key={`${one.date} ${one.time}`}
          variant="default"
          size="compact-sm"
          radius="xl"
          onClick={() => onTime({ date: one.date, time: one.time })}
        >
          {nameOf(one)}
          {one.isUsual && (
            <Text span size="xs" c="dimmed" ml={6}>
              often used
            </Text>
          )}
        </Button>
      ))}
      <NextSlotButton channels={channels} timeZone={timeZone} onSlot={onTime} />
    </Group>
  );
}

/** When the latest posts went out. */
const latestQuery = {
  // Not among the posts: they are read again with every change, such as each save of a draft.
  queryKey: ['usual-times'],
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const { posts } = await postsApi.listCompact({ status: 'published', limit: 50 }, signal);
    return posts.flatMap(({ scheduledTime }) => scheduledTime ?? []);
  },
  staleTime: 600_000,
};

/** `tomorrow` is the day of the first suggestion. */
const dayName = (date: string, tomorrow: string, locale: string) =>
  date === tomorrow ? 'Tomorrow' : date < tomorrow ? 'Today' : formatDateKey(date, locale, { weekday: 'short' });
