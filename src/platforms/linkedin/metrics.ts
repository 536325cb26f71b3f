import type { Day } from './dates.ts';

export const metrics = ['IMPRESSION', 'MEMBERS_REACHED', 'RESHARE', 'REACTION', 'COMMENT'] as const;
export type Metric = (typeof metrics)[number];
/** Null where LinkedIn does not tell. */
export type Count = number | null;
export type DailyCount = { count: Count; dateRange: { start: Day; end: Day } };
/** What one call to LinkedIn brings: of a member one metric, of a page all of them. */
export type Counts = { [M in Metric]?: Count };
export type DailyCounts = { [M in Metric]?: DailyCount[] };

/** LinkedIn's way to say that it does not tell. */
export const countOf = (count: number): Count => (count === -1 ? null : count);
