import type { ListInput } from '../../../lib/posts/posts-api.ts';
import { type DateKey, dateKeyOf } from '../../../lib/time/time.ts';
import { daysOf, instantsOf, readDates } from './dates.ts';

/** The list's tabs with their queries. */
export const tabs = [
  { value: 'all', label: 'All', status: null, sorting: { sort: 'created', order: 'desc' } },
  { value: 'draft', label: 'Drafts', status: 'draft', sorting: { sort: 'updated', order: 'desc' } },
  { value: 'scheduled', label: 'Scheduled', status: 'scheduled', sorting: { sort: 'time', order: 'asc' } },
  { value: 'published', label: 'Published', status: 'published', sorting: { sort: 'time', order: 'desc' } },
  { value: 'failed', label: 'Failed', status: 'failed,partially_published', sorting: { sort: 'time', order: 'desc' } },
] as const satisfies readonly { value: string; label: string; status: string | null; sorting: Sorting }[];

export type StatusTab = (typeof tabs)[number]['value'];

/** The columns by which the list can be sorted. */
export const sortKeys = ['time', 'created', 'updated'] as const;
export type SortKey = (typeof sortKeys)[number];

export interface Sorting {
  sort: SortKey;
  order: 'asc' | 'desc';
}

/** The page's search parameters. */
export interface PostFilters extends Partial<Sorting> {
  /** Absent: all. */
  status?: Exclude<StatusTab, 'all'>;
  channel?: string;
  label?: string;
  /** As in `dates.ts`. */
  dates?: string;
  q?: string;
}

/** Each choice is a step of the history, so that Back undoes it. Letters of a search replace the address. */
export type OnFilter = (filters: PostFilters, replace?: boolean) => void;

export function readFilters(search: Record<string, unknown>): PostFilters {
  const tab = tabs.find(({ value }) => value === search.status)?.value ?? 'all';
  const sort = sortKeys.find((key) => key === search.sort);
  const dates = readDates(search.dates);
  return {
    ...(tab !== 'all' && { status: tab }),
    ...textIn(search, 'channel'),
    ...textIn(search, 'label'),
    ...(dates && { dates }),
    ...textIn(search, 'q'),
    ...(sort && { sort, order: search.order === 'asc' ? 'asc' : 'desc' }),
  };
}

/** The router reads digits in an address as a number. */
function textIn<Key extends 'channel' | 'label' | 'q'>(search: Record<string, unknown>, key: Key) {
  const value = search[key];
  const isText = typeof value === 'string' || typeof value === 'number';
  return (isText && value !== '' ? { [key]: String(value) } : {}) as { [K in Key]?: string };
}

/** Whether more than the tab limits the list. */
export const isFiltered = ({ channel, label, dates, q }: PostFilters): boolean =>
  [channel, label, dates, q].some((one) => one !== undefined);

const tabOf = ({ status }: PostFilters) => tabs.find(({ value }) => value === (status ?? 'all'))!;

/** What the tab is sorted by, unless the person chose otherwise. All brands together can't be sorted by their last change. */
export function sortingOf(filters: PostFilters, isAllBrands: boolean): Sorting {
  const { sort, order } = filters;
  const wanted: Sorting = sort ? { sort, order: order ?? 'desc' } : tabOf(filters).sorting;
  return isAllBrands && wanted.sort === 'updated' ? { ...wanted, sort: 'created' } : wanted;
}

/** Sorts by this column, or the other way round if the list is. */
export function sortedBy(key: SortKey, { sort, order }: Sorting): Sorting {
  return { sort: key, order: key === sort && order === 'desc' ? 'asc' : 'desc' };
}

const sortFields = { time: 'scheduledTime', created: 'createdAt', updated: 'updatedAt' } as const;

export interface ListContext {
  zone: string;
  today: DateKey;
  isAllBrands: boolean;
}

export const contextOf = (zone: string, isAllBrands: boolean): ListContext => ({
  zone,
  today: dateKeyOf(new Date(), zone),
  isAllBrands,
});

export function listInputOf(filters: PostFilters, { zone, today, isAllBrands }: ListContext): ListInput {
  const { channel, label, dates, q } = filters;
  const { status } = tabOf(filters);
  const { sort, order } = sortingOf(filters, isAllBrands);
  return {
    ...(status && { status }),
    sortBy: sortFields[sort],
    sortOrder: order,
    ...(channel && { channel }),
    ...(label && { label }),
    ...(dates && instantsOf(daysOf(dates, today), zone)),
    ...(q && { q }),
  };
}
