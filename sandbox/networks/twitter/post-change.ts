import { type Answer, json } from '../../answer.ts';
import { asText } from '../../fields.ts';
import { type Call, Refusal } from '../../network.ts';
import type { Account } from '../../store/accounts.ts';
import type { Post } from '../../store/posts.ts';
import { forbid, missing, problem, problemType } from './errors.ts';
import { refuseValue } from './query.ts';
import { id, object, readJsonBody } from './schema.ts';
import { signIn, writeScopes } from './sign-in.ts';

export function deletePost(call: Call): Answer {
  const account = signIn(call, writeScopes);
  const post = findPost(call, call.params.id ?? '');
  if (post.accountId !== account.id) forbid('You are not authorized to delete this Tweet.');
  const { media, posts, reactions } = call.sandbox.store;
  const quoted = posts.find('twitter', asText(post.data.quotedId));
  if (quoted) reactions.remove(quoted, post.id, 'quote');
  for (const one of post.media.flatMap((name) => media.find('twitter', name) ?? []))
    media.change(one, { postId: null });
  posts.remove(post);
  return json({ data: { deleted: true } });
}

export function repost(call: Call): Answer {
  const account = signInAsNamed(call);
  const post = findPost(call, asText(readJsonBody(call, object({ tweet_id: id }, ['tweet_id'])).tweet_id));
  call.sandbox.store.reactions.add(post, account.id, 'repost');
  return json({ data: { retweeted: true, rest_id: post.id } });
}

export function undoRepost(call: Call): Answer {
  const account = signInAsNamed(call);
  call.sandbox.store.reactions.remove(findPost(call, call.params.postId ?? ''), account.id, 'repost');
  return json({ data: { retweeted: false } });
}

/** No plan that an application can book by itself has likes since April 2026. */
export function like(call: Call): Answer {
  signInAsNamed(call);
  const detail =
    'When authenticating requests to this endpoint, your App must be enrolled in a plan that includes it. Likes are part of the Enterprise plan.';
  return problem(403, 'Client Forbidden', detail, {
    type: problemType('client-forbidden'),
    reason: 'client-not-enrolled',
    required_enrollment: 'Enterprise',
  });
}

function signInAsNamed(call: Call): Account {
  const account = signIn(call, writeScopes);
  const named = call.params.id ?? '';
  if (named !== account.id) refuseValue('id', named, `must be the same as the authenticating user [${account.id}]`);
  return account;
}

function findPost(call: Call, postId: string): Post {
  const post = call.sandbox.store.posts.find('twitter', postId);
  if (post) return post;
  const found = missing('tweet', 'id', postId);
  throw new Refusal(problem(404, found.title, found.detail, { type: found.type }));
}
