import { type Answer, json } from '../../answer.ts';
import { asText } from '../../fields.ts';
import type { Json, JsonObject } from '../../json.ts';
import type { Call } from '../../network.ts';
import type { Post } from '../../store/posts.ts';
import { invalid, noObject } from './errors.ts';
import { readInput } from './input.ts';
import { findPost, isComment, reactionCount } from './posts.ts';
import { requireToken, signInAsPage } from './sign-in.ts';
import { timeText } from './times.ts';

const dayMs = 86_400_000;
const maxDays = 93;

/** Nobody looks at anything here; what is counted is what the sandbox knows: comments and reactions. */
const pageMetrics: Record<string, (call: Call, posts: readonly Post[]) => number> = {
  page_media_view: () => 0,
  page_total_media_view_unique: () => 0,
  page_post_engagements: (call, posts) => sum(posts.map((post) => engagements(call, post))),
  page_daily_follows: () => 0,
  page_follows: () => 0,
  page_views_total: () => 0,
};

const postMetrics: Record<string, (call: Call, post: Post) => Json> = {
  post_media_view: () => 0,
  post_total_media_view_unique: () => 0,
  post_clicks: () => 0,
  post_clicks_by_type: () => ({}),
  post_reactions_by_type_total: (call, post) => call.sandbox.store.reactions.counts(post),
};

/** One value for each day of the range, yesterday and the day before unless asked for others. */
function pageInsights(call: Call): Answer {
  const page = signInAsPage(call, call.params.id ?? '', 'read_insights', 'pages_read_engagement');
  const input = readInput(call);
  const now = call.sandbox.now();
  const until = input.until === undefined ? now : Number(asText(input.until)) * 1000;
  const since = input.since === undefined ? until - 2 * dayMs : Number(asText(input.since)) * 1000;
  if (!(since < until)) invalid('Param since must be before until');
  if (until - since > maxDays * dayMs) invalid(`There cannot be more than ${maxDays} days between since and until`);
  const posts = call.sandbox.store.posts.ofAccount('facebook', page.id).filter((post) => !isComment(post));
  const days = Array.from({ length: Math.ceil((until - since) / dayMs) }, (_, index) => since + index * dayMs);
  const data = readMetrics(input, Object.keys(pageMetrics)).map((name) => {
    const values = days.map((start) => {
      const ofDay = posts.filter(({ createdAt }) => createdAt >= start && createdAt < start + dayMs);
      return { value: pageMetrics[name]?.(call, ofDay) ?? 0, end_time: timeText(start + dayMs) };
    });
    return { name, period: 'day', values, title: titleOf(name), id: `${page.id}/insights/${name}/day` };
  });
  return json({ data, paging: {} });
}

function postInsights(call: Call): Answer {
  requireToken(call);
  const id = call.params.id ?? '';
  const post = findPost(call, id) ?? noObject(call, id);
  signInAsPage(call, post.accountId, 'read_insights', 'pages_read_engagement');
  const data = readMetrics(readInput(call), Object.keys(postMetrics)).map((name) => ({
    name,
    period: 'lifetime',
    values: [{ value: postMetrics[name]?.(call, post) ?? 0 }],
    title: titleOf(name),
    id: `${post.id}/insights/${name}/lifetime`,
  }));
  return json({ data, paging: {} });
}

/** A Page's and a post's stand at the same path. */
export function insights(call: Call): Answer {
  const isPage = call.sandbox.store.accounts.find('facebook', call.params.id ?? '') !== undefined;
  return isPage ? pageInsights(call) : postInsights(call);
}

/** One that is not known, or no longer, fails them all. */
function readMetrics(input: JsonObject, known: readonly string[]): string[] {
  const names = asText(input.metric).split(',').filter(Boolean);
  if (names.length === 0 || names.some((name) => !known.includes(name))) {
    invalid('The value must be a valid insights metric');
  }
  return names;
}

function engagements(call: Call, post: Post): number {
  return call.sandbox.store.posts.replyCount(post) + reactionCount(call, post);
}

function titleOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
