import type { output } from 'zod';
import { connectionFor } from '../../connections/own-connection.ts';
import { Problem } from '../../errors.ts';
import type { Who } from '../../http/auth.ts';
import { cached } from '../cached.ts';
import { unlessResting } from '../rest.ts';
import { budgetMs, requireAnalytics, withinBudget } from './budget.ts';
import type { ProfileStatistics, ProfileStatisticsRequest } from './schema.ts';
import { accountIn, failureIn, type Needs, rememberSeconds, type Way, wayTo } from './way.ts';

type Answer = output<typeof ProfileStatistics>;

/** How many follow the account, how many it follows, and how much it has posted. */
export async function profileStatistics(
  app: Needs,
  who: Pick<Who, 'userId' | 'plan'>,
  { platform, platformId }: output<typeof ProfileStatisticsRequest>,
  timeMs = budgetMs,
): Promise<Answer> {
  requireAnalytics(who);
  const accountId = accountIn(platform, platformId);
  return withinBudget(timeMs, async (signal) => {
    const connection = await connectionFor(app, who.userId, platform, accountId);
    if (!connection) {
      throw new Problem('statistics_connection_not_found', { error: `${platform} connection not found` });
    }
    const way = wayTo(app, connection);
    try {
      return await readProfile(app, way, `profile ${platform} ${accountId}`, signal);
    } catch (error) {
      return withoutProfile(way.issueOf(failureIn(error)));
    }
  });
}

async function readProfile(app: Needs, way: Way, key: string, signal: AbortSignal): Promise<Answer> {
  const ask = async () => ({
    ...(await unlessResting(app, way.name, () => way.profile(signal))),
    fetchedAt: app.clock.now().toISOString(),
  });
  const answer = await cached(app, key, rememberSeconds, ask, way.asker);
  const { fetchedAt, ...profile } = answer.value;
  return { success: true, profile, cached: answer.cached, fetchedAt };
}

function withoutProfile(issue: ReturnType<Way['issueOf']>): Answer {
  const none = { success: true, profile: null, cached: false, fetchedAt: null } as const;
  if (issue === 'RATE_LIMITED') return { ...none, rateLimited: true };
  if (issue === 'AUTH_REVOKED' || issue === 'FORBIDDEN') return { ...none, unavailable: issue };
  throw new Problem('profile_statistics_failed');
}
