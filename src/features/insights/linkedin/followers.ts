import { Problem } from '../../../foundation/errors/index.ts';
import type { Who } from '../../auth/access/api-key.ts';
import type { StoredConnection } from '../../connections/connections.ts';
import type { ActingApp } from '../../connections/credentials/act-as-account.ts';
import { actions, linkedinConnection } from './act-as-linkedin.ts';
import { cachedCall } from './cached-call.ts';
import { type DateRange, isoDay, rangeKey, readDateRange } from './dates.ts';
import { type Input, isMissing, readAccountId, readString } from './input.ts';

const seconds = 2 * 3600;
const failure = 'linkedin_followers_failed';

/** contract.md#linkedin-followers */
export async function followerStatistics(app: ActingApp, who: Who, { platformId, period, dateRange }: Input) {
  if (isMissing(platformId)) throw new Problem('linkedin_platform_id_missing');
  const accountId = readAccountId(platformId);
  const range = readPeriod(period) === 'daily' ? readRequiredRange(dateRange) : null;
  const connection = await linkedinConnection(app, who.userId, accountId);
  if (!range) {
    const { value, cached } = await followersOf(app, connection);
    return { success: true as const, followersCount: value, cached };
  }
  const { value, cached } = await followersByDay(app, connection, range);
  const data = value.map(({ day, count }) => ({ date: isoDay(day), count }));
  return { success: true as const, data, totalGrowth: growth(value), cached };
}

export const followersOf = (app: ActingApp, connection: StoredConnection) =>
  cachedCall(app, { connection, about: 'followers', seconds, failure }, (ctx) => actions.followers(ctx));

export const followersByDay = (app: ActingApp, connection: StoredConnection, range: DateRange) =>
  cachedCall(app, { connection, about: `followers ${rangeKey(range)}`, seconds, failure }, (ctx) =>
    actions.followersByDay(range, ctx),
  );

/** Days for which LinkedIn reports no number count as 0. */
export const growth = (days: readonly { count: number | null }[]) =>
  days.reduce((sum, { count }) => sum + (count ?? 0), 0);

function readPeriod(period: unknown): 'lifetime' | 'daily' {
  if (isMissing(period)) return 'lifetime';
  const wanted = readString(period, 'linkedin_period_not_string').toLowerCase();
  if (wanted !== 'lifetime' && wanted !== 'daily') throw new Problem('linkedin_period_invalid');
  return wanted;
}

function readRequiredRange(dateRange: unknown): DateRange {
  const range = readDateRange(dateRange);
  if (!range) throw new Problem('linkedin_date_range_missing');
  return range;
}
