import { createContext, useContext } from 'react';
import type { Brand, BrandOf } from '../../lib/brands/use-brands.ts';
import type { PostSummary } from '../../lib/posts/post-summary.ts';
import type { DateKey, TimePreferences } from '../../lib/time/time.ts';
import type { SlotsByDay } from './adding/free-slots.ts';
import type { CalendarSearch } from './calendar-range.ts';
import type { Moves } from './moving/use-moves.ts';
import type { Colouring } from './options/colours.ts';

interface Calendar {
  preferences: TimePreferences;
  moves: Moves;
  now: Date;
  today: DateKey;
  search: CalendarSearch;
  brandOf: BrandOf;
  /** Why a scheduled post can't be published. */
  strandedNote: (post: PostSummary) => string | null;
  /** The brand whose page this is. */
  pageBrand: Brand | null;
  colouring: Colouring;
  /** Everything has to be visible without scrolling or opening. */
  isPrinting: boolean;
  days: readonly DateKey[];
  /** The posting slots in which nothing is scheduled. */
  slots: SlotsByDay;
  /** The height of what stays at the top of the window while the page scrolls. */
  stickyHeight: number;
}

export const CalendarContext = createContext<Calendar | null>(null);

export function useCalendar(): Calendar {
  const calendar = useContext(CalendarContext);
  if (!calendar) throw new Error('useCalendar must be used inside CalendarContext.');
  return calendar;
}
