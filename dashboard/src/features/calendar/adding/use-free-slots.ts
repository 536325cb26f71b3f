import { useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { useMemo } from 'react';
import { allBrands } from '../../../lib/brands/brand.ts';
import type { PostSummary } from '../../../lib/posts/post-summary.ts';
import { channelsQuery, slotsQuery } from '../../../lib/queries.ts';
import type { DateKey } from '../../../lib/time/time.ts';
import { type CalendarSearch, channelsIn } from '../calendar-range.ts';
import { freeSlotsOfBrands, type SlotsByDay, slotTimes } from './free-slots.ts';

const none: SlotsByDay = new Map();

/** The free posting slots of the view. In a view of all brands, those of each brand. */
export function useFreeSlots(
  days: readonly DateKey[],
  posts: readonly PostSummary[],
  search: CalendarSearch,
  { zone, now }: { zone: string; now: Date },
): SlotsByDay {
  const { brand, session } = useRouteContext({ from: '/_app' });
  const { data } = useQuery(slotsQuery);
  const { data: channels } = useQuery(channelsQuery);
  const weeks = useMemo(() => {
    if (!data || !channels) return [];
    // Slots of channels that were disconnected are kept.
    const isKnown = (id: string | null) => id === null || channels.some(({ platformId }) => platformId === id);
    const all = brand === allBrands ? [{ ...data, userId: session._id }, ...(data.brands ?? [])] : [data];
    return all.map((week) =>
      slotTimes({ ...week, slots: week.slots.filter(({ platformId }) => isKnown(platformId)) }, days, zone),
    );
  }, [data, channels, days, zone, brand, session]);
  const { channel, status } = search;
  return useMemo(() => {
    if (status && status !== 'scheduled') return none;
    return freeSlotsOfBrands(weeks, posts, { now, channels: channelsIn(channel) });
  }, [status, weeks, posts, now, channel]);
}
