import { Problem } from '../../../foundation/errors/index.ts';
import type { Who } from '../../auth/access/api-key.ts';
import type { StoredConnection } from '../../connections/connections.ts';
import type { ActingApp } from '../../connections/credentials/act-as-account.ts';
import { actions, linkedinConnection } from './act-as-linkedin.ts';
import { type CachedCall, cachedCall } from './cached-call.ts';
import { type DateRange, rangeKey, readDateRange } from './dates.ts';
import { type Input, isMissing, readAccountId, readString } from './input.ts';
import { type Metric, presentMetrics, readEach, readMetrics } from './metrics.ts';
import { sharedName, statisticsSeconds } from './post-statistics.ts';

type Aggregation = 'TOTAL' | 'DAILY';

/** LinkedIn does not report members reached per day. */
const offered: Record<Aggregation, readonly Metric[]> = {
  TOTAL: actions.metrics,
  DAILY: actions.metrics.filter((metric) => metric !== 'MEMBERS_REACHED'),
};

/** contract.md#linkedin-account-statistics */
export async function accountStatistics(app: ActingApp, who: Who, input: Input) {
  if (isMissing(input.platformId)) throw new Problem('linkedin_platform_id_missing');
  const accountId = readAccountId(input.platformId);
  const aggregation = readAggregation(input.aggregation);
  const { isSingle, metrics } = readMetrics(input, offered[aggregation]);
  if (aggregation === 'DAILY' && metrics.includes('MEMBERS_REACHED')) throw new Problem('linkedin_daily_reach');
  const range = readDateRange(input.dateRange);
  const connection = await linkedinConnection(app, who.userId, accountId);
  const read = (metric: Metric): Promise<Total | Days> =>
    (aggregation === 'DAILY' ? accountDays : accountTotal)(app, connection, metric, range);
  if (!isSingle)
    return { ...presentMetrics(await readEach<Total['value'] | Days['value'], Metric>(metrics, read)), aggregation };
  const { value, cached } = await read(metrics[0]!);
  return { success: true, data: value, aggregation, cached };
}

type Total = Awaited<ReturnType<typeof accountTotal>>;
type Days = Awaited<ReturnType<typeof accountDays>>;

export async function accountTotal(
  app: ActingApp,
  connection: StoredConnection,
  metric: Metric,
  range: DateRange | null,
) {
  const { value, cached } = await cachedCall(app, cachedRequest(connection, 'TOTAL', metric, range), (ctx) =>
    actions.accountCounts(metric, range, ctx),
  );
  return { value: value[metric] ?? null, cached };
}

async function accountDays(app: ActingApp, connection: StoredConnection, metric: Metric, range: DateRange | null) {
  const { value, cached } = await cachedCall(app, cachedRequest(connection, 'DAILY', metric, range), (ctx) =>
    actions.accountCountsByDay(metric, range, ctx),
  );
  return { value: value[metric] ?? [], cached };
}

const cachedRequest = (
  connection: StoredConnection,
  aggregation: Aggregation,
  metric: Metric,
  range: DateRange | null,
): CachedCall => ({
  connection,
  about: `account ${aggregation} ${rangeKey(range)} ${sharedName(connection, metric)}`,
  seconds: statisticsSeconds,
  failure: 'linkedin_metric_failed',
});

function readAggregation(aggregation: unknown): Aggregation {
  if (isMissing(aggregation)) return 'TOTAL';
  const wanted = readString(aggregation, 'linkedin_aggregation_not_string').toUpperCase();
  if (wanted !== 'TOTAL' && wanted !== 'DAILY') throw new Problem('linkedin_aggregation_invalid');
  return wanted;
}
