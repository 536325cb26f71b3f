import type { SortKey } from './filters.ts';

/** The headings of the columns that sort the list. */
export const columns: Record<SortKey, string> = { time: 'Time', created: 'Created', updated: 'Updated' };
