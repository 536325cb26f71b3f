import type { GetPostStatisticsResult, GetProfileStatisticsInput } from '@crier/client';
import { crier } from '../../lib/api.ts';
import { platformName } from '../../lib/platform-name.ts';
import type { StatisticsSource } from './source.ts';

/** The numbers of a network that the routes for statistics can read. */
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
          // With an issue nothing is known about the post, not even that it is gone.
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

/** Why a network reports nothing at the moment, and what to do. */
const reasonOf = (issue: Issue, platform: string): string => reasons[issue](platformName(platform));

const reasons: Record<Issue, (name: string) => string> = {
  CONNECTION_NOT_FOUND: (name) => `This channel is no longer connected. Connect it again to read from ${name}.`,
  AUTH_REVOKED: (name) => `${name} no longer lets Crier read this account. Connect the channel again.`,
  FORBIDDEN: (name) => `${name} does not let Crier read these numbers. Connect the channel again to ask for it.`,
  RATE_LIMITED: (name) => `${name} asked Crier to wait before it reads more. Try again in a while.`,
  FETCH_FAILED: (name) => `${name} did not answer. Try again in a while.`,
};
