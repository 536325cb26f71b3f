import { Problem } from '../../../foundation/errors/index.ts';
import type { Who } from '../../auth/access/api-key.ts';
import type { StoredConnection } from '../../connections/connections.ts';
import type { ActingApp } from '../../connections/credentials/act-as-account.ts';
import { actions, linkedinConnection } from './act-as-linkedin.ts';
import { cachedCall } from './cached-call.ts';
import { type Input, isEmpty, isMissing, readAccountId, readPostUrn, readString } from './input.ts';
import { type Metric, presentMetrics, readEach, readMetrics } from './metrics.ts';

/** For post and account statistics. */
export const statisticsSeconds = 30 * 60;

/** contract.md#linkedin-post-statistics */
export async function postStatistics(app: ActingApp, who: Who, input: Input) {
  const { postedId, platformId } = input;
  if (isEmpty(postedId) || isMissing(platformId)) throw new Problem('linkedin_post_statistics_fields_missing');
  const post = readPost(postedId);
  const accountId = readAccountId(platformId);
  const { isSingle, metrics } = readMetrics(input);
  const connection = await linkedinConnection(app, who.userId, accountId);
  const read = (metric: Metric) => readMetric(app, connection, post, metric);
  if (!isSingle) return presentMetrics(await readEach(metrics, read));
  const { value, cached } = await read(metrics[0]!);
  return { success: true, count: value, cached };
}

/** A plain number is the id of a share. */
function readPost(postedId: unknown): string {
  const given = readString(postedId, 'linkedin_post_statistics_fields_not_strings');
  return readPostUrn(/^\d+$/.test(given) ? `urn:li:share:${given}` : given);
}

async function readMetric(app: ActingApp, connection: StoredConnection, post: string, metric: Metric) {
  const cachedRequest = {
    connection,
    about: `post ${post} ${sharedName(connection, metric)}`,
    seconds: statisticsSeconds,
    failure: 'linkedin_metric_failed',
  } as const;
  const { value, cached } = await cachedCall(app, cachedRequest, (ctx) => actions.postCounts(post, metric, ctx));
  return { value: value[metric] ?? null, cached };
}

/** One request returns all metrics of a page, so they share a cache entry. */
export const sharedName = ({ traits }: StoredConnection, metric: Metric) => (traits.isCompanyPage ? 'page' : metric);
