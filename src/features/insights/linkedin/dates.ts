import { z } from 'zod';
import { Problem } from '../../../foundation/errors/index.ts';
import { isMissing } from './input.ts';

/** A valid day between 2000 and 2100. */
const Day = z
  .object({ year: z.int().min(2000).max(2100), month: z.int().min(1).max(12), day: z.int().min(1).max(31) })
  .refine(({ year, month, day }) => new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day);
export type Day = z.output<typeof Day>;
export type DateRange = { start: Day; end: Day };

/** Null if there is none. */
export function readDateRange(dateRange: unknown): DateRange | null {
  if (isMissing(dateRange)) return null;
  if (!isObject(dateRange)) throw new Problem('linkedin_date_range_not_object');
  if (!isObject(dateRange.start) || !isObject(dateRange.end)) throw new Problem('linkedin_date_range_incomplete');
  const [start, end] = [readDay(dateRange.start), readDay(dateRange.end)];
  if (isoDay(start) >= isoDay(end)) throw new Problem('linkedin_date_range_reversed');
  return { start, end };
}

function readDay(day: object): Day {
  const read = Day.safeParse(day);
  if (!read.success) throw new Problem('linkedin_date_invalid');
  return read.data;
}

/** `2026-10-01` */
export function isoDay({ year, month, day }: Day): string {
  return [String(year), ...[month, day].map((part) => String(part).padStart(2, '0'))].join('-');
}

/** Part of a cache key. */
export const rangeKey = (range: DateRange | null) => (range ? `${isoDay(range.start)}..${isoDay(range.end)}` : 'all');

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
