import type { PostingSlots } from '@crier/client';
import type { PostSummary } from '../../../lib/posts/post-summary.ts';
import { addDays, type DateKey, dateKeyOf, resolveSlot, weekdayOf } from '../../../lib/time/time.ts';

/** A posting slot on one day. */
export interface SlotTime {
  at: Date;
  day: DateKey;
  /** Null for every channel. */
  platformId: string | null;
  /** Whose slot it is, in a calendar of all brands. */
  userId?: string | undefined;
}

export type SlotsByDay = ReadonlyMap<DateKey, readonly SlotTime[]>;

/** The weekly slots of one brand. */
export interface Week extends Pick<PostingSlots, 'timeZone' | 'slots'> {
  userId?: string | undefined;
}

/** The slots on these days of the reader's time zone, which may not be that of the slots. */
export function slotTimes({ timeZone, slots, userId }: Week, days: readonly DateKey[], zone: string): SlotTime[] {
  if (slots.length === 0) return [];
  const shown = new Set(days);
  const near = [addDays(days[0]!, -1), ...days, addDays(days.at(-1)!, 1)];
  const found = near.flatMap((date) =>
    slots
      .filter(({ weekday }) => weekday % 7 === weekdayOf(date))
      .map(({ time, platformId }) => {
        const at = resolveSlot(date, time, timeZone);
        return { at, day: dateKeyOf(at, zone), platformId, ...(userId && { userId }) };
      }),
  );
  return found.filter(({ day }) => shown.has(day)).sort((a, b) => a.at.getTime() - b.at.getTime());
}

/** The future slots in which none of their channels has a scheduled post. `channels`: the only ones that count. */
export function freeSlots(
  slots: readonly SlotTime[],
  posts: Iterable<PostSummary>,
  { now, channels }: { now: Date; channels: readonly string[] },
): SlotsByDay {
  const taken = takenMinutes(posts);
  const isFree = ({ at, platformId }: SlotTime) => {
    const busy = taken.get(minuteOf(at));
    if (!busy) return true;
    const wanted = platformId === null ? channels : [platformId];
    return wanted.length > 0 && !wanted.some((id) => busy.has(id));
  };
  const free = slots.filter(
    (slot) =>
      slot.at > now &&
      (slot.platformId === null || channels.length === 0 || channels.includes(slot.platformId)) &&
      isFree(slot),
  );
  // A slot for every channel stands for those of single channels at the same time.
  const open = new Set(free.filter(({ platformId }) => platformId === null).map(({ at }) => at.getTime()));
  const shown = free.filter(({ at, platformId }) => platformId === null || !open.has(at.getTime()));
  return Map.groupBy(shown, ({ day }) => day);
}

/** The free slots of several brands: only the posts of the same brand take a slot. */
export function freeSlotsOfBrands(
  weeks: readonly (readonly SlotTime[])[],
  posts: readonly PostSummary[],
  options: Parameters<typeof freeSlots>[2],
): SlotsByDay {
  const postsOf = Map.groupBy(posts, ({ userId }) => userId);
  const free = weeks.flatMap((times) => [...freeSlots(times, postsOf.get(times[0]?.userId) ?? [], options).values()]);
  return Map.groupBy(
    free.flat().sort((a, b) => a.at.getTime() - b.at.getTime()),
    ({ day }) => day,
  );
}

/** The channels of the scheduled posts in each minute. A slot is a minute long. */
function takenMinutes(posts: Iterable<PostSummary>): Map<number, Set<string>> {
  const taken = new Map<number, Set<string>>();
  for (const { status, scheduledTime, platforms } of posts) {
    if (status !== 'scheduled' || !scheduledTime) continue;
    const minute = minuteOf(new Date(scheduledTime));
    const busy = taken.get(minute) ?? new Set();
    for (const { platformId } of platforms) busy.add(platformId);
    taken.set(minute, busy);
  }
  return taken;
}

const minuteOf = (at: Date) => Math.floor(at.getTime() / 60_000);
