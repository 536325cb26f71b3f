import type { LinkedinMetricError } from '@crier/client';
import { crier } from '../../lib/api.ts';
import { keyOfDate, lastDays } from './date-range.ts';
import type { Day, StatisticsSource } from './source.ts';

/** LinkedIn has separate routes for statistics. */
export const linkedinStatistics: StatisticsSource = {
  async readProfile(platformId, signal) {
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
  },
  async readPosts(platformId, posts, signal) {
    const answers = await Promise.all(
      posts.map(({ postedId }) =>
        crier.getLinkedinPostStatistics({ platformId, postedId, queryTypes: 'ALL' }, { signal }),
      ),
    );
    return {
      posts: posts.map(({ postedId: _, ...post }, index) => {
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
  },
  byDay: {
    async readFollowers(platformId, signal) {
      const asked = { platformId, period: 'daily' as const, dateRange: lastDays(30) };
      return (await crier.getLinkedinFollowers(asked, { signal })).data ?? [];
    },
    async readEngagement(platformId, signal) {
      const { metrics = {}, errors = [] } = await crier.getLinkedinAccountStatistics(
        {
          platformId,
          queryTypes: dailyMetrics.map(([metric]) => metric),
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
    },
  },
};

const dailyMetrics = [
  ['IMPRESSION', 'impressions'],
  ['REACTION', 'reactions'],
  ['COMMENT', 'comments'],
  ['RESHARE', 'reposts'],
] as const;

/** Metrics often fail for the same reason, so deduplicate. */
const reasonsIn = (errors: readonly LinkedinMetricError[]): string[] => [...new Set(errors.map(({ error }) => error))];
