import { Button, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconPlaylistAdd } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { postsApi } from '../../lib/posts/posts-api.ts';
import { slotsQuery } from '../../lib/queries.ts';
import { keys } from '../../lib/query-keys.ts';
import { useTimePreferences } from '../../lib/time/preferences.ts';
import { addDays, type DateKey, dateKeyOf, formatDateKey, startOfDay } from '../../lib/time/time.ts';
import { useNow } from '../calendar/use-now.ts';
import { QueueDrag } from './moving/queue-drag.tsx';
import { useReorder } from './moving/use-reorder.ts';
import classes from './queue.module.css';
import { daysFrom, type Place, placesOf, withChanges } from './queue-days.ts';
import { FreeRow, PostRow } from './queue-row.tsx';

const step = 14;
const maxDays = 8 * 7;
const maxPosts = 1000;

/** The posts and free slots of the next days. */
export function QueueList({ channel, onEdit }: { channel: string | null; onEdit: () => void }) {
  const { zone } = useTimePreferences();
  const now = useNow();
  const today = dateKeyOf(now, zone);
  const [number, setNumber] = useState(step);
  const days = useMemo(() => daysFrom(today, number), [today, number]);
  const slots = useQuery(slotsQuery);
  const scheduled = useScheduled(days, zone);
  const base = useMemo(
    () =>
      slots.data && scheduled.data
        ? placesOf({ posts: scheduled.data, slots: slots.data, days, zone, now, channel })
        : [],
    [slots.data, scheduled.data, days, zone, now, channel],
  );
  const reorder = useReorder(base);
  const { preview } = reorder;
  const places = useMemo(() => {
    if (preview.length === 0 || !slots.data || !scheduled.data) return base;
    return placesOf({ posts: withChanges(scheduled.data, preview), slots: slots.data, days, zone, now, channel });
  }, [base, preview, slots.data, scheduled.data, days, zone, now, channel]);
  const failed = [slots, scheduled].find(({ error, data }) => error && !data);
  if (failed) return <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />;
  if (!slots.data || !scheduled.data) return <Loading />;
  if (slots.data.slots.length === 0 && places.length === 0) return <NoSlots onEdit={onEdit} />;
  return (
    <>
      {slots.data.slots.length === 0 && <NoSlotsNote onEdit={onEdit} />}
      <QueueDrag reorder={reorder}>
        <Stack gap="lg">
          {[...Map.groupBy(places, ({ day }) => day)].map(([day, ofDay]) => (
            <Day key={day} day={day} today={today}>
              {ofDay.map((place) =>
                isFilled(place) ? (
                  <PostRow key={place.key} place={place} reorder={reorder} />
                ) : (
                  <FreeRow key={place.key} place={place} channel={channel} />
                ),
              )}
            </Day>
          ))}
        </Stack>
      </QueueDrag>
      {scheduled.data.length >= maxPosts && (
        <Text size="sm" c="dimmed" mt="md">
          Only the first {maxPosts.toLocaleString('en')} posts are shown.
        </Text>
      )}
      {number < maxDays && (
        <Button
          variant="default"
          mt="lg"
          loading={scheduled.isPlaceholderData}
          onClick={() => setNumber(number + step)}
        >
          Show two more weeks
        </Button>
      )}
      <VisuallyHidden role="status" aria-live="assertive">
        {reorder.announcement}
      </VisuallyHidden>
      <VisuallyHidden id="queue-keys">Press Space to move with the arrow keys, Enter to open.</VisuallyHidden>
    </>
  );
}

const isFilled = (place: Place): place is Extract<Place, { post: object }> => place.post !== null;

function useScheduled(days: readonly DateKey[], zone: string) {
  const from = startOfDay(days[0]!, zone).toISOString();
  const to = startOfDay(addDays(days.at(-1)!, 1), zone).toISOString();
  return useQuery({
    queryKey: [...keys.posts, 'queue', from, to],
    queryFn: async ({ signal }) =>
      (await postsApi.listCompact({ status: 'scheduled', from, to, limit: maxPosts }, signal)).posts,
    placeholderData: keepPreviousData,
  });
}

function Day({ day, today, children }: { day: DateKey; today: DateKey; children: ReactNode }) {
  const { locale } = useTimePreferences();
  const name = formatDateKey(day, locale, { weekday: 'long', day: 'numeric', month: 'long' });
  return (
    <section aria-label={name}>
      <Text component="h2" fw={600} size="sm" mb={4}>
        {day === today ? `Today, ${name}` : name}
      </Text>
      <ul className={classes.list}>{children}</ul>
    </section>
  );
}

const NoSlots = ({ onEdit }: { onEdit: () => void }) => (
  <EmptyState
    icon={IconPlaylistAdd}
    picture="bell"
    title="No posting slots yet"
    action={<Button onClick={onEdit}>Set slots</Button>}
  >
    Slots are weekly times for your posts. “Add to queue” in the composer gives each post the next free one.
  </EmptyState>
);

const NoSlotsNote = ({ onEdit }: { onEdit: () => void }) => (
  <Text size="sm" c="dimmed" mb="md">
    You have no posting slots yet.{' '}
    <Button size="compact-sm" variant="default" onClick={onEdit}>
      Set slots
    </Button>
  </Text>
);

const Loading = () => (
  <Stack gap="sm" aria-busy aria-label="Loading queue">
    {[0, 1, 2, 3, 4].map((row) => (
      <Skeleton key={row} height={52} radius="sm" />
    ))}
  </Stack>
);
