import type { GetPostStatisticsResult, GetProfileStatisticsInput } from '@crier/client';
import { crier } from '../../lib/api.ts';
import { platformName } from '../../lib/platform-name.ts';
import type { StatisticsSource } from './source.ts';

/** A source that uses the generic statistics routes. */
export const statisticsOf = (platform: GetProfileStatisticsInput['platform']): StatisticsSource => ({
  async readProfile(platformId, signal) {
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
  },
  async readPosts(platformId, posts, signal) {
    const asked = posts.map(({ postedId }) => ({ platform, platformId, postedId }));
    const { stats, issues = {} } = await crier.getPostStatistics({ posts: asked }, { signal });
    const found = Object.values(issues);
    return {
      posts: posts.map(({ postedId, ...post }) => {
        const metrics = stats[postedId] ?? null;
        return {
          ...post,
          // After an issue nothing is known about the post, not even that it is gone.
          isGone: metrics === null && found.length === 0,
          reactions: metrics?.reactions ?? null,
          comments: metrics?.comments ?? null,
          reposts: metrics?.reposts ?? null,
          impressions: metrics?.impressions ?? null,
        };
      }),
      notes: [...new Set(found)].map((reason) => reasonOf(reason, platform)),
    };
  },
});

type Issue = NonNullable<GetPostStatisticsResult['issues']>[string];

/** Why a network currently provides no data, and what to do. */
const reasonOf = (issue: Issue, platform: string): string => reasons[issue](platformName(platform));

const reasons: Record<Issue, (name: string) => string> = {
  CONNECTION_NOT_FOUND: (name) => `This channel is disconnected. Reconnect it to read statistics from ${name}.`,
  AUTH_REVOKED: (name) => `${name} revoked Crier’s access to this account. Reconnect the channel.`,
  FORBIDDEN: (name) => `${name} doesn’t allow Crier to read these statistics. Reconnect the channel to grant access.`,
  RATE_LIMITED: (name) => `${name} is rate limiting Crier. Try again in a few minutes.`,
  FETCH_FAILED: (name) => `${name} didn’t respond. Try again in a few minutes.`,
};
