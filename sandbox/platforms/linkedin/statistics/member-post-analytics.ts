import { type HttpResponse, json } from '../../../http/http-response.ts';
import type { Call } from '../../../platform.ts';
import type { Post } from '../../../store/posts.ts';
import { engagementOf, reachOf } from '../engagement/engagement.ts';
import { denied, invalidParameter } from '../errors.ts';
import { findPost, isPostUrn } from '../posts/posts.ts';
import { pageOf, readTuple } from '../rest-li/rest-li.ts';
import { isSince } from '../rest-li/versions.ts';
import { authenticate, type Caller, requireScope } from '../sign-in/authenticate.ts';
import { contains, daysOf, presentDates, readDateRange, type Span } from './dates.ts';

/** For a member whose handle contains this word, the vendor does not disclose the reach and returns -1. */
const uncounted = 'uncounted';

const laterMetrics = [
  'POST_SAVE',
  'POST_SEND',
  'LINK_CLICKS',
  'PREMIUM_CTA_CLICKS',
  'FOLLOWER_GAINED_FROM_CONTENT',
  'PROFILE_VIEW_FROM_CONTENT',
];
const metrics: Record<string, (call: Call, post: Post) => number> = {
  IMPRESSION: (call, post) => reachOf(engagementOf(call, post)).impressions,
  MEMBERS_REACHED: (call, post) => reachOf(engagementOf(call, post)).members,
  RESHARE: (call, post) => engagementOf(call, post).reshares,
  REACTION: (call, post) => engagementOf(call, post).reactions,
  COMMENT: (call, post) => engagementOf(call, post).comments,
  ...Object.fromEntries(laterMetrics.map((metric) => [metric, () => 0])),
};

/** Returns one metric of one post or of all posts. All engagement counts on the day of the post. */
export function postAnalytics(call: Call): HttpResponse {
  const caller = authenticate(call);
  requireScope(call, caller, ['r_member_postAnalytics'], 'memberCreatorPostAnalytics.FINDER');
  const metric = readMetric(call);
  const isDaily = readAggregation(call, metric) === 'DAILY';
  const span = readDateRange(call);
  const { posts, targetEntity } = readTarget(call, caller);
  const count = (within: Span | undefined) =>
    posts
      .filter(({ createdAt }) => !within || contains(within, createdAt))
      .reduce((sum, post) => sum + (metrics[metric]?.(call, post) ?? 0), 0);
  const isUntold = metric === 'MEMBERS_REACHED' && caller.member.handle.includes(uncounted);
  const element = (within: Span | undefined) => ({
    count: isUntold ? -1 : count(within),
    metricType: presentMetric(call, metric),
    ...(targetEntity && { targetEntity }),
    ...(within && { dateRange: presentDates(within) }),
  });
  if (!isDaily) return json(pageOf(call, [element(span)]));
  const days = daysOf(span ?? lastWeek(call)).map(element);
  return json({ paging: { start: 0, count: days.length, links: [] }, elements: days });
}

function readMetric(call: Call): string {
  const metric = call.query.get('queryType') ?? '';
  const isKnown = Object.hasOwn(metrics, metric) && (isSince(call, '202604') || !laterMetrics.includes(metric));
  return isKnown ? metric : invalidParameter('queryType');
}

function readAggregation(call: Call, metric: string): string {
  const aggregation = call.query.get('aggregation') ?? 'TOTAL';
  const allowed = metric === 'MEMBERS_REACHED' ? ['TOTAL'] : ['TOTAL', 'DAILY'];
  return allowed.includes(aggregation) ? aggregation : invalidParameter('aggregation');
}

function readTarget(call: Call, { member }: Caller): { posts: Post[]; targetEntity?: Record<string, string> } {
  const q = call.query.get('q');
  if (q === 'me') {
    return { posts: call.sandbox.store.posts.ofAccount('linkedin', member.id).filter(({ id }) => isPostUrn(id)) };
  }
  if (q !== 'entity') invalidParameter('q');
  const [, kind = '', urn = ''] =
    /^\((share|ugc):(urn:li:(?:share|ugcPost):\d+)\)$/.exec(readTuple(call, 'entity') ?? '') ?? [];
  const isRight = kind === (urn.startsWith('urn:li:share:') ? 'share' : 'ugc');
  if (urn === '' || !isRight) invalidParameter('entity');
  const post = findPost(call, urn);
  if (post?.accountId !== member.id) denied(call, 'memberCreatorPostAnalytics.FINDER-entity');
  return { posts: [post], targetEntity: { [kind]: urn } };
}

/** The metric is a plain string since version 202605. */
function presentMetric(call: Call, metric: string) {
  if (isSince(call, '202605')) return metric;
  return { 'com.linkedin.adsexternalapi.memberanalytics.v1.CreatorPostAnalyticsMetricTypeV1': metric };
}

function lastWeek(call: Call): Span {
  const dayMs = 86_400_000;
  const tomorrow = (Math.floor(call.sandbox.now() / dayMs) + 1) * dayMs;
  return { start: tomorrow - 7 * dayMs, end: tomorrow };
}
