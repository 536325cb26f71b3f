import { Problem } from '../../../foundation/errors/index.ts';
import type { Json } from '../../../foundation/lib/json.ts';
import type { Cached } from '../shared-cache.ts';
import { actions } from './act-as-linkedin.ts';
import { type Input, isMissing } from './input.ts';
import { maxMetrics } from './schema.ts';

export type Metric = (typeof actions.metrics)[number];

/** `queryType` is one metric in capitals, `queryTypes` is several. "ALL" selects all offered metrics. */
export function readMetrics(
  { queryType, queryTypes }: Input,
  offered: readonly Metric[] = actions.metrics,
): { isSingle: boolean; metrics: Metric[] } {
  if (isMissing(queryType) && isMissing(queryTypes)) throw new Problem('linkedin_query_type_missing');
  if (!isMissing(queryType) && !isMissing(queryTypes)) throw new Problem('linkedin_query_type_twice');
  if (!isMissing(queryTypes)) return { isSingle: false, metrics: readList([queryTypes].flat(), offered) };
  const metric = actions.metrics.find((known) => known === queryType);
  if (!metric) throw new Problem('linkedin_query_type_invalid');
  return { isSingle: true, metrics: [metric] };
}

const shownOfWrong = 200;

function readList(given: readonly unknown[], offered: readonly Metric[]): Metric[] {
  if (given.length === 0) throw new Problem('linkedin_query_type_missing');
  if (given.length > maxMetrics) throw new Problem('linkedin_query_types_invalid');
  const named = given.map((each) => (typeof each === 'string' ? each.toUpperCase() : each));
  const known: readonly unknown[] = [...actions.metrics, 'ALL'];
  const wrong = given.filter((_, index) => !known.includes(named[index]));
  if (wrong.length > 0) {
    const list = wrong.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join(', ');
    const error = `Invalid queryTypes: ${list.slice(0, shownOfWrong)}. Must be one of: ${actions.metrics.join(', ')}, or "ALL"`;
    throw new Problem('linkedin_query_types_invalid', { error });
  }
  const all = named.includes('ALL') ? offered : [];
  return actions.metrics.filter((metric) => named.includes(metric) || all.includes(metric));
}

export type Outcomes<T> = ReadonlyMap<string, PromiseSettledResult<Cached<T>>>;

/** Reads all metrics concurrently. A LinkedIn failure is an outcome; an unexpected error is thrown. */
export async function readEach<T extends Json, N extends string>(
  names: readonly N[],
  read: (name: N) => Promise<Cached<T>>,
): Promise<Outcomes<T>> {
  const settled = await Promise.allSettled(names.map(read));
  for (const outcome of settled) {
    if (outcome.status === 'rejected' && !(outcome.reason instanceof Problem)) throw outcome.reason;
  }
  return new Map(names.map((name, index) => [name, settled[index]!]));
}

/** If all metrics failed for one of these reasons, the response is that reason. */
const reasons: ReadonlySet<string> = new Set([
  'linkedin_token_expired',
  'linkedin_rate_limited',
  'linkedin_request_timeout',
]);

/** The response for several metrics. Failed ones are null and listed in `errors`. */
export function presentMetrics<T extends Json>(outcomes: Outcomes<T>) {
  const failures = [...outcomes].flatMap(([metric, outcome]) =>
    outcome.status === 'rejected' ? [{ metric, reason: outcome.reason as Problem }] : [],
  );
  const [first] = failures;
  if (first && failures.length === outcomes.size && reasons.has(first.reason.key)) throw first.reason;
  const entries = [...outcomes].map(
    ([metric, outcome]) => [metric, outcome.status === 'fulfilled' ? outcome.value.value : null] as const,
  );
  const cachedMetrics = [...outcomes].flatMap(([metric, outcome]) =>
    outcome.status === 'fulfilled' && outcome.value.cached ? [metric] : [],
  );
  const error = 'Failed to fetch metric from LinkedIn';
  return {
    success: failures.length === 0,
    metrics: Object.fromEntries(entries),
    ...(failures.length > 0 && { errors: failures.map(({ metric }) => ({ metric, error })) }),
    ...(cachedMetrics.length > 0 && { cachedMetrics }),
    cached: cachedMetrics.length > 0,
  };
}
