import type { LinkedinMetricError, ListedPostGroup, PostMetrics } from '@crier/client';
import { queryOptions } from '@tanstack/react-query';
import { crier } from '../../lib/api.ts';
import { platformOf } from '../../lib/platform-of.ts';
import { keys } from '../../lib/query-keys.ts';
import { lastDays } from './date-range.ts';

/** A number that a network gave, or null if it does not say. */
export type Metric = number | null;

export interface ProfileNumbers {
  numbers: readonly { name: string; value: Metric }[];
  /** When they were read, if that is known. */
  readAt: string | null;
  notes: readonly string[];
}

export interface PostNumbers {
  postGroupId: string;
  content: string;
  reactions: Metric;
  comments: Metric;
  reposts: Metric;
  impressions: Metric;
}

const microblogs = ['mastodon', 'bluesky'] as const;
type Microblog = (typeof microblogs)[number];
const microblogOf = (channel: string): Microblog | undefined =>
  microblogs.find((platform) => platform === platformOf(channel));

/** Whether a network gives numbers to this service at all. */
export const hasNumbers = (channel: string) => microblogOf(channel) !== undefined || platformOf(channel) === 'linkedin';

const staleTime = 5 * 60_000;

export const profileNumbersQuery = (channel: string) =>
  queryOptions({
    queryKey: ['insights', 'profile', channel],
    queryFn: ({ signal }) => readProfile(channel, signal),
    staleTime,
  });

export const followerGrowthQuery = (channel: string) =>
  queryOptions({
    queryKey: ['insights', 'followers', channel],
    queryFn: async ({ signal }) =>
      (await crier.getLinkedinFollowers({ platformId: channel, period: 'daily', dateRange: lastDays(30) }, { signal }))
        .data ?? [],
    staleTime,
  });

export const postNumbersQuery = (channel: string) =>
  queryOptions({
    queryKey: [...keys.posts, 'insights', channel],
    queryFn: ({ signal }) => readPosts(channel, signal),
    staleTime,
  });

async function readProfile(platformId: string, signal: AbortSignal): Promise<ProfileNumbers> {
  const platform = microblogOf(platformId);
  if (!platform) return readLinkedinProfile(platformId, signal);
  const answer = await crier.getProfileStatistics({ platform, platformId }, { signal });
  const { profile, fetchedAt, rateLimited, unavailable } = answer;
  return {
    numbers: [
      { name: 'Followers', value: profile?.followers ?? null },
      { name: 'Following', value: profile?.following ?? null },
      { name: 'Posts', value: profile?.posts ?? null },
    ],
    readAt: fetchedAt,
    notes: [
      ...(rateLimited ? ['The network asked to be left alone for a while. Try again later.'] : []),
      ...(unavailable ? ['The network refuses. Connect the channel again.'] : []),
    ],
  };
}

async function readLinkedinProfile(platformId: string, signal: AbortSignal): Promise<ProfileNumbers> {
  const { profile, errors = [] } = await crier.getLinkedinProfileSummary({ platformId }, { signal });
  const { followers, posts } = profile;
  return {
    numbers: [
      { name: 'Followers', value: followers.total },
      { name: 'Impressions', value: posts.totalImpressions },
      { name: 'Members reached', value: posts.totalMembersReached },
      { name: 'Reactions', value: posts.totalReactions },
      { name: 'Comments', value: posts.totalComments },
      { name: 'Reposts', value: posts.totalReshares },
    ],
    readAt: null,
    notes: errors.map(({ error }: LinkedinMetricError) => error),
  };
}

const maxPosts = 20;

async function readPosts(channel: string, signal: AbortSignal): Promise<PostNumbers[]> {
  const { posts } = await crier.listPosts(
    { channel, status: 'published,partially_published', limit: maxPosts, sortBy: 'createdAt', sortOrder: 'desc' },
    { signal },
  );
  const published = posts.flatMap((group) => ('posts' in group ? publishedOn(channel, group) : []));
  if (published.length === 0) return [];
  const platform = microblogOf(channel);
  if (!platform) return Promise.all(published.map((post) => readLinkedinPost(channel, post, signal)));
  const asked = published.map(({ postedId }) => ({ platform, platformId: channel, postedId }));
  const { stats } = await crier.getPostStatistics({ posts: asked }, { signal });
  return published.map(({ postedId, ...post }) => ({ ...post, ...numbersOf(stats[postedId] ?? null) }));
}

interface Published {
  postGroupId: string;
  content: string;
  postedId: string;
}

function publishedOn(channel: string, { postGroupId, content, posts }: ListedPostGroup): Published[] {
  const postedId = posts.find(({ platformId, postedId }) => platformId === channel && postedId)?.postedId;
  return postedId ? [{ postGroupId, content, postedId }] : [];
}

const numbersOf = (metrics: PostMetrics | null) => ({
  reactions: metrics?.reactions ?? null,
  comments: metrics?.comments ?? null,
  reposts: metrics?.reposts ?? null,
  impressions: metrics?.impressions ?? null,
});

async function readLinkedinPost(
  platformId: string,
  { postedId, ...post }: Published,
  signal: AbortSignal,
): Promise<PostNumbers> {
  const { metrics = {} } = await crier.getLinkedinPostStatistics(
    { platformId, postedId, queryTypes: 'ALL' },
    { signal },
  );
  return {
    ...post,
    reactions: metrics.REACTION ?? null,
    comments: metrics.COMMENT ?? null,
    reposts: metrics.RESHARE ?? null,
    impressions: metrics.IMPRESSION ?? null,
  };
}
