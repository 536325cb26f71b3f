import type { LinkedinMetricError, ListedPostGroup, PostMetrics } from '@crier/client';
import { queryOptions } from '@tanstack/react-query';
import { crier } from '../../lib/api.ts';
import { platformOf } from '../../lib/platform-of.ts';
import { keys } from '../../lib/query-keys.ts';
import { keyOfDate, lastDays } from './date-range.ts';
import { reasonOf } from './reasons.ts';

/** A number that a network gave, or null if it does not say. */
export type Metric = number | null;

export interface ProfileNumbers {
  numbers: readonly { name: string; value: Metric }[];
  /** When they were read, if that is known. */
  readAt: string | null;
  /** Why numbers are missing. */
  notes: readonly string[];
}

export interface PostNumbers {
  postGroupId: string;
  content: string;
  /** The network does not know the post. */
  isGone: boolean;
  reactions: Metric;
  comments: Metric;
  reposts: Metric;
  impressions: Metric;
}

interface PostList {
  posts: readonly PostNumbers[];
  /** Why numbers are missing. */
  notes: readonly string[];
}

/** What happened on one day, by metric. */
export interface Day {
  date: string;
  impressions: Metric;
  reactions: Metric;
  comments: Metric;
  reposts: Metric;
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

export const dailyNumbersQuery = (channel: string) =>
  queryOptions({
    queryKey: ['insights', 'days', channel],
    queryFn: ({ signal }) => readDays(channel, signal),
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
      ...(rateLimited ? [reasonOf('RATE_LIMITED', platform)] : []),
      ...(unavailable ? [reasonOf(unavailable, platform)] : []),
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
    notes: reasonsIn(errors),
  };
}

/** Several metrics often fail for the same reason, which is said once. */
const reasonsIn = (errors: readonly LinkedinMetricError[]): string[] => [...new Set(errors.map(({ error }) => error))];

async function readDays(
  platformId: string,
  signal: AbortSignal,
): Promise<{ days: readonly Day[]; notes: readonly string[] }> {
  const { metrics = {}, errors = [] } = await crier.getLinkedinAccountStatistics(
    {
      platformId,
      queryTypes: ['IMPRESSION', 'REACTION', 'COMMENT', 'RESHARE'],
      aggregation: 'DAILY',
      dateRange: lastDays(30),
    },
    { signal },
  );
  const days = new Map<string, Day>();
  for (const [metric, name] of dailyMetrics) {
    const counts = metrics[metric];
    for (const { count, dateRange } of Array.isArray(counts) ? counts : []) {
      const date = keyOfDate(dateRange.start);
      const day = days.get(date) ?? { date, impressions: null, reactions: null, comments: null, reposts: null };
      days.set(date, { ...day, [name]: count });
    }
  }
  const sorted = [...days.values()].sort((a, b) => a.date.localeCompare(b.date));
  return { days: sorted, notes: reasonsIn(errors) };
}

const dailyMetrics = [
  ['IMPRESSION', 'impressions'],
  ['REACTION', 'reactions'],
  ['COMMENT', 'comments'],
  ['RESHARE', 'reposts'],
] as const;

const maxPosts = 20;

async function readPosts(channel: string, signal: AbortSignal): Promise<PostList> {
  const { posts } = await crier.listPosts(
    { channel, status: 'published,partially_published', limit: maxPosts, sortBy: 'createdAt', sortOrder: 'desc' },
    { signal },
  );
  const published = posts.flatMap((group) => ('posts' in group ? publishedOn(channel, group) : []));
  if (published.length === 0) return { posts: [], notes: [] };
  const platform = microblogOf(channel);
  if (!platform) return readLinkedinPosts(channel, published, signal);
  const asked = published.map(({ postedId }) => ({ platform, platformId: channel, postedId }));
  const { stats, issues = {} } = await crier.getPostStatistics({ posts: asked }, { signal });
  const reasons = Object.values(issues);
  return {
    posts: published.map(({ postedId, ...post }) => {
      const metrics = stats[postedId] ?? null;
      // With an issue nothing is known about the post, not even that it is gone.
      return { ...post, isGone: metrics === null && reasons.length === 0, ...numbersOf(metrics) };
    }),
    notes: [...new Set(reasons)].map((reason) => reasonOf(reason, platform)),
  };
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

async function readLinkedinPosts(
  platformId: string,
  published: readonly Published[],
  signal: AbortSignal,
): Promise<PostList> {
  const answers = await Promise.all(
    published.map(({ postedId }) =>
      crier.getLinkedinPostStatistics({ platformId, postedId, queryTypes: 'ALL' }, { signal }),
    ),
  );
  return {
    posts: published.map(({ postedId: _, ...post }, index) => {
      const { metrics = {} } = answers[index]!;
      return {
        ...post,
        isGone: false,
        reactions: metrics.REACTION ?? null,
        comments: metrics.COMMENT ?? null,
        reposts: metrics.RESHARE ?? null,
        impressions: metrics.IMPRESSION ?? null,
      };
    }),
    notes: reasonsIn(answers.flatMap(({ errors = [] }) => errors)),
  };
}
