import { type Answer, json } from '../../answer.ts';
import { invalid, refuse } from '../../graph/errors.ts';
import { graphTime } from '../../graph/paging.ts';
import { signIn, signInAs } from '../../graph/sign-in.ts';
import type { Call } from '../../network.ts';
import type { Account } from '../../store/accounts.ts';
import type { Post } from '../../store/posts.ts';
import { scopes } from './login.ts';
import { isComment, isOver, isStory, requireMedia } from './posts.ts';

const dayMs = 86_400_000;

const shared = ['views', 'reach', 'shares', 'total_interactions'];
const lasting = [...shared, 'likes', 'comments', 'saved', 'reposts'];
const metrics: Record<string, readonly string[]> = {
  FEED: [...lasting, 'follows', 'profile_visits', 'profile_activity'],
  REELS: [
    ...lasting,
    'ig_reels_avg_watch_time',
    'ig_reels_video_view_total_time',
    'reels_skip_rate',
    'crossposted_views',
    'facebook_views',
  ],
  STORY: [...shared, 'replies', 'navigation', 'link_clicks', 'follows', 'profile_visits'],
};

const accountTotals = [
  ...['views', 'reach', 'likes', 'comments', 'shares', 'saves', 'replies', 'reposts', 'accounts_engaged'],
  ...['total_interactions', 'profile_links_taps', 'follows_and_unfollows'],
];
const accountSeries = ['reach', 'follower_count'];

/** A metric that this type of media does not have fails the whole call. */
export function mediaInsights(call: Call): Answer {
  const post = requireMedia(call, signIn(call, scopes.basic, scopes.insights));
  const asked = readMetrics(call, metrics[String(post.data.productType)] ?? []);
  // Nobody looks at stories here, and of fewer than five viewers nothing is told.
  if (isStory(post) || isOver(call, post)) {
    refuse('(#10) Not enough viewers for the media to show insights', { code: 10 });
  }
  return json({
    data: asked.map((name) => ({
      name,
      period: 'lifetime',
      values: [{ value: amountOf(call, post, name) }],
      title: titleOf(name),
      description: '',
      id: `${post.id}/insights/${name}/lifetime`,
    })),
  });
}

/** Sums with `metric_type=total_value`, else a value for each of the last two days. */
export function accountInsights(call: Call): Answer {
  const account = signInAs(call, scopes.basic, scopes.insights);
  const isTotal = call.query.get('metric_type') === 'total_value';
  if ((call.query.get('period') ?? 'day') !== 'day') invalid('Param period must be day.');
  const asked = readMetrics(call, isTotal ? accountTotals : accountSeries);
  return json({
    data: asked.map((name) => ({
      name,
      period: 'day',
      title: titleOf(name),
      description: '',
      ...(isTotal ? { total_value: { value: sumOf(call, account, name) } } : { values: daysOf(call) }),
      id: `${account.id}/insights/${name}/day`,
    })),
  });
}

function readMetrics(call: Call, allowed: readonly string[]): string[] {
  const asked = (call.query.get('metric') ?? '').split(',').filter(Boolean);
  if (asked.length === 0) invalid('The parameter metric is required');
  const unknown = asked.find((name) => !allowed.includes(name));
  if (unknown !== undefined) {
    invalid(`metric must be one of the following values: ${allowed.join(', ')}; ${unknown} is not.`);
  }
  return asked;
}

/** Likes and comments are counted; of all else there is none here. */
function amountOf(call: Call, post: Post, name: string): number {
  const { posts, reactions } = call.sandbox.store;
  const [likes, comments] = [reactions.counts(post).like ?? 0, posts.replyCount(post)];
  const counted: Record<string, number> = { likes, comments, total_interactions: likes + comments };
  return counted[name] ?? 0;
}

function sumOf(call: Call, account: Account, name: string): number {
  const media = call.sandbox.store.posts.ofAccount('instagram', account.id).filter((post) => !isComment(post));
  return media.reduce((sum, post) => sum + amountOf(call, post, name), 0);
}

function daysOf(call: Call) {
  const today = Math.floor(call.sandbox.now() / dayMs) * dayMs;
  return [today - dayMs, today].map((end) => ({ value: 0, end_time: graphTime(end) }));
}

function titleOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
