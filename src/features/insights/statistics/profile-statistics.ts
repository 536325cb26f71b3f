import type { output } from 'zod';
import { Problem } from '../../../foundation/errors/index.ts';
import type { Who } from '../../auth/access/api-key.ts';
import type { ActingApp } from '../../connections/credentials/act-as-account.ts';
import { connectionFor } from '../../connections/find-connection.ts';
import { withCooldown } from '../cooldown.ts';
import { fetchCached } from '../shared-cache.ts';
import type { ProfileStatistics, ProfileStatisticsRequest } from './schema.ts';
import { accountIdIn, cacheSeconds, readerFor, requirePlatformError, type StatsReader } from './stats-reader.ts';
import { budgetMs, withTimeBudget } from './time-budget.ts';

type Answer = output<typeof ProfileStatistics>;

/** The number of followers, followed accounts and posts of an account. */
export async function profileStatistics(
  app: ActingApp,
  who: Pick<Who, 'userId'>,
  { platform, platformId }: output<typeof ProfileStatisticsRequest>,
  timeMs = budgetMs,
): Promise<Answer> {
  const accountId = accountIdIn(platform, platformId);
  return withTimeBudget(timeMs, async (signal) => {
    const connection = await connectionFor(app, who.userId, platform, accountId);
    if (!connection) {
      throw new Problem('statistics_connection_not_found', { error: `${platform} connection not found` });
    }
    const reader = readerFor(app, connection);
    try {
      return await readProfile(app, reader, `profile ${platform} ${accountId}`, signal);
    } catch (error) {
      return withoutProfile(reader.issueOf(requirePlatformError(error)));
    }
  });
}

async function readProfile(app: ActingApp, reader: StatsReader, key: string, signal: AbortSignal): Promise<Answer> {
  const load = async () => ({
    ...(await withCooldown(app, reader.name, () => reader.profile(signal))),
    fetchedAt: app.clock.now().toISOString(),
  });
  const answer = await fetchCached(app, key, cacheSeconds, load, reader.failureScope);
  const { fetchedAt, ...profile } = answer.value;
  return { success: true, profile, cached: answer.cached, fetchedAt };
}

/** A temporary failure has no reason in the response: a later request reads the profile. */
function withoutProfile(issue: ReturnType<StatsReader['issueOf']>): Answer {
  const none = { success: true, profile: null, cached: false, fetchedAt: null } as const;
  if (issue === 'RATE_LIMITED') return { ...none, rateLimited: true };
  if (issue === 'AUTH_REVOKED' || issue === 'FORBIDDEN') return { ...none, unavailable: issue };
  return none;
}
