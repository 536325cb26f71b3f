import type { Call } from '../../../platform.ts';
import { invalidParameter } from '../errors.ts';
import { readTuple } from '../rest-li/rest-li.ts';

/** A time range in milliseconds. `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const dayMs = 86_400_000;

/** Reads `(timeRange:(start:1,end:2),timeGranularityType:DAY)`. Both ends must be midnight UTC. */
export function readIntervals(call: Call): Span[] | undefined {
  const value = readTuple(call, 'timeIntervals');
  if (value === undefined) return undefined;
  const [start, end] = ['start', 'end'].map((name) => Number(new RegExp(`\\b${name}:(\\d+)`).exec(value)?.[1]));
  const [, granularity] = /\btimeGranularityType:(DAY|MONTH)\b/.exec(value) ?? [];
  const isWhole = start !== undefined && end !== undefined && start % dayMs === 0 && end % dayMs === 0;
  if (!isWhole || start >= end || granularity === undefined) invalidParameter('timeIntervals');
  return split({ start, end }, granularity === 'DAY' ? nextDay : nextMonth);
}

/** Reads `(start:(day:1,month:10,year:2026),end:(day:8,month:10,year:2026))`. */
export function readDateRange(call: Call): Span | undefined {
  const value = readTuple(call, 'dateRange');
  if (value === undefined) return undefined;
  const [, start, end] = /^\(start:\(([^()]*)\),end:\(([^()]*)\)\)$/.exec(value) ?? [];
  const span = { start: readDate(start), end: readDate(end) };
  if (!(span.start < span.end)) invalidParameter('dateRange');
  return span;
}

export function daysOf(span: Span): Span[] {
  return split(span, nextDay);
}

export function presentDates({ start, end }: Span) {
  return { start: presentDate(start), end: presentDate(end) };
}

export function contains({ start, end }: Span, time: number): boolean {
  return time >= start && time < end;
}

function split({ start, end }: Span, next: (time: number) => number): Span[] {
  const spans: Span[] = [];
  for (let from = start; from < end; ) {
    const to = Math.min(next(from), end);
    spans.push({ start: from, end: to });
    from = to;
  }
  return spans;
}

function nextDay(time: number): number {
  return time + dayMs;
}

function nextMonth(time: number): number {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

function readDate(text = ''): number {
  const [year, month, day] = ['year', 'month', 'day'].map((name) =>
    Number(new RegExp(`\\b${name}:(\\d+)`).exec(text)?.[1]),
  );
  return Date.UTC(year ?? Number.NaN, (month ?? Number.NaN) - 1, day);
}

function presentDate(time: number) {
  const date = new Date(time);
  return { day: date.getUTCDate(), month: date.getUTCMonth() + 1, year: date.getUTCFullYear() };
}
