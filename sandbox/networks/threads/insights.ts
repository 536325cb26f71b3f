import { type Answer, json } from '../../answer.ts';
import { graphTime } from '../../graph/paging.ts';
import { signIn, signInAs } from '../../graph/sign-in.ts';
import type { JsonObject } from '../../json.ts';
import type { Call } from '../../network.ts';
import type { Post } from '../../store/posts.ts';
import { invalidParam } from './errors.ts';
import { scopes } from './login.ts';
import { isRepost, requireOwn } from './posts.ts';

const ofPost = ['views', 'likes', 'replies', 'reposts', 'quotes', 'shares'];
const ofAccount = ['views', 'likes', 'replies', 'reposts', 'quotes', 'clicks', 'followers_count'];
const dayMs = 86_400_000;

export function postInsights(call: Call): Answer {
  const post = requireOwn(call, signIn(call, scopes.basic, scopes.insights));
  const asked = readMetrics(call, ofPost);
  if (isRepost(post)) return json({ data: [] });
  const data = asked.map((name) => ({
    name,
    period: 'lifetime',
    values: [{ value: amountOf(call, post, name) }],
    title: name,
    description: '',
    id: `${post.id}/insights/${name}/lifetime`,
  }));
  return json({ data });
}

export function accountInsights(call: Call): Answer {
  const account = signInAs(call, scopes.basic, scopes.insights);
  const posts = call.sandbox.store.posts.ofAccount('threads', account.id);
  const data = readMetrics(call, ofAccount).map((name) => ({
    name,
    period: 'day',
    ...amountsOf(call, posts, name),
    title: name,
    description: '',
    id: `${account.id}/insights/${name}/day`,
  }));
  return json({ data });
}

/** Views come day by day, clicks link by link, all else as a sum. */
function amountsOf(call: Call, posts: readonly Post[], name: string): JsonObject {
  const today = Math.floor(call.sandbox.now() / dayMs) * dayMs;
  if (name === 'views') return { values: [{ value: 0, end_time: graphTime(today) }] };
  if (name === 'clicks') return { link_total_values: [] };
  return { total_value: { value: posts.reduce((sum, post) => sum + amountOf(call, post, name), 0) } };
}

/** What others have done here is counted; of all else there is none. */
function amountOf(call: Call, post: Post, name: string): number {
  const { posts, reactions } = call.sandbox.store;
  const { like = 0, repost = 0, quote = 0 } = reactions.counts(post);
  const counted: Record<string, number> = { likes: like, reposts: repost, quotes: quote };
  return name === 'replies' ? posts.replyCount(post) : (counted[name] ?? 0);
}

function readMetrics(call: Call, allowed: readonly string[]): string[] {
  const asked = (call.query.get('metric') ?? '').split(',').filter(Boolean);
  const unknown = asked.find((name) => !allowed.includes(name));
  if (asked.length === 0 || unknown !== undefined) invalidParam(`Param metric must be of {${allowed.join(', ')}}.`);
  return asked;
}
