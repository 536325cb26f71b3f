import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { PostSummary } from '../../lib/posts/post-summary.ts';
import { postsApi } from '../../lib/posts/posts-api.ts';
import { keys } from '../../lib/query-keys.ts';
import { type CalendarSearch, channelsIn } from './calendar-range.ts';
import { groupByDay } from './views/group-by-day.ts';

const limit = 1000;
/** More than a person can read in a month. */
const maxPages = 10;

export const calendarQuery = (from: string, to: string) =>
  queryOptions({
    queryKey: [...keys.posts, 'calendar', from, to],
    queryFn: async ({ signal }) => {
      const posts: PostSummary[] = [];
      let cursor: string | undefined;
      for (let page = 1; page <= maxPages; page += 1) {
        const answer = await postsApi.listCompact({ from, to, limit, cursor }, signal);
        posts.push(...answer.posts);
        cursor = answer.pagination.nextCursor;
        if (cursor === undefined) break;
      }
      return posts;
    },
    placeholderData: keepPreviousData,
  });

/** All posts of the range, and those of the filters by day, in chronological order. Posts being moved have their new time. */
export function useCalendarPosts(
  range: { from: string; to: string },
  { channel, status, label }: CalendarSearch,
  zone: string,
  moved: ReadonlyMap<string, PostSummary>,
) {
  const query = useQuery(calendarQuery(range.from, range.to));
  const posts = useMemo(() => {
    const stored = (query.data ?? []).filter(({ postGroupId }) => !moved.has(postGroupId));
    return [...stored, ...moved.values()];
  }, [query.data, moved]);
  const byDay = useMemo(() => {
    const channels = channelsIn(channel);
    return groupByDay(
      // A draft that the keyboard has picked up is shown in any case.
      posts.filter((post) => moved.has(post.postGroupId) || matches(post, { channels, status, label })),
      zone,
    );
  }, [posts, moved, channel, status, label, zone]);
  return { ...query, posts, byDay };
}

export function matches(
  post: PostSummary,
  { channels, status, label }: { channels: readonly string[]; status: string | undefined; label: string | undefined },
): boolean {
  if (label !== undefined && !post.labels?.includes(label)) return false;
  if (channels.length > 0 && !post.platforms.some(({ platformId }) => channels.includes(platformId))) return false;
  if (!status) return true;
  return post.status === status || (status === 'failed' && post.status === 'partially_published');
}
