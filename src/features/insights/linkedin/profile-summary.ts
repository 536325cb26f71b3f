import { Problem } from '../../../foundation/errors/index.ts';
import type { Who } from '../../auth/access/api-key.ts';
import type { ActingApp } from '../../connections/credentials/act-as-account.ts';
import { accountTotal } from './account-statistics.ts';
import { linkedinConnection } from './act-as-linkedin.ts';
import { readDateRange } from './dates.ts';
import { followersByDay, followersOf, growth } from './followers.ts';
import { type Input, isMissing, readAccountId } from './input.ts';
import { type Outcomes, readEach } from './metrics.ts';

const postMetrics = {
  post_IMPRESSION: 'IMPRESSION',
  post_MEMBERS_REACHED: 'MEMBERS_REACHED',
  post_REACTION: 'REACTION',
  post_COMMENT: 'COMMENT',
  post_RESHARE: 'RESHARE',
} as const;
type Part = 'followersLifetime' | 'followersPeriod' | keyof typeof postMetrics;

const postParts = Object.keys(postMetrics) as (keyof typeof postMetrics)[];

/** Combines the other statistics and shares their cache (contract.md#linkedin-profile-summary). */
export async function profileSummary(app: ActingApp, who: Who, { platformId, dateRange }: Input) {
  if (isMissing(platformId)) throw new Problem('linkedin_platform_id_missing');
  const accountId = readAccountId(platformId);
  const range = readDateRange(dateRange);
  const connection = await linkedinConnection(app, who.userId, accountId);
  const parts: Part[] = ['followersLifetime', ...(range ? (['followersPeriod'] as const) : []), ...postParts];
  const outcomes = await readEach<number | null, Part>(parts, async (part) => {
    if (part === 'followersLifetime') return followersOf(app, connection);
    if (part !== 'followersPeriod') return accountTotal(app, connection, postMetrics[part], range);
    const { value, cached } = await followersByDay(app, connection, range!);
    return { value: growth(value), cached };
  });
  const errors = parts
    .filter((part) => outcomes.get(part)?.status === 'rejected')
    .map((part) => ({ metric: part, error: `Failed to fetch ${nameOf(part)}` }));
  if (errors.length === parts.length) throw new Problem('linkedin_profile_unreachable', { success: false, errors });
  const profile = present(outcomes, range !== null);
  return errors.length === 0
    ? { success: true, profile }
    : { success: false, partialData: true as const, profile, errors };
}

function present(outcomes: Outcomes<number | null>, hasPeriod: boolean) {
  /** A metric that could not be fetched is 0 and listed in the errors. */
  const countOf = (part: Part) => {
    const outcome = outcomes.get(part);
    return outcome?.status === 'fulfilled' ? outcome.value.value : 0;
  };
  return {
    followers: {
      total: countOf('followersLifetime'),
      ...(hasPeriod && { periodGrowth: countOf('followersPeriod') }),
    },
    posts: {
      totalImpressions: countOf('post_IMPRESSION'),
      totalMembersReached: countOf('post_MEMBERS_REACHED'),
      totalReactions: countOf('post_REACTION'),
      totalComments: countOf('post_COMMENT'),
      totalReshares: countOf('post_RESHARE'),
    },
  };
}

function nameOf(part: Part): string {
  if (part === 'followersLifetime') return 'follower count';
  if (part === 'followersPeriod') return 'follower growth';
  return `${postMetrics[part].toLowerCase()} count`;
}
