import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { PostSummary } from '../../lib/post-summary.ts';
import { postsApi } from '../../lib/posts-api.ts';
import { keys } from '../../lib/query-keys.ts';
import type { CalendarSearch } from './calendar-range.ts';
import { groupByDay } from './views/group-by-day.ts';

const limit = 1000;
/** More than a person can read in a month. */
const maxPages = 10;

export const calendarQuery = (from: string, to: string) =>
  queryOptions({
    queryKey: [...keys.posts, 'calendar', from, to],
    queryFn: async ({ signal }) => {
      const posts: PostSummary[] = [];
      for (let page = 1; page <= maxPages; page += 1) {
        const answer = await postsApi.listCompact({ from, to, limit, page }, signal);
        posts.push(...answer.posts);
        if (!answer.pagination.hasNextPage) break;
      }
      return posts;
    },
    placeholderData: keepPreviousData,
  });

/** Filtered posts of the range by day, in chronological order. Posts being moved have their new time. */
export function useCalendarPosts(
  range: { from: string; to: string },
  { channel, status }: CalendarSearch,
  zone: string,
  moved: ReadonlyMap<string, PostSummary>,
) {
  const query = useQuery(calendarQuery(range.from, range.to));
  const byDay = useMemo(() => {
    const stored = (query.data ?? []).filter(({ postGroupId }) => !moved.has(postGroupId));
    const wanted = [...stored, ...moved.values()].filter((post) => matches(post, channel, status));
    return groupByDay(wanted, zone);
  }, [query.data, moved, channel, status, zone]);
  return { ...query, byDay };
}

function matches(post: PostSummary, channel?: string, status?: string): boolean {
  if (channel && !post.platforms.some(({ platformId }) => platformId === channel)) return false;
  if (!status) return true;
  return post.status === status || (status === 'failed' && post.status === 'partially_published');
}
