import type { Day } from './dates.ts';

export const metrics = ['IMPRESSION', 'MEMBERS_REACHED', 'RESHARE', 'REACTION', 'COMMENT'] as const;
export type Metric = (typeof metrics)[number];
/** Null if LinkedIn does not report it. */
export type Count = number | null;
export type DailyCount = { count: Count; dateRange: { start: Day; end: Day } };
/** The result of one call to LinkedIn: one metric of a member, or all metrics of a page. */
export type Counts = { [M in Metric]?: Count };
export type DailyCounts = { [M in Metric]?: DailyCount[] };

/** LinkedIn uses -1 for a count that it does not report. */
export const countOf = (count: number): Count => (count === -1 ? null : count);
