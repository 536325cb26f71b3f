import { type Answer, json } from '../../answer.ts';
import type { Call } from '../../network.ts';
import type { Account } from '../../store/accounts.ts';
import type { Post } from '../../store/posts.ts';
import { notFound, refuse } from './errors.ts';
import { listsStatuses } from './hosts.ts';
import { presentStatus } from './present.ts';
import { maybeSignIn, signIn } from './sign-in.ts';

export function oneStatus(call: Call): Answer {
  return json(presentStatus(call, findVisible(call, maybeSignIn(call))));
}

export function manyStatuses(call: Call): Answer {
  if (!listsStatuses(call.host)) notFound();
  const viewer = maybeSignIn(call);
  const ids = [...call.query.getAll('id[]'), ...call.query.getAll('id')];
  if (ids.length > 20) refuse(422, 'Too many IDs: at most 20 are allowed');
  const posts = ids.flatMap((id) => call.sandbox.store.posts.find('mastodon', id) ?? []);
  return json(posts.filter((post) => isVisibleTo(viewer, post)).map((post) => presentStatus(call, post)));
}

export function context(call: Call): Answer {
  const viewer = maybeSignIn(call);
  const post = findVisible(call, viewer);
  const isVisible = (other: Post) => isVisibleTo(viewer, other);
  const present = (other: Post) => presentStatus(call, other);
  return json({
    ancestors: ancestorsOf(call, post).filter(isVisible).map(present),
    descendants: descendantsOf(call, post).filter(isVisible).map(present),
  });
}

export function source(call: Call): Answer {
  const account = signIn(call, 'read:statuses');
  const post = findVisible(call, account);
  return json({ id: post.id, text: post.text, spoiler_text: post.data.spoilerText });
}

/** Followers do not exist here: what is not public is its author's alone. */
export function isVisibleTo(viewer: Account | undefined, post: Post): boolean {
  return post.data.visibility === 'public' || post.data.visibility === 'unlisted' || viewer?.id === post.accountId;
}

export function findOwnStatus(call: Call, account: Account): Post {
  const post = call.sandbox.store.posts.find('mastodon', call.params.id ?? '');
  return post && post.accountId === account.id ? post : notFound();
}

export function findVisible(call: Call, viewer: Account | undefined): Post {
  const post = call.sandbox.store.posts.find('mastodon', call.params.id ?? '');
  return post && isVisibleTo(viewer, post) ? post : notFound();
}

function ancestorsOf(call: Call, post: Post): Post[] {
  const parent = post.inReplyTo === null ? undefined : call.sandbox.store.posts.find('mastodon', post.inReplyTo);
  return parent ? [...ancestorsOf(call, parent), parent] : [];
}

function descendantsOf(call: Call, post: Post): Post[] {
  return call.sandbox.store.posts.replies(post).flatMap((reply) => [reply, ...descendantsOf(call, reply)]);
}
