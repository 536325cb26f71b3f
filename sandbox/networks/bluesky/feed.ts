import { type Answer, json } from '../../answer.ts';
import type { JsonObject } from '../../json.ts';
import type { Call } from '../../network.ts';
import type { Sandbox } from '../../sandbox.ts';
import type { Account } from '../../store/accounts.ts';
import type { Post } from '../../store/posts.ts';
import { findActor } from './accounts.ts';
import { invalid } from './errors.ts';
import { placeOf } from './hosts.ts';
import { readLimit, readParameter } from './input.ts';
import { parseAtUri } from './keys.ts';
import { presentPost, presentProfile } from './present.ts';
import { uriOf } from './repo.ts';
import { signIn } from './sign-in.ts';

const maxUris = 25;
const maxDepth = 1000;

/** What is deleted or unknown is left out without a word. */
export function getPosts(call: Call): Answer {
  admit(call);
  const uris = readMany(call, 'uris').map((given, index) => readUri(call, given, `$.uris[${index}]`));
  const posts = uris.flatMap((uri) => findShown(call.sandbox, uri) ?? []);
  return json({ posts: posts.map((post) => presentPost(call.sandbox, post)) });
}

export function getPostThread(call: Call): Answer {
  admit(call);
  const uri = readUri(call, readParameter(call, 'uri'), '$.uri');
  const post = findShown(call.sandbox, uri) ?? invalid(`Post not found: ${uri}`, 'NotFound');
  const depth = Math.min(Number(call.query.get('depth') ?? 6), maxDepth);
  const height = Math.min(Number(call.query.get('parentHeight') ?? 80), maxDepth);
  return json({ thread: { ...threadBelow(call.sandbox, post, depth), ...above(call.sandbox, post, height) } });
}

/** Newest first; the cursor is the last post's time and content id. */
export function getAuthorFeed(call: Call): Answer {
  admit(call);
  const account = findActor(call.sandbox, readParameter(call, 'actor')) ?? invalid('Profile not found');
  const limit = readLimit(call, 50);
  const filter = call.query.get('filter') ?? 'posts_with_replies';
  const [, from] = call.query.get('cursor')?.split('::') ?? [];
  const page: Post[] = [];
  let isReached = from === undefined;
  for (const post of account.suspended ? [] : call.sandbox.store.posts.newest('bluesky', account.id)) {
    if (isReached && passes(post, filter)) page.push(post);
    if (post.data.cid === from) isReached = true;
    if (page.length === limit) break;
  }
  const last = page.length === limit ? page.at(-1) : undefined;
  return json({
    feed: page.map((post) => ({ post: presentPost(call.sandbox, post) })),
    ...(last && { cursor: `${last.createdAt}::${last.data.cid}` }),
  });
}

export function getProfile(call: Call): Answer {
  admit(call);
  const account = findActor(call.sandbox, readParameter(call, 'actor')) ?? invalid('Profile not found');
  if (account.suspended) invalid('Account has been suspended', 'AccountTakedown');
  return json(presentProfile(call.sandbox, account));
}

export function getProfiles(call: Call): Answer {
  admit(call);
  const actors = readMany(call, 'actors');
  const found = actors.flatMap((actor) => findActor(call.sandbox, actor) ?? []);
  const profiles = found.filter(({ suspended }) => !suspended);
  return json({ profiles: profiles.map((account) => presentProfile(call.sandbox, account)) });
}

/** Anyone may ask the AppView; an account's server passes on only what its own people ask. */
function admit(call: Call): void {
  if (placeOf(call.host) === 'pds') signIn(call);
}

function readMany(call: Call, name: string): string[] {
  const all = [...call.query.getAll(name), ...call.query.getAll(`${name}[]`)];
  if (all.length === 0) readParameter(call, name);
  if (all.length > maxUris) invalid(`array too big (maximum ${maxUris}, got ${all.length}) at $.${name}`);
  return all;
}

/** With the DID in place of a handle. */
function readUri(call: Call, given: string, path: string): string {
  const parsed = parseAtUri(given) ?? invalid(`Invalid at-uri (got ${JSON.stringify(given)}) at ${path}`);
  const did = findActor(call.sandbox, parsed.actor)?.id ?? parsed.actor;
  return uriOf(did, parsed.collection, parsed.rkey);
}

function findShown({ store }: Sandbox, uri: string): Post | undefined {
  const post = store.posts.find('bluesky', uri);
  return post && isShown(store.accounts.find('bluesky', post.accountId)) ? post : undefined;
}

function isShown(author: Account | undefined): boolean {
  return author !== undefined && !author.suspended;
}

function threadBelow(sandbox: Sandbox, post: Post, depth: number): JsonObject {
  const replies = depth > 0 ? sandbox.store.posts.replies(post) : [];
  return {
    $type: 'app.bsky.feed.defs#threadViewPost',
    post: presentPost(sandbox, post),
    ...(depth > 0 && { replies: replies.map((reply) => threadBelow(sandbox, reply, depth - 1)) }),
    threadContext: {},
  };
}

function above(sandbox: Sandbox, post: Post, height: number): JsonObject {
  const parent = post.inReplyTo === null || height <= 0 ? undefined : findShown(sandbox, post.inReplyTo);
  return parent ? { parent: { ...threadBelow(sandbox, parent, 0), ...above(sandbox, parent, height - 1) } } : {};
}

function passes(post: Post, filter: string): boolean {
  const isReply = post.inReplyTo !== null;
  if (filter === 'posts_no_replies' || filter === 'posts_and_author_threads') return !isReply;
  if (filter === 'posts_with_media') return post.media.length > 0;
  return true;
}
