import { type HttpResponse, json } from '../../http/http-response.ts';
import type { JsonObject } from '../../http/json.ts';
import type { Call, Sandbox } from '../../platform.ts';
import type { Account } from '../../store/accounts.ts';
import type { Post } from '../../store/posts.ts';
import { findActor } from './accounts.ts';
import { invalid } from './errors.ts';
import { hostRole } from './hosts.ts';
import { readLimit, readParameter } from './input.ts';
import { presentPost, presentProfile } from './present.ts';
import { parseAtUri } from './repo/identifiers.ts';
import { uriOf } from './repo/repo.ts';
import { authenticate } from './sign-in/authenticate.ts';

const maxUris = 25;
const maxDepth = 1000;

/** Deleted and unknown posts are left out silently. */
export function getPosts(call: Call): HttpResponse {
  checkAccess(call);
  const uris = readUris(call).map((given, index) => readUri(call, given, `$.uris[${index}]`));
  const posts = uris.flatMap((uri) => findVisiblePost(call.sandbox, uri) ?? []);
  return json({ posts: posts.map((post) => presentPost(call.sandbox, post)) });
}

export function getPostThread(call: Call): HttpResponse {
  checkAccess(call);
  const uri = readUri(call, readParameter(call, 'uri'), '$.uri');
  const post = findVisiblePost(call.sandbox, uri) ?? invalid(`Post not found: ${uri}`, 'NotFound');
  const depth = Math.min(Number(call.query.get('depth') ?? 6), maxDepth);
  const height = Math.min(Number(call.query.get('parentHeight') ?? 80), maxDepth);
  return json({ thread: { ...threadView(call.sandbox, post, depth), ...parentView(call.sandbox, post, height) } });
}

/** Newest first. The cursor contains the time and the content id of the last post. */
export function getAuthorFeed(call: Call): HttpResponse {
  checkAccess(call);
  const account = findActor(call.sandbox, readParameter(call, 'actor')) ?? invalid('Profile not found');
  const limit = readLimit(call, 50);
  const filter = call.query.get('filter') ?? 'posts_with_replies';
  const [, from] = call.query.get('cursor')?.split('::') ?? [];
  const page: Post[] = [];
  let isReached = from === undefined;
  for (const post of account.suspended ? [] : call.sandbox.store.posts.newest('bluesky', account.id)) {
    if (isReached && matchesFilter(post, filter)) page.push(post);
    if (post.data.cid === from) isReached = true;
    if (page.length === limit) break;
  }
  const last = page.length === limit ? page.at(-1) : undefined;
  return json({
    feed: page.map((post) => ({ post: presentPost(call.sandbox, post) })),
    ...(last && { cursor: `${last.createdAt}::${last.data.cid}` }),
  });
}

export function getProfile(call: Call): HttpResponse {
  checkAccess(call);
  const account = findActor(call.sandbox, readParameter(call, 'actor')) ?? invalid('Profile not found');
  if (account.suspended) invalid('Account has been suspended', 'AccountTakedown');
  return json(presentProfile(call.sandbox, account));
}

/** The AppView is public. An account's own server accepts these calls only from its users. */
function checkAccess(call: Call): void {
  if (hostRole(call.host) === 'pds') authenticate(call);
}

function readUris(call: Call): string[] {
  const all = [...call.query.getAll('uris'), ...call.query.getAll('uris[]')];
  if (all.length === 0) readParameter(call, 'uris');
  if (all.length > maxUris) invalid(`array too big (maximum ${maxUris}, got ${all.length}) at $.uris`);
  return all;
}

/** Returns the URI with the DID in place of a handle. */
function readUri(call: Call, given: string, path: string): string {
  const parsed = parseAtUri(given) ?? invalid(`Invalid at-uri (got ${JSON.stringify(given)}) at ${path}`);
  const did = findActor(call.sandbox, parsed.actor)?.id ?? parsed.actor;
  return uriOf(did, parsed.collection, parsed.rkey);
}

function findVisiblePost({ store }: Sandbox, uri: string): Post | undefined {
  const post = store.posts.find('bluesky', uri);
  return post && isVisible(store.accounts.find('bluesky', post.accountId)) ? post : undefined;
}

function isVisible(author: Account | undefined): boolean {
  return author !== undefined && !author.suspended;
}

function threadView(sandbox: Sandbox, post: Post, depth: number): JsonObject {
  const replies = depth > 0 ? sandbox.store.posts.replies(post) : [];
  return {
    $type: 'app.bsky.feed.defs#threadViewPost',
    post: presentPost(sandbox, post),
    ...(depth > 0 && { replies: replies.map((reply) => threadView(sandbox, reply, depth - 1)) }),
    threadContext: {},
  };
}

function parentView(sandbox: Sandbox, post: Post, height: number): JsonObject {
  const parent = post.inReplyTo === null || height <= 0 ? undefined : findVisiblePost(sandbox, post.inReplyTo);
  return parent ? { parent: { ...threadView(sandbox, parent, 0), ...parentView(sandbox, parent, height - 1) } } : {};
}

function matchesFilter(post: Post, filter: string): boolean {
  const isReply = post.inReplyTo !== null;
  if (filter === 'posts_no_replies' || filter === 'posts_and_author_threads') return !isReply;
  if (filter === 'posts_with_media') return post.media.length > 0;
  return true;
}
