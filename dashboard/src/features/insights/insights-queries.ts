import { statisticsPlatforms } from 'virtual:openapi';
import type { ListedPostGroup } from '@crier/client';
import { queryOptions } from '@tanstack/react-query';
import { crier } from '../../lib/api.ts';
import { platformOf } from '../../lib/platform-name.ts';
import { keys } from '../../lib/query-keys.ts';
import { linkedinStatistics } from './linkedin-statistics.ts';
import type { PublishedPost, StatisticsSource } from './source.ts';
import { statisticsOf } from './statistics.ts';

/** Statistics sources by platform. */
const sources: Readonly<Record<string, StatisticsSource>> = {
  ...Object.fromEntries(statisticsPlatforms.map((platform) => [platform, statisticsOf(platform)])),
  linkedin: linkedinStatistics,
};

export const platformsWithNumbers: readonly string[] = Object.keys(sources);
export const hasNumbers = (platform: string) => platform in sources;
export const hasNumbersByDay = (platform: string) => sources[platform]?.byDay !== undefined;

const staleTime = 5 * 60_000;

export const profileNumbersQuery = (channel: string) =>
  queryOptions({
    queryKey: ['insights', 'profile', channel],
    queryFn: ({ signal }) => sourceOf(channel).readProfile(channel, signal),
    staleTime,
  });

export const followerGrowthQuery = (channel: string) =>
  queryOptions({
    queryKey: ['insights', 'followers', channel],
    queryFn: async ({ signal }) => (await sourceOf(channel).byDay?.readFollowers(channel, signal)) ?? [],
    staleTime,
  });

export const dailyNumbersQuery = (channel: string) =>
  queryOptions({
    queryKey: ['insights', 'days', channel],
    queryFn: async ({ signal }) =>
      (await sourceOf(channel).byDay?.readEngagement(channel, signal)) ?? { days: [], notes: [] },
    staleTime,
  });

export const postNumbersQuery = (channel: string) =>
  queryOptions({
    queryKey: [...keys.posts, 'insights', channel],
    queryFn: async ({ signal }) => {
      const published = await listPublished(channel, signal);
      return published.length === 0
        ? { posts: [], notes: [] }
        : sourceOf(channel).readPosts(channel, published, signal);
    },
    staleTime,
  });

function sourceOf(channel: string): StatisticsSource {
  const source = sources[platformOf(channel)];
  if (!source) throw new Error(`${platformOf(channel)} has no statistics source.`);
  return source;
}

const maxPosts = 20;

async function listPublished(channel: string, signal: AbortSignal): Promise<PublishedPost[]> {
  const { posts } = await crier.listPosts(
    { channel, status: 'published,partially_published', limit: maxPosts, sortBy: 'createdAt', sortOrder: 'desc' },
    { signal },
  );
  return posts.flatMap((group) => ('posts' in group ? publishedOn(channel, group) : []));
}

function publishedOn(channel: string, { postGroupId, content, posts }: ListedPostGroup): PublishedPost[] {
  const postedId = posts.find(({ platformId, postedId }) => platformId === channel && postedId)?.postedId;
  return postedId ? [{ postGroupId, content, postedId }] : [];
}
