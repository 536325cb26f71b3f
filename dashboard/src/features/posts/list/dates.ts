import { addDays, type DateKey, isDateKey, startOfDay, startOfMonth } from '../../../lib/time/time.ts';

/** The date filter: one of these, or `2027-03-01..2027-03-31`, of which each end can be absent. */
export const presets = [
  { value: 'today', label: 'Today', days: [0, 0] },
  { value: 'last-7-days', label: 'Last 7 days', days: [-6, 0] },
  { value: 'last-30-days', label: 'Last 30 days', days: [-29, 0] },
  { value: 'last-90-days', label: 'Last 90 days', days: [-89, 0] },
  { value: 'this-month', label: 'This month', days: null },
  { value: 'next-7-days', label: 'Next 7 days', days: [0, 6] },
  { value: 'next-30-days', label: 'Next 30 days', days: [0, 29] },
] as const;

/** Days in the person's time zone. Both are included, and null has no bound. */
export interface Days {
  from: DateKey | null;
  to: DateKey | null;
}

export const readDates = (text: unknown): string | null =>
  typeof text === 'string' && (presets.some(({ value }) => value === text) || customDays(text)) ? text : null;

export function customDays(text: string): Days | null {
  const [from, to, ...others] = text.split('..');
  if (to === undefined || others.length > 0) return null;
  const isEnd = (day: string | undefined) => day === '' || isDateKey(day);
  return isEnd(from) && isEnd(to) ? { from: from || null, to: to || null } : null;
}

export const writeCustom = ({ from, to }: Days): string => `${from ?? ''}..${to ?? ''}`;

export function daysOf(dates: string, today: DateKey): Days {
  const preset = presets.find(({ value }) => value === dates);
  if (!preset) return customDays(dates) ?? { from: null, to: null };
  if (preset.days) return { from: addDays(today, preset.days[0]), to: addDays(today, preset.days[1]) };
  const first = startOfMonth(today);
  return { from: first, to: addDays(startOfMonth(addDays(first, 31)), -1) };
}

/** The first and the last instant of the days. */
export function instantsOf({ from, to }: Days, zone: string): { from?: string; to?: string } {
  return {
    ...(from && { from: startOfDay(from, zone).toISOString() }),
    ...(to && { to: new Date(startOfDay(addDays(to, 1), zone).getTime() - 1).toISOString() }),
  };
}
