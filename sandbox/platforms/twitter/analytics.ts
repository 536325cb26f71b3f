import { type HttpResponse, json } from '../../http/http-response.ts';
import type { Call } from '../../platform.ts';
import type { Post } from '../../store/posts.ts';
import { problemType } from './errors.ts';
import { publicMetrics } from './posts/present.ts';
import { checkParameters, readFields, readIds, readNames, readTime, refuseValue } from './query-parameters.ts';
import { authenticate, readScopes } from './sign-in/authenticate.ts';

const metrics = [
  'bookmarks',
  'detail_expands',
  'engagements',
  'follows',
  'impressions',
  'likes',
  'media_views',
  'quote_tweets',
  'replies',
  'retweets',
  'shares',
  'unfollows',
  'url_clicks',
  'user_profile_clicks',
];
const hourMs = 3_600_000;
const bucketMs: Record<string, number> = { hourly: hourMs, daily: 24 * hourMs, weekly: 7 * 24 * hourMs };
const maxPosts = 100;

/** Only for the caller's own posts. All engagement counts at the time of the post. */
export function analytics(call: Call): HttpResponse {
  const account = authenticate(call, readScopes);
  checkParameters(call, ['ids', 'start_time', 'end_time', 'granularity', 'analytics.fields']);
  const ids = readIds(call, maxPosts);
  const [start, end] = ['start_time', 'end_time'].map((name) => readTime(call, name) ?? refuseEmpty(name));
  const [granularity = refuseEmpty('granularity')] = readNames(call, 'granularity', [
    ...Object.keys(bucketMs),
    'total',
  ]);
  const fields = readFields(call, 'analytics.fields', metrics);
  const own = ids.flatMap((id) => {
    const post = call.sandbox.store.posts.find('twitter', id);
    return post?.accountId === account.id ? [post] : [];
  });
  const data = own.map((post) => {
    const isInside = post.createdAt >= (start ?? 0) && post.createdAt < (end ?? 0);
    const timestamp = timestampOf(post, granularity, start ?? 0);
    return {
      id: post.id,
      timestamped_metrics: isInside ? [{ timestamp, metrics: measure(call, post, fields) }] : [],
    };
  });
  const errors = ids.filter((id) => !own.some((post) => post.id === id)).map(notAuthorized);
  return json({ data, ...(errors.length > 0 && { errors }) });
}

function measure(call: Call, post: Post, fields: readonly string[]): Record<string, number> {
  const found = publicMetrics(call, post);
  const counted: Record<string, number> = {
    bookmarks: found.bookmark_count,
    engagements: found.like_count + found.reply_count + found.repost_count + found.quote_count,
    impressions: found.impression_count,
    likes: found.like_count,
    quote_tweets: found.quote_count,
    replies: found.reply_count,
    retweets: found.repost_count,
  };
  return Object.fromEntries(fields.map((name) => [name, counted[name] ?? 0]));
}

function timestampOf(post: Post, granularity: string, start: number): string {
  const width = bucketMs[granularity];
  const at = width === undefined ? start : Math.floor(post.createdAt / width) * width;
  return new Date(at).toISOString().replace('.000Z', 'Z');
}

function notAuthorized(id: string) {
  return {
    resource_id: id,
    resource_type: 'tweet',
    parameter: 'ids',
    title: 'Authorization Error',
    detail: `Sorry, you are not authorized to see the analytics of the Tweet with ids: [${id}].`,
    type: problemType('not-authorized-for-resource'),
  };
}

function refuseEmpty(name: string): never {
  refuseValue(name, '', 'can not be empty');
}
