import { createContext, useContext } from 'react';
import type { DateKey, TimePreferences } from '../../lib/time/time.ts';
import type { CalendarSearch } from './calendar-range.ts';
import type { Moves } from './moving/use-moves.ts';

interface Calendar {
  preferences: TimePreferences;
  moves: Moves;
  today: DateKey;
  search: CalendarSearch;
}

export const CalendarContext = createContext<Calendar | null>(null);

export function useCalendar(): Calendar {
  const calendar = useContext(CalendarContext);
  if (!calendar) throw new Error('useCalendar must be used inside CalendarContext.');
  return calendar;
}
