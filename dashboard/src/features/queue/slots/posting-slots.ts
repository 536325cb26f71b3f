import type { PostingSlots } from '@crier/client';
import { formatDateKey } from '../../../lib/time/time.ts';

export type Slot = PostingSlots['slots'][number];

/** Weekdays as in the API (1 is Monday), starting with `weekStart` (0 is Sunday). */
export const weekdaysFrom = (weekStart: number): number[] =>
  Array.from({ length: 7 }, (_, index) => ((weekStart + index + 6) % 7) + 1);

/** 1 February 2027 is a Monday. */
export const weekdayName = (weekday: number, locale: string, form: 'long' | 'short' = 'long'): string =>
  formatDateKey(`2027-02-0${weekday}`, locale, { weekday: form });

export const sameSlot = (one: Slot, other: Slot): boolean =>
  one.weekday === other.weekday && one.time === other.time && one.platformId === other.platformId;

/** Adds a time on these days, without duplicates, in weekly order. */
export function withSlots(
  slots: readonly Slot[],
  { weekdays, time, platformId }: { weekdays: readonly number[]; time: string; platformId: string | null },
): Slot[] {
  const added = weekdays
    .map((weekday) => ({ weekday, time, platformId }))
    .filter((slot) => !slots.some((known) => sameSlot(known, slot)));
  return [...slots, ...added].sort((a, b) => a.weekday - b.weekday || a.time.localeCompare(b.time));
}

export const withoutSlot = (slots: readonly Slot[], gone: Slot): Slot[] =>
  slots.filter((slot) => !sameSlot(slot, gone));
