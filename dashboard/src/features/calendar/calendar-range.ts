import { defaultStringifySearch } from '@tanstack/react-router';
import type { BrandSearch } from '../../lib/brands/brand.ts';
import {
  addDays,
  addMonths,
  type DateKey,
  formatDateKey,
  formatLongDate,
  isDateKey,
  startOfDay,
  startOfMonth,
  startOfWeek,
  type TimePreferences,
} from '../../lib/time/time.ts';

export const views = ['month', 'week', 'day', 'list'] as const;
export type View = (typeof views)[number];

/** The page's search parameters. */
export interface CalendarSearch extends BrandSearch {
  view?: View;
  date?: DateKey;
  /** One channel or several, separated by commas. */
  channel?: string;
  status?: string;
  label?: string;
}

/** The channels of the filter. Empty: all. */
export const channelsIn = (channel: string | undefined): string[] => channel?.split(',').filter(Boolean) ?? [];

/** Whether only some posts are shown. */
export const isFiltered = ({ channel, status, label }: CalendarSearch): boolean => Boolean(channel || status || label);

export const statuses = ['draft', 'scheduled', 'published', 'failed'] as const;

export function readSearch(search: Record<string, unknown>): CalendarSearch {
  const view = views.find((name) => name === search.view);
  const status = statuses.find((name) => name === search.status);
  return {
    ...(view && { view }),
    ...(isDateKey(search.date) && { date: search.date }),
    ...(typeof search.channel === 'string' && search.channel && { channel: search.channel }),
    ...(status && { status }),
    ...(hasLabel(search) && { label: String(search.label) }),
  };
}

/** A label of digits arrives as a number. */
const hasLabel = ({ label }: Record<string, unknown>) =>
  (typeof label === 'string' && label !== '') || typeof label === 'number';

/** The address of another view or day, with the same filters. */
export const calendarHref = (search: CalendarSearch, view: View, date: DateKey): string =>
  `/calendar${defaultStringifySearch({ ...search, view, date })}`;

/** The days that a view shows. */
export function daysOf(view: View, date: DateKey, weekStart: number): DateKey[] {
  if (view === 'day') return [date];
  if (view === 'week') return daysFrom(startOfWeek(date, weekStart), 7);
  const first = startOfMonth(date);
  const next = addMonths(first, 1);
  if (view === 'list') return daysUntil(first, next);
  const lastWeek = startOfWeek(addDays(next, -1), weekStart);
  return daysUntil(startOfWeek(first, weekStart), addDays(lastWeek, 7));
}

/** The date for "Previous" and "Next". */
export function step(view: View, date: DateKey, direction: 1 | -1): DateKey {
  if (view === 'day') return addDays(date, direction);
  if (view === 'week') return addDays(date, 7 * direction);
  return addMonths(startOfMonth(date), direction);
}

/** The heading of the view. If it is short, it fits on one line of a phone. */
export function titleOf(view: View, date: DateKey, { locale, weekStart }: TimePreferences, isShort: boolean): string {
  if (view === 'day' && isShort)
    return formatDateKey(date, locale, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
  if (view === 'day') return formatLongDate(date, { locale });
  if (view !== 'week') return formatDateKey(date, locale, { month: 'long', year: 'numeric' });
  const first = startOfWeek(date, weekStart);
  const format = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
  return format.formatRange(new Date(first), new Date(addDays(first, 6)));
}

/** The time range that covers these days. */
export const rangeOf = (days: readonly DateKey[], zone: string) => ({
  from: startOfDay(days[0]!, zone).toISOString(),
  to: new Date(startOfDay(addDays(days.at(-1)!, 1), zone).getTime() - 1).toISOString(),
});

const daysFrom = (first: DateKey, count: number) => Array.from({ length: count }, (_, index) => addDays(first, index));

function daysUntil(first: DateKey, end: DateKey): DateKey[] {
  const days: DateKey[] = [];
  for (let day = first; day < end; day = addDays(day, 1)) days.push(day);
  return days;
}
