import { type output, z } from 'zod';
import type { Context } from '../../kit/index.ts';
import { type Credentials, call, encodeKey } from '../api.ts';
import { requirePermission } from '../scopes.ts';
import { type DateRange, DayShape, dateRangeParameter } from './dates.ts';
import { type Count, type Counts, countOf, type DailyCounts, type Metric } from './metrics.ts';
import { pageMetrics, pageMetricsByDay, pageMetricsOfPost } from './page-statistics.ts';
import { asAction, onFirstTarget, postTargetsOf } from './targets.ts';

type Ctx = Context<Credentials>;

export async function postCounts(post: string, metric: Metric, ctx: Ctx): Promise<Counts> {
  requirePermission('read the statistics of posts', ctx.credentials);
  if (ctx.credentials.organizationId !== null) return asAction(pageMetricsOfPost(postTargetsOf(post), ctx));
  const read = (urn: string) => {
    const entity = `(${urn.startsWith('urn:li:share:') ? 'share' : 'ugc'}:${encodeKey(urn)})`;
    return memberTotal(`q=entity&entity=${entity}`, metric, ctx);
  };
  const { answer } = await asAction(onFirstTarget(postTargetsOf(post), read));
  return { [metric]: answer };
}

export async function accountCounts(metric: Metric, range: DateRange | null, ctx: Ctx): Promise<Counts> {
  requirePermission('read the statistics of posts', ctx.credentials);
  if (ctx.credentials.organizationId !== null) return asAction(pageMetrics(range, ctx));
  return { [metric]: await asAction(memberTotal(`q=me${rangeQuery(range)}`, metric, ctx)) };
}

export async function accountCountsByDay(metric: Metric, range: DateRange | null, ctx: Ctx): Promise<DailyCounts> {
  requirePermission('read the statistics of posts', ctx.credentials);
  if (ctx.credentials.organizationId !== null) return asAction(pageMetricsByDay(range, ctx));
  const elements = await asAction(memberElements(`q=me${rangeQuery(range)}`, metric, 'DAILY', ctx));
  const days = elements.flatMap(({ count, dateRange }) => (dateRange ? [{ count: countOf(count), dateRange }] : []));
  return { [metric]: days };
}

const RangeShape = z.object({ start: DayShape, end: DayShape });
const Analytics = z.object({ elements: z.array(z.object({ count: z.number(), dateRange: RangeShape.optional() })) });

async function memberTotal(query: string, metric: Metric, ctx: Ctx): Promise<Count> {
  const [first] = await memberElements(query, metric, 'TOTAL', ctx);
  return countOf(first?.count ?? 0);
}

/** LinkedIn returns one metric per call. */
async function memberElements(
  query: string,
  metric: Metric,
  aggregation: 'TOTAL' | 'DAILY',
  ctx: Ctx,
): Promise<output<typeof Analytics>['elements']> {
  const path = `/rest/memberCreatorPostAnalytics?${query}&queryType=${metric}&aggregation=${aggregation}`;
  const { accessToken } = ctx.credentials;
  return (await call(Analytics, { path, accessToken, finder: true }, ctx)).elements;
}

const rangeQuery = (range: DateRange | null) => (range ? `&dateRange=${dateRangeParameter(range)}` : '');
