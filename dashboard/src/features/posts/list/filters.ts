import type { ListInput } from '../../../lib/posts-api.ts';

/** The list's tabs with their queries. */
export const tabs = [
  { value: 'all', label: 'All', ask: { sortBy: 'createdAt', sortOrder: 'desc' } },
  { value: 'draft', label: 'Drafts', ask: { status: 'draft', sortBy: 'updatedAt', sortOrder: 'desc' } },
  { value: 'scheduled', label: 'Scheduled', ask: { status: 'scheduled', sortBy: 'scheduledTime', sortOrder: 'asc' } },
  { value: 'published', label: 'Published', ask: { status: 'published', sortBy: 'scheduledTime', sortOrder: 'desc' } },
  {
    value: 'failed',
    label: 'Failed',
    ask: { status: 'failed,partially_published', sortBy: 'scheduledTime', sortOrder: 'desc' },
  },
] as const satisfies readonly { value: string; label: string; ask: ListInput }[];

export type StatusTab = (typeof tabs)[number]['value'];

/** The page's search parameters. */
export interface PostFilters {
  /** Absent: all. */
  status?: Exclude<StatusTab, 'all'>;
  channel?: string;
  q?: string;
}

export function readFilters(search: Record<string, unknown>): PostFilters {
  const tab = tabs.find(({ value }) => value === search.status)?.value ?? 'all';
  return {
    ...(tab !== 'all' && { status: tab }),
    ...(typeof search.channel === 'string' && search.channel && { channel: search.channel }),
    ...((typeof search.q === 'string' || typeof search.q === 'number') && search.q !== '' && { q: String(search.q) }),
  };
}

export function listInputOf({ status, channel, q }: PostFilters): ListInput {
  const { ask } = tabs.find(({ value }) => value === (status ?? 'all'))!;
  return { ...ask, ...(channel && { channel }), ...(q && { q }) };
}
