import { type output, z } from 'zod';
import type { Context } from '../../kit/index.ts';
import { authorOf, type Credentials, call, encodeKey } from '../api.ts';
import { type DateRange, dayAt, intervalsParameter, lastWeek } from './dates.ts';
import { type Counts, countOf, type DailyCounts, type Metric, metrics } from './metrics.ts';

type Ctx = Context<Credentials>;

const Statistics = z.object({
  elements: z.array(
    z.object({
      timeRange: z.object({ start: z.number(), end: z.number() }).optional(),
      totalShareStatistics: z.object({
        impressionCount: z.number().default(0),
        uniqueImpressionsCount: z.number().default(0),
        likeCount: z.number().default(0),
        commentCount: z.number().default(0),
        shareCount: z.number().default(0),
      }),
    }),
  ),
});
type Element = output<typeof Statistics>['elements'][number];

const fields = {
  IMPRESSION: 'impressionCount',
  MEMBERS_REACHED: 'uniqueImpressionsCount',
  RESHARE: 'shareCount',
  REACTION: 'likeCount',
  COMMENT: 'commentCount',
} as const satisfies Record<Metric, keyof Element['totalShareStatistics']>;

export async function pageMetrics(range: DateRange | null, ctx: Ctx): Promise<Counts> {
  return sumOf(await read(range ? `&timeIntervals=${intervalsParameter(range)}` : '', ctx));
}

/** LinkedIn omits posts without any interaction. */
export async function pageMetricsOfPost(urns: readonly string[], ctx: Ctx): Promise<Counts> {
  for (const urn of urns) {
    const list = urn.startsWith('urn:li:share:') ? 'shares' : 'ugcPosts';
    const elements = await read(`&${list}=List(${encodeKey(urn)})`, ctx);
    if (elements.length > 0) return sumOf(elements);
  }
  return sumOf([]);
}

export async function pageMetricsByDay(range: DateRange | null, ctx: Ctx): Promise<DailyCounts> {
  const elements = await read(`&timeIntervals=${intervalsParameter(range ?? lastWeek(ctx.now()))}`, ctx);
  const daysOf = (metric: Metric) =>
    elements.flatMap(({ timeRange, totalShareStatistics }) =>
      timeRange
        ? {
            count: countOf(totalShareStatistics[fields[metric]]),
            dateRange: { start: dayAt(timeRange.start), end: dayAt(timeRange.end) },
          }
        : [],
    );
  return Object.fromEntries(metrics.map((metric) => [metric, daysOf(metric)]));
}

async function read(query: string, ctx: Ctx): Promise<Element[]> {
  const page = encodeKey(authorOf(ctx));
  const path = `/rest/organizationalEntityShareStatistics?q=organizationalEntity&organizationalEntity=${page}${query}`;
  const { accessToken } = ctx.credentials;
  return (await call(Statistics, { path, accessToken, finder: true }, ctx)).elements;
}

/** A person reached on two days counts twice, because LinkedIn counts per day. */
function sumOf(elements: readonly Element[]): Counts {
  const [only, ...others] = elements;
  const sum = (metric: Metric) =>
    elements.reduce((sum, { totalShareStatistics }) => sum + totalShareStatistics[fields[metric]], 0);
  const count = (metric: Metric) =>
    only && others.length === 0 ? countOf(only.totalShareStatistics[fields[metric]]) : sum(metric);
  return Object.fromEntries(metrics.map((metric) => [metric, count(metric)]));
}
