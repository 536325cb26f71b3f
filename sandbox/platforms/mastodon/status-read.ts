import { type HttpResponse, json } from '../../http/http-response.ts';
import type { Call } from '../../platform.ts';
import type { Account } from '../../store/accounts.ts';
import type { Post } from '../../store/posts.ts';
import { notFound, refuse } from './errors.ts';
import { listsStatuses } from './hosts.ts';
import { presentStatus } from './present.ts';
import { authenticate, authenticateIfPresent } from './sign-in/authenticate.ts';

export function oneStatus(call: Call): HttpResponse {
  return json(presentStatus(call, findVisible(call, authenticateIfPresent(call))));
}

export function manyStatuses(call: Call): HttpResponse {
  if (!listsStatuses(call.host)) notFound();
  const viewer = authenticateIfPresent(call);
  const ids = [...call.query.getAll('id[]'), ...call.query.getAll('id')];
  if (ids.length > 20) refuse(422, 'Too many IDs: at most 20 are allowed');
  const posts = ids.flatMap((id) => call.sandbox.store.posts.find('mastodon', id) ?? []);
  return json(posts.filter((post) => isVisibleTo(viewer, post)).map((post) => presentStatus(call, post)));
}

export function context(call: Call): HttpResponse {
  const viewer = authenticateIfPresent(call);
  const post = findVisible(call, viewer);
  const isVisible = (other: Post) => isVisibleTo(viewer, other);
  const present = (other: Post) => presentStatus(call, other);
  return json({
    ancestors: ancestorsOf(call, post).filter(isVisible).map(present),
    descendants: descendantsOf(call, post).filter(isVisible).map(present),
  });
}

export function source(call: Call): HttpResponse {
  const account = authenticate(call, 'read:statuses');
  const post = findVisible(call, account);
  return json({ id: post.id, text: post.text, spoiler_text: post.data.spoilerText });
}

/** The sandbox has no followers, so a status that is not public is visible only to its author. */
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
